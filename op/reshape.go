package op

import "fmt"

// Reshape returns the elements of x under another shape with as many of them; one dimension may be Auto. It moves no data.
func Reshape(x *Node, shape ...Dim) *Node {
	if x.Err() != nil {
		return failedFrom(x)
	}
	full, err := x.graph.resolve(x.shape, shape)
	if err != nil {
		return x.graph.fail(fmt.Errorf("input %s has shape %s: %w", quoted(x), x.ShapeString(), err))
	}
	if SameShape(x.shape, full) && x.rows == nil {
		return x
	}
	return apply1(reshape{full}, x)
}

// resolve replaces Auto in shape by what gives as many elements as from has.
func (g *Graph) resolve(from, shape []Dim) ([]Dim, error) {
	s := &Shapes{graph: g}
	out := append([]Dim{}, shape...)
	auto := -1
	rest := Dim(1)
	for i, d := range out {
		switch {
		case d == Auto && auto >= 0:
			return nil, fmt.Errorf("cannot become %s: only one size may be Auto", s.String(shape))
		case d == Auto:
			auto = i
		case !g.dims.valid(d):
			return nil, fmt.Errorf("cannot become one whose axis %d has size %d, want a number from 0 up, a symbol of this graph, or op.Auto", i, int(d))
		default:
			rest = s.Mul(rest, d)
		}
	}
	total := s.Product(from)
	if auto >= 0 {
		q, ok := Dim(0), false
		if total >= 0 && rest > 0 {
			q, ok = total/rest, total%rest == 0
		} else if rest != 0 {
			q, ok = g.dims.exact(total, rest)
		}
		if !ok {
			return nil, fmt.Errorf("cannot become %s: %s elements are not a multiple of %s", s.String(shape), s.DimString(total), s.DimString(rest))
		}
		out[auto] = q
		return out, nil
	}
	if rest != total {
		return nil, fmt.Errorf("cannot become %s: %s elements, want %s", s.String(shape), s.DimString(rest), s.DimString(total))
	}
	return out, nil
}

type reshape struct{ Shape []Dim }

func (reshape) Name() string { return "reshape" }

func (o reshape) Infer(s *Shapes) ([]Spec, error) {
	return []Spec{{s.In[0].DType, o.Shape}}, s.Arity(1)
}

func (reshape) Run(*Env, []Buffer, []Buffer) error { return nil }

func (reshape) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	return []*Node{Reshape(dout[0], c.In[0].shape...)}
}

func (reshape) Traits() Traits { return Traits{Views: []Pair{{0, 0}}} }

// Flatten returns x (batch, …) as (batch, elements of a sample).
func Flatten(x *Node) *Node {
	if x.Err() != nil {
		return failedFrom(x)
	}
	if x.Rank() == 0 {
		return x.graph.fail(fmt.Errorf("input %s has shape (), want at least one axis", quoted(x)))
	}
	width := Dim(1)
	for _, d := range x.shape[1:] {
		width = x.graph.dims.mul(width, d)
	}
	return Reshape(x, x.shape[0], width)
}

// Unsqueeze returns x with an axis of size 1 put in so that it becomes axis number axis; a negative one counts from the end of the result.
func Unsqueeze(x *Node, axis int) *Node {
	if x.Err() != nil {
		return failedFrom(x)
	}
	at := axis
	if at < 0 {
		at += x.Rank() + 1
	}
	if at < 0 || at > x.Rank() {
		return x.graph.fail(fmt.Errorf("axis %d for input %s, which has shape %s", axis, quoted(x), x.ShapeString()))
	}
	shape := append(append(append([]Dim{}, x.shape[:at]...), 1), x.shape[at:]...)
	return Reshape(x, shape...)
}

// Squeeze returns x without the given axis, which has size 1.
func Squeeze(x *Node, axis int) *Node {
	if x.Err() != nil {
		return failedFrom(x)
	}
	at := axis
	if at < 0 {
		at += x.Rank()
	}
	if at < 0 || at >= x.Rank() || x.shape[at] != 1 {
		return x.graph.fail(fmt.Errorf("input %s has shape %s, want size 1 in axis %d", quoted(x), x.ShapeString(), axis))
	}
	return Reshape(x, append(append([]Dim{}, x.shape[:at]...), x.shape[at+1:]...)...)
}

// BroadcastTo stretches x to shape by NumPy's rule: aligned at the last axis, sizes of 1 repeat. The gradient is summed back.
func BroadcastTo(x *Node, shape ...Dim) *Node {
	if x.Err() == nil && SameShape(x.shape, shape) {
		return Densify(x)
	}
	return apply1(broadcastTo{shape}, x)
}

type broadcastTo struct{ Shape []Dim }

func (broadcastTo) Name() string { return "broadcast_to" }

func (o broadcastTo) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	in := s.In[0].Shape
	off := len(o.Shape) - len(in)
	if off < 0 {
		return nil, s.Wrong(0, "one that broadcasts to %s", s.String(o.Shape))
	}
	for i, d := range in {
		if d != 1 && d != o.Shape[off+i] {
			return nil, s.Wrong(0, "one that broadcasts to %s", s.String(o.Shape))
		}
	}
	return []Spec{{s.In[0].DType, o.Shape}}, nil
}

func (o broadcastTo) Run(e *Env, in, out []Buffer) error {
	e.Copy(broadcastMove(in[0].Shape, out[0].Shape), in[0], out[0])
	return nil
}

func (o broadcastTo) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	return []*Node{SumTo(dout[0], c.In[0].shape...)}
}

// broadcastMove describes the copy that stretches a block of shape from to shape to.
func broadcastMove(from, to []int) Move {
	m := Move{Rank: len(to)}
	stride, off := 1, len(to)-len(from)
	fill := 1
	for i := len(to) - 1; i >= 0; i-- {
		m.Shape[i], m.To[i] = to[i], fill
		fill *= to[i]
		if i >= off {
			if from[i-off] != 1 {
				m.From[i] = stride
			}
			stride *= from[i-off]
		}
	}
	return m
}

// SumTo sums x down to shape, the reverse of BroadcastTo: over the leading axes that shape lacks and over those where its size is 1.
func SumTo(x *Node, shape ...Dim) *Node {
	if x.Err() != nil || SameShape(x.shape, shape) {
		return failedOr(x)
	}
	off := x.Rank() - len(shape)
	if off < 0 {
		return x.graph.fail(fmt.Errorf("input %s has shape %s, which does not sum to %s", quoted(x), x.ShapeString(), x.graph.dims.shapeString(shape)))
	}
	var axes uint32
	for i, d := range x.shape {
		switch {
		case i < off:
			axes |= 1 << i
		case shape[i-off] != d && shape[i-off] == 1:
			axes |= 1 << i
		case shape[i-off] != d:
			return x.graph.fail(fmt.Errorf("input %s has shape %s, which does not sum to %s", quoted(x), x.ShapeString(), x.graph.dims.shapeString(shape)))
		}
	}
	return Reshape(apply1(reduce{ReduceSum, axes}, x), shape...)
}

func failedOr(x *Node) *Node {
	if x.Err() != nil {
		return failedFrom(x)
	}
	return x
}
