//go:build !purego

package kernel

// The tables of AVX-512: AVX2's, with the functions that there are for wider vectors. Both give the same bits.
var (
	wideVectors32 = wideTable32()
	wideVectors64 = wideTable64()
)

func wideTable32() vectorTable[float32] {
	t := vectors32
	t.near.rsqrt, t.near.exp, t.near.log = rsqrt_32_avx512, exp_32_avx512, log_32_avx512
	t.near.sigmoid, t.near.tanh, t.near.silu = sigmoid_32_avx512, tanh_32_avx512, silu_32_avx512
	t.near.expm1, t.near.log1p, t.near.softplus, t.near.erf = expm1_32_avx512, log1p_32_avx512, softplus_32_avx512, erf_32_avx512
	t.near.gelu, t.near.geluTanh, t.near.elu, t.near.stanh = gelu_32_avx512, geluTanh_32_avx512, elu_32_avx512, stanh_32_avx512
	t.near.rsqrtGrad, t.near.reciprocalGrad, t.near.erfGrad = rsqrtGrad_32_avx512, reciprocalGrad_32_avx512, erfGrad_32_avx512
	t.near.geluGrad, t.near.geluTanhGrad = geluGrad_32_avx512, geluTanhGrad_32_avx512
	t.near.siluGrad, t.near.softplusGrad, t.near.eluGrad = siluGrad_32_avx512, softplusGrad_32_avx512, eluGrad_32_avx512
	t.near.sin, t.near.cos, t.near.sinGrad = sin_32_avx512, cos_32_avx512, sinGrad_32_avx512
	t.near.cube, t.near.cubeGrad, t.near.halfPower, t.near.logisticLoss = cube_32_avx512, cubeGrad_32_avx512, halfPower_32_avx512, logisticLoss_32_avx512
	t.near.logisticSlope = logisticSlope_32_avx512
	t.near.softsign, t.near.softsignGrad, t.near.stanhGrad = softsign_32_avx512, softsignGrad_32_avx512, stanhGrad_32_avx512
	t.near.cosGrad, t.near.powConst, t.near.powConstGrad = cosGrad_32_avx512, powConst_32_avx512, powConstGrad_32_avx512
	t.near.sumExp, t.near.expSum, t.near.scaledExp, t.near.logSoftmaxGrad = sumExp_32_avx512, expSum_32_avx512, scaledExp_32_avx512, logSoftmaxGrad_32_avx512
	t.add, t.sub, t.mul = add_32_avx512, sub_32_avx512, mul_32_avx512
	t.div, t.max, t.min = div_32_avx512, max_32_avx512, min_32_avx512
	t.neg, t.abs, t.sign, t.square, t.sqrt = neg_32_avx512, abs_32_avx512, sign_32_avx512, square_32_avx512, sqrt_32_avx512
	t.reciprocal, t.addConst, t.mulConst = reciprocal_32_avx512, addConst_32_avx512, mulConst_32_avx512
	t.clip, t.floor, t.ceil = clip_32_avx512, floor_32_avx512, ceil_32_avx512
	t.round, t.relu, t.leakyReLU = round_32_avx512, relu_32_avx512, leakyReLU_32_avx512
	t.reluGrad, t.leakyReLUGrad, t.sigmoidGrad = reluGrad_32_avx512, leakyReLUGrad_32_avx512, sigmoidGrad_32_avx512
	t.tanhGrad, t.absGrad = tanhGrad_32_avx512, absGrad_32_avx512
	t.squareGrad, t.sqrtGrad, t.expm1Grad = squareGrad_32_avx512, sqrtGrad_32_avx512, expm1Grad_32_avx512
	t.log1pGrad, t.clipGrad = log1pGrad_32_avx512, clipGrad_32_avx512
	t.greatest, t.least, t.sum, t.sumSquares = greatest_32_avx512, least_32_avx512, sum_32_avx512, sumSquares_32_avx512
	t.sumDeviations, t.dot, t.sumProducts = sumDeviations_32_avx512, dot_32_avx512, sumProducts_32_avx512
	t.sumDeviationsInto, t.sumProductsInto = sumDeviationsInto_32_avx512, sumProductsInto_32_avx512
	t.normalize, t.normalizeColumns, t.normalizeGrad, t.normalizeGradColumns = normalize_32_avx512, normalizeColumns_32_avx512, normalizeGrad_32_avx512, normalizeGradColumns_32_avx512
	t.normalizeRow, t.normalizeRowGrad, t.sumWeighted, t.sumNormalized = normalizeRow_32_avx512, normalizeRowGrad_32_avx512, sumWeighted_32_avx512, sumNormalized_32_avx512
	t.logSoftmax, t.softmaxGrad = logSoftmax_32_avx512, softmaxGrad_32_avx512
	t.words, t.uniform, t.dropout, t.near.boxMuller = words_32_avx512, uniform_32_avx512, dropout_32_avx512, boxMuller_32_avx512
	t.sgd, t.momentum, t.nesterov = sgd_32_avx512, momentum_32_avx512, nesterov_32_avx512
	t.adagrad, t.adam = adagrad_32_avx512, adam_32_avx512
	return t
}

func wideTable64() vectorTable[float64] {
	t := vectors64
	t.add, t.sub, t.mul = add_64_avx512, sub_64_avx512, mul_64_avx512
	t.div, t.max, t.min = div_64_avx512, max_64_avx512, min_64_avx512
	t.neg, t.abs, t.sign, t.square, t.sqrt = neg_64_avx512, abs_64_avx512, sign_64_avx512, square_64_avx512, sqrt_64_avx512
	t.reciprocal, t.addConst, t.mulConst = reciprocal_64_avx512, addConst_64_avx512, mulConst_64_avx512
	t.clip, t.floor, t.ceil = clip_64_avx512, floor_64_avx512, ceil_64_avx512
	t.round, t.relu, t.leakyReLU = round_64_avx512, relu_64_avx512, leakyReLU_64_avx512
	t.reluGrad, t.leakyReLUGrad, t.sigmoidGrad = reluGrad_64_avx512, leakyReLUGrad_64_avx512, sigmoidGrad_64_avx512
	t.tanhGrad, t.absGrad = tanhGrad_64_avx512, absGrad_64_avx512
	t.squareGrad, t.sqrtGrad, t.expm1Grad = squareGrad_64_avx512, sqrtGrad_64_avx512, expm1Grad_64_avx512
	t.log1pGrad, t.clipGrad = log1pGrad_64_avx512, clipGrad_64_avx512
	t.greatest, t.least, t.sum, t.sumSquares = greatest_64_avx512, least_64_avx512, sum_64_avx512, sumSquares_64_avx512
	t.sumDeviations, t.dot, t.sumProducts = sumDeviations_64_avx512, dot_64_avx512, sumProducts_64_avx512
	t.sumDeviationsInto, t.sumProductsInto = sumDeviationsInto_64_avx512, sumProductsInto_64_avx512
	t.normalize, t.normalizeColumns, t.normalizeGrad, t.normalizeGradColumns = normalize_64_avx512, normalizeColumns_64_avx512, normalizeGrad_64_avx512, normalizeGradColumns_64_avx512
	t.normalizeRow, t.normalizeRowGrad, t.sumWeighted, t.sumNormalized = normalizeRow_64_avx512, normalizeRowGrad_64_avx512, sumWeighted_64_avx512, sumNormalized_64_avx512
	t.sgd, t.momentum, t.nesterov = sgd_64_avx512, momentum_64_avx512, nesterov_64_avx512
	t.adagrad, t.adam = adagrad_64_avx512, adam_64_avx512
	return t
}
