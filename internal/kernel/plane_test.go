package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// planeCase is a random block of rows in larger ones.
type planeCase struct{ rows, cols, srcRow, dstRow int }

func randomPlane(r *rand.Rand) planeCase {
	p := planeCase{rows: r.IntN(12), cols: r.IntN(41)}
	p.srcRow, p.dstRow = 2*p.cols+r.IntN(5), 2*p.cols+r.IntN(3)
	return p
}

// The functions that move rows give every element its place, and touch no others.
func TestRowsMove(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		testRowsMove[float32](t)
		testRowsMove[float64](t)
	})
}

func testRowsMove[T Float](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 300 {
		p := randomPlane(r)
		a, b := random[T](r, p.rows*p.srcRow), random[T](r, p.rows*p.srcRow)
		start := random[T](r, p.rows*p.dstRow)
		same := func(name string, move func(dst []T), from func(i, j int) (T, bool)) {
			got, want := slices.Clone(start), slices.Clone(start)
			move(got)
			for i := range p.rows {
				for j := range p.dstRow {
					if v, ok := from(i, j); ok {
						want[i*p.dstRow+j] = v
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%T: %s of %+v is %v, want %v", T(0), name, p, got, want)
			}
		}
		same("copyRows", func(dst []T) { copyRows(p.rows, p.cols, a, p.srcRow, dst, p.dstRow) }, func(i, j int) (v T, ok bool) {
			if j < p.cols {
				return a[i*p.srcRow+j], true
			}
			return v, false
		})
		same("evenRows", func(dst []T) { evenRows(p.rows, p.cols, a, p.srcRow, dst, p.dstRow) }, func(i, j int) (v T, ok bool) {
			if j < p.cols {
				return a[i*p.srcRow+2*j], true
			}
			return v, false
		})
		same("zipRows", func(dst []T) { zipRows(p.rows, p.cols, a, b, p.srcRow, dst, p.dstRow) }, func(i, j int) (v T, ok bool) {
			if j < 2*p.cols {
				return [][]T{a, b}[j%2][i*p.srcRow+j/2], true
			}
			return v, false
		})
	}
}

// The sums of taps are those of float64, but for rounding.
func TestTaps(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		testTaps[float32](t)
		testTaps[float64](t)
	})
}

func testTaps[T Float](t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	for range 300 {
		p := randomPlane(r)
		places := make([]int32, dotPlaces*r.IntN(5))
		for i := range places {
			places[i] = int32(r.IntN(50))
		}
		src, w, bias := random[T](r, p.rows*p.srcRow+50), random[T](r, len(places)), T(r.Float64())
		dst, dy := slices.Repeat([]T{T(math.NaN())}, p.rows*p.dstRow), random[T](r, p.rows*p.dstRow)
		got, want := make([]float64, len(places)), newSums(len(places))
		tapSums(p.rows, p.cols, src, p.srcRow, places, w, bias, dst, p.dstRow)
		if p.rows*p.cols > 0 && len(places) > 0 {
			tapDots(p.rows, p.cols, dy, p.dstRow, src, p.srcRow, places, got)
		}
		tapped := newSums(len(dst))
		for i := range p.rows {
			for j := range p.dstRow {
				if j >= p.cols {
					if v := dst[i*p.dstRow+j]; v == v {
						t.Fatalf("%T %+v: tapSums wrote %v to column %d", T(0), p, v, j)
					}
					dst[i*p.dstRow+j] = 0
					continue
				}
				tapped.add(i*p.dstRow+j, float64(bias))
				for k, at := range places {
					x := float64(src[int(at)+i*p.srcRow+j])
					tapped.add(i*p.dstRow+j, float64(w[k])*x)
					want.add(k, float64(dy[i*p.dstRow+j])*x)
				}
			}
		}
		checkSums(t, &convolution[T]{}, "tapSums", dst, tapped)
		dots := make([]T, len(got))
		Convert(got, dots)
		checkSums(t, &convolution[T]{}, "tapDots", dots, want)
	}
}
