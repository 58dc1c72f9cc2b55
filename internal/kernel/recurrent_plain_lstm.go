package kernel

// plainLSTM is cellTable.lstm.
func plainLSTM[T Float](rows, n int, gates, before []T, beforeRow int, c, h []T) {
	plainLSTMPeephole(rows, n, gates, nil, nil, nil, before, beforeRow, c, h)
}

// plainLSTMPeephole is cellTable.lstmPeephole, and lstm if the peepholes are nil.
func plainLSTMPeephole[T Float](rows, n int, gates, peepI, peepF, peepO, before []T, beforeRow int, c, h []T) {
	for r := range rows {
		i, f, g, o := fourGates(gates[r*4*n:], n)
		before, c, h := before[r*beforeRow:][:n], c[r*n:][:n], h[r*n:][:n]
		addProducts(peepI, before, i)
		addProducts(peepF, before, f)
		Sigmoid(i, i, 0, 0)
		Sigmoid(f, f, 0, 0)
		Tanh(g, g, 0, 0)
		for j := range c {
			c[j] = T(f[j]*before[j]) + T(i[j]*g[j])
		}
		addProducts(peepO, c, o)
		Sigmoid(o, o, 0, 0)
		Tanh(c, h, 0, 0)
		Mul(o, h, h)
	}
}

// plainLSTMGrad is cellTable.lstmGrad.
func plainLSTMGrad[T Float](rows, n int, gates, before []T, beforeRow int, c, dy []T, dyRow int, dh, dc []T) {
	plainLSTMPeepholeGrad(rows, n, gates, nil, nil, nil, before, beforeRow, c, dy, dyRow, dh, dc)
}

// plainLSTMPeepholeGrad is cellTable.lstmPeepholeGrad, and lstmGrad if the peepholes are nil.
func plainLSTMPeepholeGrad[T Float](rows, n int, gates, peepI, peepF, peepO, before []T, beforeRow int, c, dy []T, dyRow int, dh, dc []T) {
	for r := range rows {
		i, f, g, o := fourGates(gates[r*4*n:], n)
		before, c, dy, dh, dc := before[r*beforeRow:][:n], c[r*n:][:n], dy[r*dyRow:][:n], dh[r*n:][:n], dc[r*n:][:n]
		for j, v := range o {
			t, d := T(tanh[T](float64(c[j]))), dh[j]+dy[j]
			dc[j] += T(T(d*v) * tanhSlope(t))
			o[j] = T(d*t) * sigmoidSlope(v)
		}
		addProducts(peepO, o, dc)
		for j, d := range dc {
			in, forget, value := i[j], f[j], g[j]
			i[j] = T(d*value) * sigmoidSlope(in)
			f[j] = T(d*before[j]) * sigmoidSlope(forget)
			g[j] = T(d*in) * tanhSlope(value)
			dc[j] = d * forget
		}
		addProducts(peepI, i, dc)
		addProducts(peepF, f, dc)
	}
}

// fourGates returns the gates of a row.
func fourGates[T Float](gates []T, n int) (i, f, g, o []T) {
	return gates[:n], gates[n : 2*n], gates[2*n : 3*n], gates[3*n : 4*n]
}

// sigmoidSlope is the derivative of the logistic function where that is y, and tanhSlope that of tanh.
func sigmoidSlope[T Float](y T) T { return y * (1 - y) }
func tanhSlope[T Float](y T) T    { return (1 - y) * (1 + y) }
