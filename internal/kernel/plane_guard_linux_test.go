package kernel

import (
	"math/rand/v2"
	"testing"
)

func TestRowsStayInTheirOperands(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testRowsStay[float32](t, front)
		testRowsStay[float64](t, front)
	})
}

func testRowsStay[T Float](t *testing.T, front bool) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 40 {
		rows, cols := 1+r.IntN(7), 1+r.IntN(40)
		row := 2*cols + r.IntN(3)
		t.Run("", func(t *testing.T) {
			memory := func(cols int) []T { return guarded(t, random[T](r, (rows-1)*row+cols), front) }
			single, twice := memory(cols), memory(2*cols)
			copyRows(rows, cols, memory(cols), row, single, row)
			evenRows(rows, cols, memory(2*cols-1), row, single, row)
			zipRows(rows, cols, memory(cols), memory(cols), row, twice, row)
			places := guarded(t, []int32{0, 3, 1, 2, 5, 4}, front)
			src, w, sums := memory(cols+5), guarded(t, random[T](r, len(places)), front), guarded(t, make([]float64, len(places)), front)
			tapSums(rows, cols, src, row, places, w, 1, single, row)
			tapDots(rows, cols, single, row, src, row, places, sums)
		})
	}
}
