package sequence_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"paddle"
	"paddle/op"
	"paddle/sequence"
)

// TestKMax compares with a sort of all scores, for few and many, equal ones, infinities and NaN, in both orders and types.
func TestKMax(t *testing.T) {
	testKMax[float32](t, op.Float32)
	testKMax[float64](t, op.Float64)
}

func testKMax[T float32 | float64](t *testing.T, d op.DType) {
	values := []T{0, 1, 1, -1, 2, T(math.Inf(-1)), T(math.Inf(1)), T(math.NaN())}
	r := rand.New(rand.NewPCG(7, 8))
	for _, k := range []int{1, 2, 5} {
		g := op.NewGraph(nil)
		x := sequence.Input(g, "x", d)
		p := x.Pack()
		a, b := sequence.KMax(x, k), sequence.KMax(p.Of(op.Reshape(p.Rows, op.Auto, 1)), k)
		program, err := paddle.NewPredictor(a.Rows(), a.Lengths(), b.Rows(), b.Lengths())
		if err != nil {
			t.Fatal(err)
		}
		for _, lengths := range someLengths() {
			var scores [][]T
			var best, counts []int32
			for _, n := range lengths {
				s, order := make([]T, n), make([]int32, n)
				for i := range s {
					s[i], order[i] = values[r.IntN(len(values))], int32(i)
				}
				slices.SortStableFunc(order, func(i, j int32) int { return -cmp.Compare(rank(s[i]), rank(s[j])) })
				best = append(best, order[:min(k, n)]...)
				counts = append(counts, int32(min(k, n)))
				scores = append(scores, s)
			}
			out, err := program.Predict(context.Background(), batch(t, scores).Feeds("x"))
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range [][]int32{best, counts, best, counts} {
				if got := data[int32](t, out[i]); !slices.Equal(got, want) {
					t.Fatalf("the %d greatest of %v: output %d is %v, want %v", k, scores, i, got, want)
				}
			}
		}
	}
}

// rank orders scores, NaN above all.
func rank[T float32 | float64](x T) float64 {
	switch {
	case x != x:
		return 3
	case math.IsInf(float64(x), 0):
		return 2 * float64(cmp.Compare(x, 0))
	}
	return float64(x) / 4
}
