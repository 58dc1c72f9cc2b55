package layer

import (
	"math"

	"paddle/op"
	"paddle/sequence"
)

// packedProduct returns x·W + b in time-major order, W (in, columns) and b (columns). The rows are brought into this order before the product
// where they are narrower than its result, else after it.
func packedProduct(x *sequence.Node, weight, bias *op.Node) *sequence.Node {
	affine := func(rows *op.Node) *op.Node {
		y := op.MatMul(rows, weight)
		if bias != nil {
			y = op.Add(y, bias)
		}
		return y
	}
	if x.Dim(-1) > weight.Dim(-1) {
		y := x.Map(affine)
		p := y.Pack()
		return p.Of(p.Rows)
	}
	p := x.Pack()
	return p.Of(affine(p.Rows))
}

// stateMask returns the mask of variational dropout (Gal and Ghahramani, 2016): one row a sequence, of width elements that are 0 with
// probability p, else 1/(1−p); nil if p is 0.
func stateMask(x *sequence.Node, p float64, width int) *op.Node {
	if p == 0 {
		return nil
	}
	return op.Dropout(x.Graph().Full(x.DType(), 1, x.Len(), op.Dim(width)), p)
}

// checkFraction reports a fraction to drop that is none.
func checkFraction(s *op.Scope, name string, p float64) {
	if !(p >= 0 && p <= 1) {
		s.Fail("%s %v, want a fraction from 0 to 1", name, p)
	}
}

// checkRecurrent reports options, a state or an input of a layer with one state that make no sense, and returns the width of x.
func checkRecurrent(s *op.Scope, x *sequence.Node, size int, dropout float64, init *op.Node, weight *op.Parameter) (in int) {
	if size < 1 {
		s.Fail("size %d, want 1 or more", size)
		return 0
	}
	checkFraction(s, "recurrent dropout", dropout)
	checkState(s, x, init, size)
	if s.Failed() == nil {
		in, _ = tokenWidth(s, x, weight)
	}
	return in
}

// xavier is op.InitXavier for a parameter that is not one matrix (in, out), but several side by side, such as those of gates: each gets the
// bound that it would have alone.
type xavier struct{ in, out int }

// Fill implements op.Init.
func (x xavier) Fill(b op.Backend, key op.Key, y op.Buffer, offset int, global []int) {
	bound := math.Sqrt(6 / math.Max(1, float64(x.in+x.out)))
	op.InitUniform{Low: -bound, High: bound}.Fill(b, key, y, offset, global)
}

// forgetBias is 1 for the forget gate, the second of four, and 0 for the others.
type forgetBias struct{}

// Fill implements op.Init.
func (forgetBias) Fill(b op.Backend, _ op.Key, y op.Buffer, offset int, global []int) {
	b.Fill(y, 0)
	size := global[0] / 4
	lo, hi := max(size-offset, 0), min(2*size-offset, y.Shape[0])
	if lo < hi {
		b.Fill(y.Rows(lo, hi, make([]int, 1)), 1)
	}
}
