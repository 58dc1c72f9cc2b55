package gorgop

import (
	"math"
	"testing"

	"gorgonia.org/gorgonia"

	"paddle/op"
	"paddle/op/optest"
)

// sparsemaxRows projects each row on the simplex: max(0, x−τ), with τ such that the row sums to 1, found by bisection.
func sparsemaxRows(in []array) array {
	x := in[0]
	out := optest.NewArray(x.Shape...)
	for r := range x.Shape[0] {
		low, high := -10.0, 10.0
		for range 100 {
			middle, sum := (low+high)/2, 0.0
			for c := range x.Shape[1] {
				sum += math.Max(0, x.At(r, c)-middle)
			}
			if sum > 1 {
				low = middle
			} else {
				high = middle
			}
		}
		for c := range x.Shape[1] {
			out.Set(math.Max(0, x.At(r, c)-low), r, c)
		}
	}
	return out
}

// ctc sums the negative log-likelihoods of targets (batch, 2) over all alignments of log-probabilities (4, batch, 3); label 0 is blank.
func ctc(in []array) array {
	total := 0.0
	for b := range in[0].Shape[1] {
		p := 0.0
		for path := range 81 {
			sum, last, label := 0.0, 0, []int{}
			for t, rest := 0, path; t < 4; t, rest = t+1, rest/3 {
				k := rest % 3
				sum += in[0].At(t, b, k)
				if k != 0 && k != last {
					label = append(label, k)
				}
				last = k
			}
			if len(label) == 2 && label[0] == int(in[1].At(b, 0)) && label[1] == int(in[1].At(b, 1)) {
				p += math.Exp(sum)
			}
		}
		total -= math.Log(p)
	}
	return array{Data: []float64{total}}
}

// groupNormed normalises two groups of two channels each, then scales and shifts every channel.
func groupNormed(in []array) array {
	x := in[0]
	return fill(x.Shape, func(at []int) float64 {
		n, mean, variance := 0.0, 0.0, 0.0
		each := func(f func(v float64)) {
			for c := at[1] / 2 * 2; c < at[1]/2*2+2; c++ {
				for i := range x.Shape[2] {
					for j := range x.Shape[3] {
						f(x.At(at[0], c, i, j))
					}
				}
			}
		}
		each(func(v float64) { n, mean = n+1, mean+v })
		mean /= n
		each(func(v float64) { variance += (v - mean) * (v - mean) / n })
		return (x.At(at...)-mean)/math.Sqrt(variance+1e-5)*in[1].Data[at[1]] + in[2].Data[at[1]]
	})
}

func TestStockOthers(t *testing.T) {
	fixed := func(values ...float64) optest.Input {
		return optest.Input{DType: op.Int64, Shape: []op.Dim{2}, Values: values}
	}
	checkStock(t, []stockCase{
		{name: "sparsemax", f: one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Sparsemax(x) }), want: sparsemaxRows,
			in: inputs(optest.Float(op.Batch, 4)), sizes: []int{3, 1}},
		{name: "size", f: one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.SizeOf(0, x) }), in: inputs(optest.Float(op.Batch, 4)),
			want: func(in []array) array { return array{Data: []float64{float64(in[0].Shape[0])}} }, sizes: []int{3, 1}},
		{name: "ctc", none: true, want: ctc,
			f: func(in gorgonia.Nodes) (*gorgonia.Node, error) {
				return gorgonia.CTCLoss(in[0], in[1], in[2], in[3], gorgonia.ReductionSum)
			},
			in: inputs(optest.Between(-3, -0.5, 4, 2, 3), optest.Input{DType: op.Int64, Shape: []op.Dim{2, 2}, Values: []float64{1, 2, 2, 2}},
				fixed(4, 4), fixed(2, 2))},
		{name: "group norm", want: groupNormed, in: inputs(optest.Float(op.Batch, 4, 3, 3), optest.Float(1, 4, 1, 1), optest.Float(1, 4, 1, 1)), none: true,
			f: func(in gorgonia.Nodes) (*gorgonia.Node, error) {
				return gorgonia.GroupNorm(in[0], in[1], in[2], 2, 4, 1e-5)
			}},
	})
}
