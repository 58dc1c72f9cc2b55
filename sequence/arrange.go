package sequence

import "paddle/op"

// arranged is another order of sequences.
type arranged struct {
	lengths *op.Node // (sequences) Int32
	starts  *op.Node // (sequences+1) Int32
	index   *op.Node // (tokens) Int32: where a row stood
	place   *op.Node // (tokens) Int32: where a row stands now
}

// arrange puts sequences into another order: sequence i is sequence order[i] of x; inverse is the order back.
func arrange(x *Node, order, inverse *op.Node) *arranged {
	a := &arranged{lengths: permute(x.Lengths(), order, inverse)}
	a.starts = op.Apply(starts{Tokens: x.layout.tokens, Lengths: x.layout.name}, a.lengths)[0]
	out := op.Apply(arrangeRows{Tokens: x.layout.tokens}, x.Starts(), order, a.starts)
	a.index, a.place = out[0], out[1]
	return a
}

// rowsOf returns the rows of x, which has the lengths that were arranged, one sequence after another in the new order.
func (a *arranged) rowsOf(x *Node) *op.Node { return permute(x.Rows(), a.index, a.place) }

// restore returns rows that are in the new order in the old one.
func (a *arranged) restore(rows *op.Node) *op.Node { return permute(rows, a.place, a.index) }

// bounds returns where the rows of the sequences begin that steps divides: those of step n are from place n to place n+1.
func (a *arranged) bounds(steps *op.Node) *op.Node { return op.Apply(boundsOf{}, a.starts, steps)[0] }

// ends returns, for each step, where the rows of the first sequences end, as many as the step has.
func (a *arranged) ends(steps *op.Node) *op.Node { return op.Apply(endsOf{}, a.starts, steps)[0] }

// arrangeRows computes where rows go when whole sequences change places. Its inputs are where sequences began, their new order, and where
// they begin in it; its outputs where each row comes from, and goes to.
type arrangeRows struct{ Tokens op.Dim }

func (arrangeRows) Name() string { return "arrange_rows" }

func (o arrangeRows) Infer(s *op.Shapes) ([]op.Spec, error) {
	rows := op.Spec{DType: op.Int32, Shape: []op.Dim{o.Tokens}}
	return []op.Spec{rows, rows}, s.Arity(3)
}

func (arrangeRows) Run(e *op.Env, in, out []op.Buffer) error {
	before, order, after := in[0].Int32s(), in[1].Int32s(), in[2].Int32s()
	index, place := out[0].Int32s(), out[1].Int32s()
	for i, s := range order {
		from := before[s]
		for to := after[i]; to < after[i+1]; to++ {
			index[to], place[from] = from, to
			from++
		}
	}
	return nil
}

// boundsOf computes starts[steps[n]].
type boundsOf struct{}

func (boundsOf) Name() string { return "bounds" }

func (boundsOf) Infer(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[1]}, s.Arity(2) }

func (boundsOf) Run(e *op.Env, in, out []op.Buffer) error {
	starts, y := in[0].Int32s(), out[0].Int32s()
	for n, i := range in[1].Int32s() {
		y[n] = starts[i]
	}
	return nil
}

// endsOf computes starts[steps[n+1] − steps[n]].
type endsOf struct{}

func (endsOf) Name() string { return "ends" }

func (endsOf) Infer(s *op.Shapes) ([]op.Spec, error) {
	if err := s.Arity(2); err != nil {
		return nil, err
	}
	return []op.Spec{{DType: op.Int32, Shape: []op.Dim{s.AddConst(s.In[1].Shape[0], -1)}}}, nil
}

func (endsOf) Run(e *op.Env, in, out []op.Buffer) error {
	starts, steps, y := in[0].Int32s(), in[1].Int32s(), out[0].Int32s()
	for n := range y {
		y[n] = starts[steps[n+1]-steps[n]]
	}
	return nil
}
