package kernel

import (
	"math/rand/v2"
	"testing"
)

func TestCellsStayInTheirOperands(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testCellsStay(t, front, cellCases[float32]())
		testCellsStay(t, front, cellCases[float64]())
	})
}

func testCellsStay[T Float](t *testing.T, front bool, cases []cellCase[T]) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for n := 0; n < 70; n += 1 + n/20 {
				var x [][]T
				for _, size := range c.operands(2, n) {
					x = append(x, guarded(t, random[T](r, size), front))
				}
				c.run(cells[T](), 2, n, n, x)
			}
		})
	}
}

func TestRecurrentStaysInItsOperands(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testRecurrentStays[float32](t, front)
		testRecurrentStays[float64](t, front)
	})
}

// testRecurrentStays runs LSTM and its gradient on operands and packed weights between pages that nobody may touch.
func testRecurrentStays[T Float](t *testing.T, front bool) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{1, 3, 8, 13, 16, 17, 31, 64, 70, 100} {
		for _, lengths := range [][]int{{9, 3, 3, 1}, {7}, {2, 2, 2, 2, 2, 2, 2}} {
			t.Run("", func(t *testing.T) {
				l := timeline(n%2 == 0, lengths...)
				rows := l.rows()
				operand := func(size int) []T { return guarded(t, random[T](r, size), front) }
				forward := LSTM[T]{LSTMOperands: LSTMOperands[T]{Gates: operand(rows * 4 * n), W: operand(n * 4 * n), H: operand(rows * n), C: operand(rows * n)}}
				backward := LSTMGrad[T]{LSTMGradOperands: LSTMGradOperands[T]{
					Gates: forward.Gates, W: forward.W, C: forward.C, DH: operand(rows * n), DH0: operand(len(lengths) * n), DC0: operand(len(lengths) * n),
				}}
				for range 2 { // the second time with memory that has grown to what this case needs
					forward.Timeline, backward.Timeline = *l, *l
					forward.Begin(n, 0, nil)
					backward.Begin(n, 0, nil)
					forward.Run(Workers(), 1)
					backward.Run(Workers(), 1)
					for _, w := range []*weight[T]{&forward.weight, &backward.weight} {
						w.own[0].data, w.own[1].data = guarded(t, w.own[0].data, front), guarded(t, w.own[1].data, front)
					}
				}
			})
		}
	}
}
