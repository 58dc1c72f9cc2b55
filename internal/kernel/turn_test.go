package kernel

import (
	"math/rand/v2"
	"testing"
)

// eachTurn calls f with sizes of all remainders and distances of rows that are greater, and with elements counted up from 1.
func eachTurn[T uint8 | uint32 | uint64](f func(rows, cols, srcRow, dstRow int, src []T)) {
	r := rand.New(rand.NewPCG(1, 2))
	for rows := range 37 {
		for cols := range 19 {
			srcRow, dstRow := cols+r.IntN(3), rows+r.IntN(3)
			src := make([]T, max(0, (rows-1)*srcRow+cols)+1)[1:]
			for i := range src {
				src[i] = T(i + 1)
			}
			f(rows, cols, srcRow, dstRow, src)
		}
	}
}

func TestTurn(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		testTurn[uint8](t)
		testTurn[uint32](t)
		testTurn[uint64](t)
	})
}

func testTurn[T uint8 | uint32 | uint64](t *testing.T) {
	eachTurn(func(rows, cols, srcRow, dstRow int, src []T) {
		dst := make([]T, max(0, (cols-1)*dstRow+rows)+1)[1:]
		Turn(rows, cols, src, srcRow, dst, dstRow)
		for i, v := range dst {
			want := T(0)
			if c, r := i/dstRow, i%dstRow; r < rows {
				want = src[r*srcRow+c]
			}
			if v != want {
				t.Fatalf("%d×%d elements of %T, rows %d and %d apart: element %d is %d, want %d", rows, cols, v, srcRow, dstRow, i, v, want)
			}
		}
	})
}
