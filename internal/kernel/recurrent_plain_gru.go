package kernel

// plainGRU is cellTable.gru.
func plainGRU[T Float](rows, n int, gates, inner, before []T, beforeRow int, h []T) {
	for k := range rows {
		r, z, c := threeGates(gates[k*3*n:], n)
		Sigmoid(r, r, 0, 0)
		Sigmoid(z, z, 0, 0)
		addProducts(r, inner[k*n:], c)
	}
	plainGRUUpdate(rows, n, gates, before, beforeRow, h)
}

// plainGRUReset is cellTable.gruReset.
func plainGRUReset[T Float](rows, n int, gates, state []T, stateRow int, inner []T) {
	for k := range rows {
		r, z, _ := threeGates(gates[k*3*n:], n)
		Sigmoid(r, r, 0, 0)
		Sigmoid(z, z, 0, 0)
		Mul(r, state[k*stateRow:][:n], inner[k*n:][:n])
	}
}

// plainGRUUpdate is cellTable.gruUpdate.
func plainGRUUpdate[T Float](rows, n int, gates, before []T, beforeRow int, h []T) {
	for k := range rows {
		_, z, c := threeGates(gates[k*3*n:], n)
		before, h := before[k*beforeRow:][:n], h[k*n:][:n]
		Tanh(c, c, 0, 0)
		for j, v := range c {
			h[j] = v + T(z[j]*(before[j]-v))
		}
	}
}

// plainGRUGrad is cellTable.gruGrad.
func plainGRUGrad[T Float](rows, n int, gates, dInner, inner, before []T, beforeRow int, dy []T, dyRow int, dh []T) {
	plainGRUUpdateGrad(rows, n, gates, before, beforeRow, dy, dyRow, dh)
	for k := range rows {
		r, z, c := threeGates(gates[k*3*n:], n)
		dr, dz, dc := threeGates(dInner[k*3*n:], n)
		inner := inner[k*n:][:n]
		for j, v := range r {
			dc[j] = c[j] * v
			r[j] = T(c[j]*inner[j]) * sigmoidSlope(v)
		}
		copy(dr, r)
		copy(dz, z)
	}
}

// plainGRUUpdateGrad is cellTable.gruUpdateGrad.
func plainGRUUpdateGrad[T Float](rows, n int, gates, before []T, beforeRow int, dy []T, dyRow int, dh []T) {
	for k := range rows {
		_, z, c := threeGates(gates[k*3*n:], n)
		before, dy, dh := before[k*beforeRow:][:n], dy[k*dyRow:][:n], dh[k*n:][:n]
		for j, u := range z {
			d, v := dh[j]+dy[j], c[j]
			z[j] = T(d*(before[j]-v)) * sigmoidSlope(u)
			c[j] = T(d*(1-u)) * tanhSlope(v)
			dh[j] = d * u
		}
	}
}

// plainGRUResetGrad is cellTable.gruResetGrad.
func plainGRUResetGrad[T Float](rows, n int, gates, state []T, stateRow int, inner []T) {
	for k := range rows {
		r, state, inner := gates[k*3*n:][:n], state[k*stateRow:][:n], inner[k*n:][:n]
		for j, d := range inner {
			v := r[j]
			r[j] = T(d*state[j]) * sigmoidSlope(v)
			inner[j] = d * v
		}
	}
}

// threeGates returns the gates of a row.
func threeGates[T Float](gates []T, n int) (r, z, c []T) {
	return gates[:n], gates[n : 2*n], gates[2*n : 3*n]
}
