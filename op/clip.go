package op

import "fmt"

// ClipByGlobalNorm scales gradients down together so that their norm, the root of the sum of all squares, is at most maxNorm (Pascanu, Mikolov
// and Bengio, 2013). It returns the clipped gradients; the norm before clipping, a Float64 scalar; and whether each gradient is finite,
// a Bool vector. The squares are summed in float64, so that they do not overflow for float32 gradients of any size. Below the bound
// gradients stay the same bits, and so they do where one of them is not finite: the caller makes the step depend on All(finite).
//
// Equal ids of a sparse gradient are summed first, and it stays sparse. A nil gradient stays nil and counts as 0.
func ClipByGlobalNorm(grads []*Node, maxNorm float64) (clipped []*Node, norm, finite *Node) {
	merged, g, err := mergedGradients(grads)
	if err == nil && !(maxNorm > 0) {
		err = fmt.Errorf("the greatest norm is %v, want a number above 0", maxNorm)
	}
	clipped = make([]*Node, len(grads))
	if err != nil {
		bad := g.fail(err)
		failAll(clipped, bad)
		return clipped, bad, bad
	}
	squares := make([]*Node, len(merged))
	for i, n := range merged {
		if squares[i] = g.Full(Float64, 0); n != nil {
			squares[i] = apply1(sumSquares{}, rowsOr(n))
		}
	}
	each := Stack(0, squares...)
	norm, finite = Sqrt(Sum(each)), IsFinite(each)
	bound := g.Full(Float64, maxNorm)
	factor := Where(And(IsFinite(norm), Greater(norm, bound)), Div(bound, norm), g.Full(Float64, 1))
	for i, n := range merged {
		if n != nil {
			clipped[i] = withRows(n, apply1(scale{}, rowsOr(n), factor))
		}
	}
	return clipped, norm, finite
}

// mergedGradients merges the rows of sparse gradients.
func mergedGradients(grads []*Node) (merged []*Node, g *Graph, err error) {
	var present []*Node
	for _, n := range grads {
		if n != nil {
			present = append(present, n)
		}
	}
	g, err = commonGraph(present)
	if err == nil && g == nil {
		err = fmt.Errorf("no gradients to clip")
	}
	for _, n := range grads {
		if n != nil && n.rows != nil {
			n = MergeRows(n)
		}
		merged = append(merged, n)
	}
	return merged, g, err
}

// rowsOr returns the rows of a sparse node, and a dense node itself.
func rowsOr(n *Node) *Node {
	if n.rows != nil {
		return n.rows.Values
	}
	return n
}

// withRows returns n with other values: dense, or the same rows of a sparse node.
func withRows(n, values *Node) *Node {
	if n.rows == nil || values.err != nil {
		return values
	}
	out := SparseRows(n.shape, n.rows.IDs, values, n.rows.Padding)
	if out.rows != nil {
		out.rows.Merged = n.rows.Merged
	}
	return out
}

// sumSquares computes Σ x² as a Float64.
type sumSquares struct{}

func (sumSquares) Name() string { return "sum_squares" }

func (sumSquares) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	return []Spec{{Float64, []Dim{}}}, s.Float(0)
}

func (sumSquares) Run(e *Env, in, out []Buffer) error {
	e.Fill(out[0], e.SumSquares(in[0]))
	return nil
}

func (sumSquares) Traits() Traits { return Traits{Precision: Keep32} }

func (sumSquares) FLOPs(in, _ [][]int) int64 { return 2 * elements(in[0]) }

// scale computes x times a Float64 scalar.
type scale struct{}

func (scale) Name() string { return "scale" }

func (scale) Infer(s *Shapes) ([]Spec, error) { return []Spec{s.In[0]}, s.Arity(2) }

func (scale) Run(e *Env, in, out []Buffer) error {
	factor := in[1].Scalar()
	if factor == 1 && in[0].data == out[0].data {
		return nil
	}
	e.Unary(UnaryMulConst, factor, 0, in[0], out[0])
	return nil
}

func (scale) Traits() Traits { return Traits{InPlace: []Pair{{0, 0}}} }

func (scale) FLOPs(_, out [][]int) int64 { return elements(out[0]) }
