//go:build !purego

package kernel

var vectors32 = vectorTable[float32]{
	add: add_32, sub: sub_32, mul: mul_32, div: div_32, max: max_32, min: min_32,
	sgd: sgd_32, momentum: momentum_32, nesterov: nesterov_32, adagrad: adagrad_32, adam: adam_32,
}

var vectors64 = vectorTable[float64]{
	add: add_64, sub: sub_64, mul: mul_64, div: div_64, max: max_64, min: min_64,
	sgd: sgd_64, momentum: momentum_64, nesterov: nesterov_64, adagrad: adagrad_64, adam: adam_64,
}
