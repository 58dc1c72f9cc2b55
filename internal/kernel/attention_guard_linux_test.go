package kernel

import "testing"

func TestTurnStaysInItsSlices(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testTurnStays[uint32](t, front)
		testTurnStays[uint64](t, front)
	})
}

func testTurnStays[T uint32 | uint64](t *testing.T, front bool) {
	eachTurn(func(rows, cols, srcRow, dstRow int, src []T) {
		if (rows+cols)%5 == 0 { // a few of each
			t.Run("", func(t *testing.T) {
				Turn(rows, cols, guarded(t, src, front), srcRow, guarded(t, make([]T, max(0, (cols-1)*dstRow+rows)), front), dstRow)
			})
		}
	})
}

func TestAttentionStaysInItsOperands(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testAttentionStays[float32](t, front)
		testAttentionStays[float64](t, front)
	})
}

func testAttentionStays[T Float](t *testing.T, front bool) {
	eachAttention(func(a *attention[T]) {
		t.Run("", func(t *testing.T) {
			a.in, a.dy = guarded(t, a.in, front), guarded(t, a.dy, front)
			forward := Attention[T]{AttentionShape: a.AttentionShape, In: a.in, Y: guarded(t, a.dy, front)}
			forward.Run(Workers(), 1)
			for _, s := range forward.scratch.areas {
				s.own.scores = guarded(t, full(s.own.scores), front)
			}
			forward.Run(Workers(), 1)
			weights := make([]T, a.Batch*a.Heads*a.Length*a.Length)
			forward.Weights = guarded(t, weights, front)
			forward.Run(Workers(), 1)
			backward := AttentionGrad[T]{AttentionShape: a.AttentionShape, In: a.in, Weights: forward.Weights, DY: a.dy}
			backward.DIn, backward.DScores = guarded(t, a.in, front), guarded(t, weights, front)
			backward.Run(Workers(), 1)
		})
	})
}
