package op_test

import (
	"math"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// attended is the definition of SelfAttention.
func attended(heads int) func(in []optest.Array) []optest.Array {
	return func(in []optest.Array) []optest.Array {
		x := in[0]
		batch, length, width := x.Shape[0], x.Shape[1], x.Shape[2]/3
		y, d := optest.NewArray(batch, length, width), width/heads
		at := func(n, i, part, h, j int) float64 { return x.Data[((n*length+i)*3+part)*width+h*d+j] }
		for n := range batch {
			for h := range heads {
				for i := range length {
					weights, total := make([]float64, length), 0.0
					for k := range length {
						score := 0.0
						for j := range d {
							score += at(n, i, 0, h, j) * at(n, k, 1, h, j)
						}
						weights[k] = math.Exp(score / math.Sqrt(float64(d)))
						total += weights[k]
					}
					for k := range length {
						for j := range d {
							y.Data[(n*length+i)*width+h*d+j] += weights[k] / total * at(n, k, 2, h, j)
						}
					}
				}
			}
		}
		return []optest.Array{y}
	}
}

func TestSelfAttention(t *testing.T) {
	attention := func(heads int) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return op.SelfAttention(x, heads) })
	}
	for name, c := range map[string]struct {
		shape []op.Dim
		heads int
	}{
		"one head": {[]op.Dim{op.Batch, 4, 9}, 1}, "two heads": {[]op.Dim{op.Batch, 3, 12}, 2}, "any length": {[]op.Dim{2, op.Batch, 6}, 2},
		"one position": {[]op.Dim{op.Batch, 1, 6}, 1},
	} {
		optest.Check(t, optest.Case{Name: name, In: []optest.Input{optest.Float(c.shape...)}, Build: attention(c.heads), Reference: attended(c.heads)})
	}
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		{In: []optest.Input{optest.Float(op.Batch, 3, 6)}, Build: attention(0), Want: `op.SelfAttention: 0 heads, want 1 or more`},
		{In: []optest.Input{optest.Float(op.Batch, 3, 6)}, Build: attention(4), Want: `op.SelfAttention: input "x0" has shape (batch, 3, 6), want (batch, length, 3·width) with a known width that 4 heads divide`},
		{In: []optest.Input{optest.Float(op.Batch, 6)}, Build: attention(1), Want: `op.SelfAttention: input "x0" has shape (batch, 6), want (batch, length, 3·width) with a known width that 1 heads divide`},
		{In: []optest.Input{optest.Int(5, op.Batch, 3, 6)}, Build: attention(1), Want: `op.SelfAttention: input "x0" has type int32, want a floating-point type`},
	}})
}

func TestSelfAttentionGradientTwice(t *testing.T) {
	optest.Check(t, optest.Case{
		In:    []optest.Input{optest.Float(op.Batch, 3, 12), {Name: "dy", Shape: []op.Dim{op.Batch, 3, 4}, Optional: true}},
		Build: slopeOf(func(in ...*op.Node) *op.Node { return op.SelfAttention(in[0], 2) }, 0),
	})
}
