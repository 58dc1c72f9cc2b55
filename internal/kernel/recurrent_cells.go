package kernel

// cellTable holds the steps of recurrent cells for rows sequences at a time, of n elements each, rows ≥ 1. Matrices are contiguous but
// for those whose name has a Row beside it, which is n, or 0 for one row that all share. Gates (rows, k·n) has k matrices side by side.
// An element is the same bits in whatever row and column it stands.
type cellTable[T Float] struct {
	// lstm: gates are the arguments of i, f, g and o, and become their values; see op.LSTMArgs. before is the cell before.
	lstm         func(rows, n int, gates, before []T, beforeRow int, c, h []T)
	lstmPeephole func(rows, n int, gates, peepI, peepF, peepO, before []T, beforeRow int, c, h []T)
	// lstmGrad: the gates become their gradients. The gradient of h is dh + dy. dc, the gradient of c, becomes that of before.
	lstmGrad         func(rows, n int, gates, before []T, beforeRow int, c, dy []T, dyRow int, dh, dc []T)
	lstmPeepholeGrad func(rows, n int, gates, peepI, peepF, peepO, before []T, beforeRow int, c, dy []T, dyRow int, dh, dc []T)

	// gru: gates are the arguments of r and z, and that of n without r⊙inner, and become their values; see op.GRUArgs with ResetAfter.
	gru func(rows, n int, gates, inner, before []T, beforeRow int, h []T)
	// gruGrad: the gates become their gradients, and dInner (rows, 3·n) that of m·W. dh + dy is the gradient of h; dh becomes the part of
	// that of before which does not come through W.
	gruGrad func(rows, n int, gates, dInner, inner, before []T, beforeRow int, dy []T, dyRow int, dh []T)

	// gruReset computes r, z and inner = r⊙state where the reset comes before the product, and gruUpdate then n and h.
	gruReset  func(rows, n int, gates, state []T, stateRow int, inner []T)
	gruUpdate func(rows, n int, gates, before []T, beforeRow int, h []T)
	// gruUpdateGrad computes the gradients of z and n, and dh as gruGrad; gruResetGrad then that of r, from that of inner, which becomes
	// that of state.
	gruUpdateGrad func(rows, n int, gates, before []T, beforeRow int, dy []T, dyRow int, dh []T)
	gruResetGrad  func(rows, n int, gates, state []T, stateRow int, inner []T)
}

var (
	plainCells32 = plainCells[float32]()
	plainCells64 = plainCells[float64]()
)

// plainCells returns the cells in plain Go.
func plainCells[T Float]() *cellTable[T] {
	return &cellTable[T]{
		lstm: plainLSTM[T], lstmPeephole: plainLSTMPeephole[T], lstmGrad: plainLSTMGrad[T], lstmPeepholeGrad: plainLSTMPeepholeGrad[T],
		gru: plainGRU[T], gruGrad: plainGRUGrad[T],
		gruReset: plainGRUReset[T], gruUpdate: plainGRUUpdate[T], gruUpdateGrad: plainGRUUpdateGrad[T], gruResetGrad: plainGRUResetGrad[T],
	}
}

// cells returns the table for T on this CPU.
func cells[T Float]() *cellTable[T] {
	var t any
	if single[T]() {
		t = cells32()
	} else {
		t = plainCells64
	}
	return t.(*cellTable[T])
}

// addProducts computes y += a·b.
func addProducts[T Float](a, b, y []T) {
	for j, v := range a {
		y[j] += T(v * b[j])
	}
}
