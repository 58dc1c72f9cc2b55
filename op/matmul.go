package op

import "slices"

// MatMul returns the matrix product of a (…, m, k) and b (…, k, n): (…, m, n). Leading axes are a batch: they are equal, or b or a has
// none and serves for all.
func MatMul(a, b *Node) *Node { return apply1(matmul{}, a, b) }

// MatMulT returns a·bᵀ for a (…, m, k) and b (…, n, k), without moving b.
func MatMulT(a, b *Node) *Node { return apply1(matmul{TransB: true}, a, b) }

// TMatMul returns aᵀ·b for a (…, k, m) and b (…, k, n), without moving a.
func TMatMul(a, b *Node) *Node { return apply1(matmul{TransA: true}, a, b) }

// matmul multiplies matrices. The fusion pass gives it a third input, a bias per column, and an activation.
type matmul struct {
	TransA, TransB bool
	Act            Activation
}

func (matmul) Name() string { return "matmul" }

// matrix returns the rows and columns of op(x).
func matrix(shape []Dim, transposed bool) (rows, columns Dim) {
	n := len(shape)
	if transposed {
		return shape[n-1], shape[n-2]
	}
	return shape[n-2], shape[n-1]
}

func (o matmul) Infer(s *Shapes) ([]Spec, error) {
	if len(s.In) != 3 {
		if err := s.Arity(2); err != nil {
			return nil, err
		}
	}
	if err := s.SameType(); err != nil {
		return nil, err
	}
	if err := s.Float(0); err != nil {
		return nil, err
	}
	for i := range 2 {
		if len(s.In[i].Shape) < 2 {
			return nil, s.Wrong(i, "at least two axes")
		}
	}
	a, b := s.In[0].Shape, s.In[1].Shape
	m, k := matrix(a, o.TransA)
	k2, n := matrix(b, o.TransB)
	if k != k2 {
		return nil, s.Wrong(1, "%s where the matrices meet, as in %s", s.DimString(k), s.String(a))
	}
	batch := a[:len(a)-2]
	if other := b[:len(b)-2]; len(batch) == 0 {
		batch = other
	} else if len(other) > 0 && !SameShape(batch, other) {
		return nil, s.Wrong(1, "leading axes %s, or none", s.String(batch))
	}
	if len(s.In) == 3 && !SameShape(s.In[2].Shape, []Dim{n}) {
		return nil, s.Wrong(2, "(%s,)", s.DimString(n))
	}
	return []Spec{{s.In[0].DType, append(slices.Clone(batch), m, n)}}, nil
}

func (o matmul) Run(e *Env, in, out []Buffer) error {
	var bias Buffer
	if len(in) == 3 {
		bias = in[2]
	}
	e.MatMul(o.spec(in[0].Shape, in[1].Shape), in[0], in[1], bias, out[0])
	return nil
}

func (o matmul) spec(a, b []int) MatMulSpec {
	g := MatMulSpec{Batch: 1, TransA: o.TransA, TransB: o.TransB, Act: o.Act, SharedA: len(a) == 2, SharedB: len(b) == 2}
	g.M, g.K = a[len(a)-2], a[len(a)-1]
	if o.TransA {
		g.M, g.K = g.K, g.M
	}
	g.N = b[len(b)-1]
	if o.TransB {
		g.N = b[len(b)-2]
	}
	lead := a[:len(a)-2]
	if len(lead) == 0 {
		lead = b[:len(b)-2]
	}
	for _, d := range lead {
		g.Batch *= d
	}
	if g.SharedB && !g.SharedA && !o.TransA { // one tall product
		g.M, g.Batch = g.M*g.Batch, 1
	}
	return g
}

func (o matmul) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	a, b, dy := c.In[0], c.In[1], dout[0]
	out := make([]*Node, 2)
	if want[0] {
		switch {
		case !o.TransA:
			out[0] = apply1(matmul{TransB: !o.TransB}, dy, b)
		default:
			out[0] = apply1(matmul{TransA: o.TransB, TransB: true}, b, dy)
		}
		out[0] = SumTo(out[0], a.shape...)
	}
	if want[1] {
		out[1] = o.gradientB(a, b, dy)
	}
	return out
}

// gradientB is the gradient for b. Where one b serves a whole batch, the batch is one tall matrix.
func (o matmul) gradientB(a, b, dy *Node) *Node {
	if b.Rank() == 2 && a.Rank() > 2 && !o.TransA {
		rows := Dim(1)
		for _, d := range a.shape[:a.Rank()-1] {
			rows = a.graph.dims.mul(rows, d)
		}
		a, dy = Reshape(a, rows, a.Dim(-1)), Reshape(dy, rows, dy.Dim(-1))
	}
	var db *Node
	if !o.TransB {
		db = apply1(matmul{TransA: !o.TransA}, a, dy)
	} else {
		db = apply1(matmul{TransA: true, TransB: o.TransA}, dy, a)
	}
	return SumTo(db, b.shape...)
}

func (matmul) Traits() Traits { return Traits{Precision: Low} }

func (o matmul) FLOPs(in, out [][]int) int64 {
	k := in[0][len(in[0])-1]
	if o.TransA {
		k = in[0][len(in[0])-2]
	}
	return 2 * elements(out[0]) * int64(k)
}
