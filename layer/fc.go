package layer

import "paddle/op"

// FC is the fully connected layer y = act(x·W + b). x is (batch, in) or has more axes, of which the last is used; the result has Size in
// its place.
type FC struct {
	Size   int               // of the result; 0 is that of a Weight which has its shape already
	Act    op.ActivationFunc // nil for none
	NoBias bool              // leaves out b

	// Transposed stores W as (Size, in), as the table of an Embedding is: set Weight to that of the Embedding to tie the two
	// (Press and Wolf, 2017).
	Transposed bool

	Weight *op.Parameter // W (in, Size), by default Xavier uniform
	Bias   *op.Parameter // b (Size), by default 0

	_ noCopy
}

// Forward builds the layer on x.
func (l *FC) Forward(x *op.Node) *op.Node {
	s := op.Enter(l, x)
	defer s.Leave()
	if s.Failed() != nil {
		return s.Failed()
	}
	in, size, ok := l.sizes(s, x)
	if !ok {
		return s.Failed()
	}
	var y *op.Node
	if l.Transposed {
		y = op.MatMulT(x, s.Parameter("Weight", l.Weight, x.DType(), op.InitXavier{}, size, in))
	} else {
		y = op.MatMul(x, s.Parameter("Weight", l.Weight, x.DType(), op.InitXavier{}, in, size))
	}
	if !l.NoBias {
		y = op.Add(y, s.Parameter("Bias", l.Bias, x.DType(), op.InitConstant(0), size))
	}
	return activate(l.Act, y)
}

// sizes returns how wide x and the result are, or reports what is wrong.
func (l *FC) sizes(s *op.Scope, x *op.Node) (in, size int, ok bool) {
	in, size = int(x.Dim(-1)), l.Size
	wantIn := -1
	if shape := shapeOf(l.Weight); len(shape) == 2 {
		has := [2]int{shape[0], shape[1]}
		if l.Transposed {
			has[0], has[1] = has[1], has[0]
		}
		wantIn = has[0]
		if size == 0 {
			size = has[1]
		}
	}
	switch {
	case size < 1:
		s.Fail("size %d, want 1 or more", size)
	case x.Rank() < 2 && wantIn >= 0:
		s.Wrong(x, "(batch, %d)", wantIn)
	case x.Rank() < 2:
		s.Wrong(x, "(batch, in)")
	case wantIn >= 0 && in != wantIn:
		s.Wrong(x, "%s", rowsOf(x, wantIn))
	case in < 0:
		s.Wrong(x, "a last axis of known size")
	default:
		return in, size, true
	}
	return 0, 0, false
}

// shapeOf returns the shape of a parameter, nil while it has none.
func shapeOf(p *op.Parameter) []int {
	if p == nil || !p.Defined() {
		return nil
	}
	return p.Shape()
}

// rowsOf writes the shape of rows of the given width; in a matrix the first axis is the batch.
func rowsOf(x *op.Node, width int) string {
	g := x.Graph()
	if x.Rank() == 2 {
		return "(batch, " + g.DimString(op.Dim(width)) + ")"
	}
	text := "("
	for i := range x.Rank() - 1 {
		text += g.DimString(x.Dim(i)) + ", "
	}
	return text + g.DimString(op.Dim(width)) + ")"
}
