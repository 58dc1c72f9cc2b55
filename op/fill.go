package op

// full has no inputs and gives a value in every element.
type full struct {
	DType DType
	Shape []Dim
	Value float64
}

func (full) Name() string { return "full" }

func (o full) Infer(s *Shapes) ([]Spec, error) { return []Spec{{o.DType, o.Shape}}, s.Arity(0) }

func (o full) Run(e *Env, _, out []Buffer) error {
	e.Fill(out[0], o.Value)
	return nil
}

// Full returns a node of the given type and shape with the same value everywhere.
func (g *Graph) Full(dtype DType, value float64, shape ...Dim) *Node {
	return g.Apply(full{dtype, shape, value})[0]
}

func like(x *Node, value float64) *Node {
	if x.Err() != nil {
		return failedFrom(x)
	}
	return x.graph.Full(x.dtype, value, x.shape...)
}

// Ones returns ones in the type and shape of x.
func Ones(x *Node) *Node { return like(x, 1) }

// Zeros returns zeros in the type and shape of x.
func Zeros(x *Node) *Node { return like(x, 0) }

// Cast returns x in another element type. Floats become integers by truncation toward zero; anything becomes Bool as x ≠ 0. The gradient is
// cast back.
func Cast(x *Node, dtype DType) *Node {
	if x.Err() == nil && x.dtype == dtype {
		return x
	}
	return apply1(cast{dtype}, x)
}

type cast struct{ DType DType }

func (cast) Name() string { return "cast" }

func (o cast) Infer(s *Shapes) ([]Spec, error) {
	return []Spec{{o.DType, s.In[0].Shape}}, s.Arity(1)
}

func (o cast) Run(e *Env, in, out []Buffer) error {
	e.Cast(in[0], out[0])
	return nil
}

func (o cast) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	return []*Node{Cast(dout[0], c.In[0].dtype)}
}

// StopGradient returns x as a value through which no gradient flows.
func StopGradient(x *Node) *Node { return apply1(stopGradient{}, x) }

type stopGradient struct{}

func (stopGradient) Name() string { return "stop_gradient" }

func (stopGradient) Infer(s *Shapes) ([]Spec, error) { return []Spec{s.In[0]}, s.Arity(1) }

func (stopGradient) Run(*Env, []Buffer, []Buffer) error { return nil }

func (stopGradient) Gradient(*Call, []*Node, []bool) []*Node { return []*Node{nil} }

func (stopGradient) Traits() Traits { return Traits{Views: []Pair{{0, 0}}} }

// DimSize returns the size d of the graph as a scalar of the given type: the batch size, for example.
func (g *Graph) DimSize(dtype DType, d Dim) *Node { return g.Apply(dimSize{dtype, d})[0] }

type dimSize struct {
	DType DType
	Dim   Dim
}

func (dimSize) Name() string { return "dim_size" }

func (o dimSize) Infer(s *Shapes) ([]Spec, error) { return []Spec{{o.DType, []Dim{}}}, s.Arity(0) }

func (o dimSize) Run(e *Env, _, out []Buffer) error {
	e.Fill(out[0], float64(e.Size(o.Dim)))
	return nil
}
