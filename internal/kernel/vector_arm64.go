//go:build !purego

package kernel

var vectors32 = vectorTable[float32]{
	near: nearTable[float32]{
		rsqrt: rsqrt_32, exp: exp_32, log: log_32, sigmoid: sigmoid_32, tanh: tanh_32, silu: silu_32,
		expm1: expm1_32, log1p: log1p_32, softplus: softplus_32, erf: erf_32, gelu: gelu_32, geluTanh: geluTanh_32, elu: elu_32, stanh: stanh_32, softsign: softsign_32, cube: cube_32, halfPower: halfPower_32, logisticLoss: logisticLoss_32, logisticSlope: logisticSlope_32,
		rsqrtGrad: rsqrtGrad_32, reciprocalGrad: reciprocalGrad_32, erfGrad: erfGrad_32, geluGrad: geluGrad_32, geluTanhGrad: geluTanhGrad_32,
		siluGrad: siluGrad_32, softplusGrad: softplusGrad_32, eluGrad: eluGrad_32, stanhGrad: stanhGrad_32, softsignGrad: softsignGrad_32, cubeGrad: cubeGrad_32,
		sin: sin_32, cos: cos_32, sinGrad: sinGrad_32, cosGrad: cosGrad_32, powConst: powConst_32, powConstGrad: powConstGrad_32,
		boxMuller: boxMuller_32, sumExp: sumExp_32, expSum: expSum_32, scaledExp: scaledExp_32, logSoftmaxGrad: logSoftmaxGrad_32,
	},
	add: add_32, sub: sub_32, mul: mul_32, div: div_32, max: max_32, min: min_32,
	neg: neg_32, abs: abs_32, sign: sign_32, square: square_32, sqrt: sqrt_32, reciprocal: reciprocal_32, addConst: addConst_32, mulConst: mulConst_32,
	clip: clip_32, floor: floor_32, ceil: ceil_32, round: round_32, relu: relu_32, leakyReLU: leakyReLU_32,
	reluGrad: reluGrad_32, leakyReLUGrad: leakyReLUGrad_32, sigmoidGrad: sigmoidGrad_32, tanhGrad: tanhGrad_32, absGrad: absGrad_32,
	squareGrad: squareGrad_32, sqrtGrad: sqrtGrad_32, expm1Grad: expm1Grad_32, log1pGrad: log1pGrad_32, clipGrad: clipGrad_32,
	greatest: greatest_32, least: least_32, sum: sum_32, sumSquares: sumSquares_32, sumDeviations: sumDeviations_32, dot: dot_32, sumProducts: sumProducts_32,
	sumDeviationsInto: sumDeviationsInto_32, sumProductsInto: sumProductsInto_32,
	normalize: normalize_32, normalizeColumns: normalizeColumns_32, normalizeGrad: normalizeGrad_32, normalizeGradColumns: normalizeGradColumns_32,
	normalizeRow: normalizeRow_32, normalizeRowGrad: normalizeRowGrad_32, sumWeighted: sumWeighted_32, sumNormalized: sumNormalized_32,
	logSoftmax: logSoftmax_32, softmaxGrad: softmaxGrad_32,
	words: words_32, uniform: uniform_32, dropout: dropout_32,
	sgd: sgd_32, momentum: momentum_32, nesterov: nesterov_32, adagrad: adagrad_32, adam: adam_32,
}

var vectors64 = vectorTable[float64]{
	add: add_64, sub: sub_64, mul: mul_64, div: div_64, max: max_64, min: min_64,
	neg: neg_64, abs: abs_64, sign: sign_64, square: square_64, sqrt: sqrt_64, reciprocal: reciprocal_64, addConst: addConst_64, mulConst: mulConst_64,
	clip: clip_64, floor: floor_64, ceil: ceil_64, round: round_64, relu: relu_64, leakyReLU: leakyReLU_64,
	reluGrad: reluGrad_64, leakyReLUGrad: leakyReLUGrad_64, sigmoidGrad: sigmoidGrad_64, tanhGrad: tanhGrad_64, absGrad: absGrad_64,
	squareGrad: squareGrad_64, sqrtGrad: sqrtGrad_64, expm1Grad: expm1Grad_64, log1pGrad: log1pGrad_64, clipGrad: clipGrad_64,
	greatest: greatest_64, least: least_64, sum: sum_64, sumSquares: sumSquares_64, sumDeviations: sumDeviations_64, dot: dot_64, sumProducts: sumProducts_64,
	sumDeviationsInto: sumDeviationsInto_64, sumProductsInto: sumProductsInto_64,
	normalize: normalize_64, normalizeColumns: normalizeColumns_64, normalizeGrad: normalizeGrad_64, normalizeGradColumns: normalizeGradColumns_64,
	normalizeRow: normalizeRow_64, normalizeRowGrad: normalizeRowGrad_64, sumWeighted: sumWeighted_64, sumNormalized: sumNormalized_64,
	sgd: sgd_64, momentum: momentum_64, nesterov: nesterov_64, adagrad: adagrad_64, adam: adam_64,
}
