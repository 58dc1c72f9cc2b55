package sequence

import (
	"cmp"
	"slices"

	"paddle/op"
)

// Packed is a batch of sequences in time-major order: the rows of step 0 of all sequences, then those of step 1, …. Sequences are
// sorted by length, longest first, equal ones in the caller's order; the place in this order is a sequence's rank. Step n has the
// rows Steps[n] to Steps[n+1] of Rows, in the order of rank, and the ranks that reach step n+1 are the first of those that reach step n.
//
// It is what op.Scan takes, and what layers that walk over time are made of.
type Packed struct {
	Rows  *op.Node // (tokens, …)
	Steps *op.Node // (steps+1) Int32; the number of steps, the greatest length, is found at run time
	Order *op.Node // (sequences) Int32: which sequence has a rank
	Rank  *op.Node // (sequences) Int32: which rank a sequence has
	Index *op.Node // (tokens) Int32: where a row of Rows stands sample by sample
	Place *op.Node // (tokens) Int32: where a row, counted sample by sample, stands in Rows

	layout *layout
}

// Pack returns the sequences in time-major order.
func (x *Node) Pack() Packed {
	if x.Err() != nil {
		n := x.failed().Node()
		return Packed{Rows: n, Steps: n, Order: n, Rank: n, Index: n, Place: n}
	}
	p := *x.layout.pack()
	p.Rows = x.packedRows()
	return p
}

// TimeMajor returns x with its rows at hand in the order of Pack only. Values and results are the same; it is for speed: where a layer that
// walks over time follows a Map, packing the narrow rows first, such as ids before an embedding, saves a copy of the wide ones.
func (x *Node) TimeMajor() *Node {
	if x.Err() != nil {
		return x.failed()
	}
	return &Node{layout: x.layout, packed: x.packedRows()}
}

// Of returns rows (tokens, …) in the order of p.Rows as sequences of p's lengths.
func (p Packed) Of(rows *op.Node) *Node {
	if p.layout == nil {
		return failed(p.Rows)
	}
	like := Node{layout: p.layout, packed: p.Rows}
	return like.of(rows, true)
}

// Sort returns rows (sequences, …), one a sequence, in the order of rank.
func (p Packed) Sort(rows *op.Node) *op.Node { return p.bySequence(rows, p.Order, p.Rank) }

// Restore returns rows (sequences, …) in the order of rank, such as final states, in the caller's order.
func (p Packed) Restore(rows *op.Node) *op.Node { return p.bySequence(rows, p.Rank, p.Order) }

func (p Packed) bySequence(rows, index, inverse *op.Node) *op.Node {
	switch {
	case p.layout == nil:
		return failed(p.Rows).Node()
	case rows.Err() != nil:
		return rows
	case rows.Rank() == 0 || rows.Dim(0) != p.layout.sequences():
		return rows.Graph().Fail("rows have shape %s, want (%s, …): one a sequence", rows.ShapeString(), rows.Graph().DimString(p.layout.sequences()))
	}
	return permute(rows, index, inverse)
}

// timeMajor ends the names of rows in the order of Pack, by which errors tell them from those that were fed.
const timeMajor = ", time-major"

// packedRows returns the rows of x in time-major order.
func (x *Node) packedRows() *op.Node {
	if x.packed == nil {
		p := x.layout.pack()
		x.packed = permute(x.rows, p.Index, p.Place).WithName(x.rows.Name() + timeMajor)
	}
	return x.packed
}

// pack returns the order of l's sequences, without rows.
func (l *layout) pack() *Packed {
	if l.sorted == nil {
		out := op.Apply(pack{Tokens: l.tokens}, l.starts())
		l.sorted = &Packed{Steps: out[0], Order: out[1], Rank: out[2], Index: out[3], Place: out[4], layout: l}
	}
	return l.sorted
}

// pack computes the time-major order of sequences from their starts.
type pack struct{ Tokens op.Dim }

func (pack) Name() string { return "pack" }

func (o pack) Infer(s *op.Shapes) ([]op.Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	steps := s.Count("steps", s.AddConst(o.Tokens, 1))
	sequences := s.AddConst(s.In[0].Shape[0], -1)
	ints := func(d op.Dim) op.Spec { return op.Spec{DType: op.Int32, Shape: []op.Dim{d}} }
	return []op.Spec{ints(steps), ints(sequences), ints(sequences), ints(o.Tokens), ints(o.Tokens)}, nil
}

func (o pack) Run(e *op.Env, in, out []op.Buffer) error {
	starts := in[0].Int32s()
	steps, order, rank, index, place := out[0].Int32s(), out[1].Int32s(), out[2].Int32s(), out[3].Int32s(), out[4].Int32s()
	sortByLength(starts, order)
	for r, s := range order {
		rank[s] = int32(r)
	}
	n, at := 0, int32(0)
	steps[0] = 0
	for width := len(order); ; n++ {
		for width > 0 && length(starts, order[width-1]) <= int32(n) {
			width--
		}
		if width == 0 {
			break
		}
		for _, s := range order[:width] {
			row := starts[s] + int32(n)
			index[at], place[row] = row, at
			at++
		}
		steps[n+1] = at
	}
	return e.SetCount(0, n+1)
}

// sortByLength writes the sequences to order, the longest first, equal ones in their order.
func sortByLength(starts, order []int32) {
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(length(starts, b), length(starts, a)), cmp.Compare(a, b))
	})
}

func length(starts []int32, s int32) int32 { return starts[s+1] - starts[s] }
