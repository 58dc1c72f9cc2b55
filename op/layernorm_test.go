package op_test

import (
	"math"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

const layerNormEpsilon = 1e-3

// layerNormalized is the definition.
func layerNormalized(in []optest.Array) []optest.Array {
	x, weight, bias := in[0], in[1], in[2]
	y := optest.NewArray(x.Shape...)
	width := weight.Shape[0]
	for at := 0; at < len(x.Data); at += width {
		row := x.Data[at : at+width]
		mean, variance := 0.0, 0.0
		for _, v := range row {
			mean += v / float64(width)
		}
		for _, v := range row {
			variance += (v - mean) * (v - mean) / float64(width)
		}
		for i, v := range row {
			y.Data[at+i] = (v-mean)/math.Sqrt(variance+layerNormEpsilon)*weight.Data[i] + bias.Data[i]
		}
	}
	return []optest.Array{y}
}

// TestLayerNorm holds the op to its definition and its gradients to differences, for rows in several axes.
func TestLayerNorm(t *testing.T) {
	for name, shape := range map[string][]op.Dim{"rows": {op.Batch, 5}, "three axes": {op.Batch, 3, 4}, "width 1": {op.Batch, 1}, "one row": {7}} {
		width := shape[len(shape)-1]
		optest.Check(t, optest.Case{
			Name: name, In: []optest.Input{optest.Float(shape...), optest.Float(width), optest.Float(width)},
			Build: func(in ...*op.Node) []*op.Node {
				return []*op.Node{op.LayerNorm(in[0], in[1], in[2], layerNormEpsilon)}
			},
			Reference: layerNormalized,
		})
	}
}

// TestLayerNormMisuse checks the errors of what cannot be normalised.
func TestLayerNormMisuse(t *testing.T) {
	plain := func(epsilon float64) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node {
			g := x.Graph()
			return op.LayerNorm(x, g.Full(op.Float32, 1), g.Full(op.Float32, 0), epsilon)
		})
	}
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		{In: []optest.Input{optest.Float(3, 4)}, Build: plain(-1), Want: `op.LayerNorm: epsilon -1, want 0 or more`},
		{In: []optest.Input{optest.Int(3, 2)}, Build: plain(0), Want: `op.LayerNorm: input "x0" has type int32, want a floating-point type`},
		{In: []optest.Input{optest.Float()}, Build: plain(0), Want: `op.LayerNorm: input "x0" has shape (), want (…, width) with a width of 1 or more`},
		{In: []optest.Input{optest.Float(3, 4)}, Build: plain(0), Want: `op.LayerNorm: input 1 (full) has shape (), want (4,), the width of "x0"`},
		{In: []optest.Input{optest.Float(op.Batch, 0)}, Build: plain(0), Want: `op.LayerNorm: input "x0" has shape (batch, 0), want (…, width) with a width of 1 or more`},
	}})
}
