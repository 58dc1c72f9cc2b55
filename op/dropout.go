package op

// Dropout sets each element of x to 0 with probability p and multiplies the others by 1/(1−p), so that the mean stays (Srivastava et al.,
// 2014); when a model only predicts, it is the identity. p is the fraction that is dropped, from 0 (nothing) to 1 (everything).
// Which elements are dropped depends on the graph's seed, the application and the step; the gradient drops the same ones.
func Dropout(x *Node, p float64) *Node {
	switch {
	case x.Err() != nil:
		return failedFrom(x)
	case !(p >= 0 && p <= 1):
		return x.graph.Fail("the fraction %v to drop is not from 0 to 1", p)
	case p == 0:
		return x
	}
	return apply1(dropout{p}, x)
}

type dropout struct{ P float64 }

func (dropout) Name() string { return "dropout" }

func (o dropout) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	return []Spec{s.In[0]}, s.Float(0)
}

func (o dropout) Run(e *Env, in, out []Buffer) error {
	e.Dropout(e.Key, o.P, in[0], out[0])
	return nil
}

// Gradient is the same dropout of dy: with the same key the same elements are dropped. It draws no seed of its own, so that the ones of
// other applications do not depend on it.
func (o dropout) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	root := dout[0].graph.root()
	drawn := root.randoms
	dx := apply1(o, dout[0])
	root.randoms = drawn
	if dx.call != nil {
		dx.call.Seed = c.Seed
	}
	return []*Node{dx}
}

// Inference implements Inferencer.
func (dropout) Inference(_ *Call, in []*Node) []*Node { return in }

func (dropout) Traits() Traits { return Traits{Random: true, InPlace: []Pair{{0, 0}}} }

func (dropout) FLOPs(_, out [][]int) int64 { return elements(out[0]) }
