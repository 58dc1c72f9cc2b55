package op

// addScaled computes a + Factor·b of floats of one shape, rounded after each operation, so that it gives the bits of the two operations that
// it stands for: the sum of an update with weight decay, and of whatever is added in part.
type addScaled struct{ Factor float64 }

func (addScaled) Name() string { return "add_scaled" }

func (addScaled) Infer(s *Shapes) ([]Spec, error) { return []Spec{s.In[0]}, s.Arity(2) }

func (o addScaled) Run(e *Env, in, out []Buffer) error {
	if in[0].data != out[0].data {
		m := packed(out[0].Shape)
		m.From = m.To
		e.Copy(m, in[0], out[0])
	}
	e.UpdateSGD(out[0], Buffer{}, in[1], -o.Factor)
	return nil
}

func (addScaled) Traits() Traits { return Traits{InPlace: []Pair{{0, 0}}} }

func (addScaled) FLOPs(_, out [][]int) int64 { return 2 * elements(out[0]) }

// fuseScaled turns the sum of something and a multiple that nothing else reads into one application. The other operand must be another value than
// what is multiplied, for it is changed in its place.
func (o *optimizer) fuseScaled(c *Call) *Node {
	for i, n := range c.In {
		p := o.inner(c, n)
		if p == nil || n.dtype != Float32 && n.dtype != Float64 || !SameShape(n.shape, c.Out[0].shape) {
			continue
		}
		u, ok := p.Op.(unary)
		if other := c.In[1-i]; ok && u.Func == UnaryMulConst && other != p.In[0] && SameShape(other.shape, n.shape) {
			return o.replace(c, addScaled{u.A}, other, p.In[0])
		}
	}
	return nil
}
