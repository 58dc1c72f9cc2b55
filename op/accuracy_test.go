package op_test

import (
	"math"
	"slices"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// hits is the definition of the k-best accuracy: classes sorted by score, equal ones by number.
func hits(k int) func(in []optest.Array) []optest.Array {
	return func(in []optest.Array) []optest.Array {
		scores, right, count := in[0], 0.0, 0.0
		n := scores.Shape[len(scores.Shape)-1]
		for i, l := range in[1].Data {
			if l == op.IgnoreLabel {
				continue
			}
			count++
			order := make([]int, n)
			for j := range order {
				order[j] = j
			}
			row := scores.Data[i*n : i*n+n]
			slices.SortStableFunc(order, func(a, b int) int { return int(math.Copysign(1, row[b]-row[a])) * btoi(row[a] != row[b]) })
			if slices.Contains(order[:k], int(l)) {
				right++
			}
		}
		return []optest.Array{scalarOf(right / math.Max(count, 1)), scalarOf(count)}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestAccuracy(t *testing.T) {
	some := []float64{2, 0, op.IgnoreLabel, 4, 1, op.IgnoreLabel, 3}
	for _, in := range [][]optest.Input{
		{optest.Float(op.Batch, 5), labels(some, op.Batch)},
		{optest.Float(op.Batch, 2, 5), labels(some, op.Batch, 2)},
		{optest.Given([]float64{1, 1, 1, 0, 2}, op.Batch, 5), labels([]float64{0, 1, 2, 3, 4}, op.Batch)},
	} {
		in[0].NoGradient = true
		optest.Check(t, optest.Case{
			Name: "best", In: in, Build: lossAndCount(op.Accuracy), Reference: hits(1), Batches: []int{5, 9},
		})
		for _, k := range []int{1, 2, 5} {
			optest.Check(t, optest.Case{
				Name: "of several", In: in, Reference: hits(k), Batches: []int{5, 9},
				Build: lossAndCount(func(x, l *op.Node) *op.Node { return op.TopKAccuracy(x, l, k) }),
			})
		}
	}
}

func TestAccuracyOfNothing(t *testing.T) {
	optest.Check(t, optest.Case{
		In:    []optest.Input{optest.Float(op.Batch, 3), labels([]float64{-100, -100}, op.Batch)},
		Build: lossAndCount(op.Accuracy), Want: [][]float64{{0}, {0}},
	})
}

// A model that has gone to NaN is never right.
func TestAccuracyOfNaN(t *testing.T) {
	nan := math.NaN()
	optest.Check(t, optest.Case{
		In:    []optest.Input{optest.Given([]float64{nan, nan, nan, 1, nan, 0, 1, 2, 3}, op.Batch, 3), labels([]float64{0, 1, 2}, op.Batch)},
		Build: lossAndCount(op.Accuracy), Want: [][]float64{{1. / 3}, {3}},
	})
}

func TestTopKAccuracyOfNaN(t *testing.T) {
	nan := math.NaN()
	optest.Check(t, optest.Case{
		In:    []optest.Input{optest.Given([]float64{nan, nan, nan, 1, nan, 0}, op.Batch, 3), labels([]float64{0, 0}, op.Batch)},
		Build: lossAndCount(func(x, l *op.Node) *op.Node { return op.TopKAccuracy(x, l, 2) }),
		Want:  [][]float64{{0.5}, {2}},
	})
}

func TestTopKAccuracyMisuse(t *testing.T) {
	for k, want := range map[int]string{
		0: "op.TopKAccuracy: the first 0 of 3 classes, want from 1 to all of a known number",
		4: "op.TopKAccuracy: the first 4 of 3 classes, want from 1 to all of a known number",
	} {
		optest.Check(t, optest.Case{Misuse: []optest.Misuse{{
			In:    []optest.Input{optest.Float(op.Batch, 3), optest.Int(3, op.Batch)},
			Build: optest.Binary(func(x, l *op.Node) *op.Node { return op.TopKAccuracy(x, l, k) }), Want: want,
		}}})
	}
}

func TestOneHot(t *testing.T) {
	optest.Check(t, optest.Case{
		In:    []optest.Input{labels([]float64{2, 0, -100, 3, 7, 1}, op.Batch, 2)},
		Build: optest.Unary(func(ids *op.Node) *op.Node { return op.OneHot(ids, 4, op.Float32) }),
		Want: [][]float64{{
			0, 0, 1, 0 /**/, 1, 0, 0, 0,
			0, 0, 0, 0 /**/, 0, 0, 0, 1,
			0, 0, 0, 0 /**/, 0, 1, 0, 0,
		}},
		Misuse: []optest.Misuse{
			{
				In: []optest.Input{optest.Float(3)}, Want: `op.OneHot: input "x0" has type float32, want int32 or int64`,
				Build: optest.Unary(func(ids *op.Node) *op.Node { return op.OneHot(ids, 4, op.Float32) }),
			},
			{
				In: []optest.Input{optest.Int(3, 3)}, Want: `op.OneHot: 0 classes, want 1 or more`,
				Build: optest.Unary(func(ids *op.Node) *op.Node { return op.OneHot(ids, 0, op.Float32) }),
			},
		},
	})
}
