package op

// Duplicate returns the value of x in memory of its own: what is written to x's later does not change it.
func Duplicate(x *Node) *Node { return apply1(duplicate{}, x) }

// duplicate copies its input to memory of its own.
type duplicate struct{}

func (duplicate) Name() string { return "copy" }

func (duplicate) Infer(s *Shapes) ([]Spec, error) { return []Spec{s.In[0]}, s.Arity(1) }

func (duplicate) Run(_ *Env, in, out []Buffer) error {
	copy(out[0].Bytes(), in[0].Bytes())
	return nil
}

func (duplicate) Gradient(_ *Call, dout []*Node, _ []bool) []*Node { return dout }
