package op

import "fmt"

// applyUpdate applies an update op. Its inputs are the variables that it writes, the gradient (ids and rows if it is sparse, each id
// once), scalars, and at last the condition apply. It has no outputs; mistakes are kept by the graph.
func applyUpdate(o func(sparse bool) Op, apply *Node, written []*Node, grad *Node, scalars ...*Node) {
	in := append([]*Node{}, written...)
	sparse := grad.Sparse() != nil
	build := func() {
		if sparse {
			merged := MergeRows(grad)
			if merged.err != nil {
				return
			}
			in = append(in, merged.rows.IDs, merged.rows.Values)
		} else {
			in = append(in, grad)
		}
		in = append(append(in, scalars...), apply)
		Apply(o(sparse), in...)
	}
	if g, _ := commonGraph(append([]*Node{grad}, written...)); g != nil {
		g.InPhase(Update, build)
		return
	}
	build()
}

// inferUpdate checks the inputs of an update op that writes the first inputs, which have the type and shape of the very first, and
// takes scalars of the given types.
func inferUpdate(s *Shapes, written int, sparse bool, scalars ...DType) error {
	at := written + 1
	if sparse {
		at++
	}
	if err := s.Arity(at + len(scalars) + 1); err != nil {
		return err
	}
	if d := s.In[0].DType; d != Float32 && d != Float64 {
		return s.WrongType(0, "float32 or float64")
	}
	for i := range written {
		if err := s.written(i); err != nil {
			return err
		}
		if err := s.like(i, s.In[0].Shape); err != nil {
			return err
		}
	}
	if err := s.gradient(written, sparse); err != nil {
		return err
	}
	for i, d := range append(scalars, Bool) {
		if err := s.scalar(at+i, d); err != nil {
			return err
		}
	}
	return nil
}

// gradient checks the gradient of input 0 that starts at input i.
func (s *Shapes) gradient(i int, sparse bool) error {
	shape := s.In[0].Shape
	if sparse {
		if err := s.Integer(i); err != nil {
			return err
		}
		if len(shape) == 0 || len(s.In[i].Shape) != 1 {
			return s.Wrong(i, "one axis, for rows of %s", s.input(0))
		}
		shape = append([]Dim{s.In[i].Shape[0]}, shape[1:]...)
		i++
	}
	return s.like(i, shape)
}

// written returns an error unless input i is a variable.
func (s *Shapes) written(i int) error {
	if s.nodes[i].kind == capturedLeaf {
		return fmt.Errorf("input %s cannot be updated in a step: that would be once in each", s.input(i))
	}
	if s.nodes[i].variable == nil {
		return fmt.Errorf("input %s is no variable and cannot be updated", s.input(i))
	}
	return nil
}

// like returns an error unless input i has the type of input 0 and the given shape.
func (s *Shapes) like(i int, shape []Dim) error {
	if s.In[i].DType != s.In[0].DType {
		return s.WrongType(i, fmt.Sprintf("%v, as input %s", s.In[0].DType, s.input(0)))
	}
	if !SameShape(s.In[i].Shape, shape) {
		return s.Wrong(i, "%s, as input %s", s.String(shape), s.input(0))
	}
	return nil
}

// scalar returns an error unless input i is a scalar of the given type.
func (s *Shapes) scalar(i int, d DType) error {
	if s.In[i].DType != d {
		return s.WrongType(i, d.String())
	}
	if len(s.In[i].Shape) != 0 {
		return s.Wrong(i, "a scalar ()")
	}
	return nil
}

// changes is what an update op reads: ids is nil for a dense gradient.
type changes struct {
	ids, gradient Buffer
	scalars       []Buffer
}

// changesOf cuts up the inputs of an update; ok is false where nothing is to be changed.
func changesOf(in []Buffer, written int, sparse bool) (c changes, ok bool) {
	rest := in[written:]
	if sparse {
		c.ids, rest = rest[0], rest[1:]
	}
	c.gradient, c.scalars = rest[0], rest[1:]
	apply := rest[len(rest)-1].Scalar() != 0
	return c, apply && c.gradient.Len() > 0
}

// writes lists the first n inputs.
func writes(n int) Traits {
	t := Traits{}
	for i := range n {
		t.Writes = append(t.Writes, i)
	}
	return t
}
