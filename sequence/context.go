package sequence

import "paddle/op"

// Context describes the neighbours of a row: length rows of its sequence, the first of which stands start rows after it, or before it
// where start is negative. Centred is the usual start.
type Context struct {
	Length, Start int
	// Padding (before+after, width) has the rows that stand in the place of those outside of a sequence: the last before rows, before =
	// max(0, −Start), come ahead of its beginning, and after = max(0, Start+Length−1) follow its end. Nil is rows of 0.
	Padding *op.Node
}

// Centred returns a context whose middle is the row itself, or for an even length the later of the two in the middle: it starts at
// −⌊length/2⌋. For 3 it is the row before, the row, and the row after.
func Centred(length int) Context { return Context{Length: length, Start: -(length / 2)} }

// check returns what is wrong with c for x, nil if nothing is.
func (c Context) check(x *Node) *Node {
	switch {
	case x.Err() != nil:
		return x.failed()
	case x.Rank() != 2:
		return x.fail("%s has rows %s, want (tokens, width)", x.Name(), x.ShapeString())
	case c.Length < 1:
		return x.fail("a context of %d rows, want 1 or more", c.Length)
	case c.Padding == nil:
		return nil
	case c.Padding.Err() != nil:
		return failed(c.Padding)
	}
	if n := c.before() + c.after(); c.Padding.Rank() != 2 || c.Padding.Dim(0) != op.Dim(n) || c.Padding.Dim(1) != x.Dim(1) {
		return x.fail("padding has shape %s, want (%d, %s)", c.Padding.ShapeString(), n, x.Graph().DimString(x.Dim(1)))
	}
	return nil
}

// before returns how far a context reaches ahead of a sequence, after how far behind it.
func (c Context) before() int { return max(0, -c.Start) }
func (c Context) after() int  { return max(0, c.Start+c.Length-1) }

// rows returns what a context of x takes rows from, and their index (tokens, length) for each row in the order at hand.
func (c Context) rows(x *Node) (table, index *op.Node) {
	packed := x.rows == nil
	o := contexts{Length: c.Length, Start: c.Start, Padded: c.Padding != nil, Packed: packed, Tokens: x.layout.tokens}
	table = x.Node()
	if c.Padding != nil && c.before()+c.after() > 0 {
		table = op.Concat(0, table, c.Padding)
	}
	return table, op.Apply(o, x.layout.order(packed)...)[0]
}

// ContextProjection returns each row with its neighbours side by side: x (tokens, width) becomes (tokens, c.Length·width).
func ContextProjection(x *Node, c Context) *Node {
	if bad := c.check(x); bad != nil {
		return bad
	}
	table, index := c.rows(x)
	return x.of(sideBySide(takeRows(table, index)), x.rows == nil)
}

// sideBySide returns rows (…, length, width) as (…, length·width).
func sideBySide(rows *op.Node) *op.Node {
	if rows.Err() != nil {
		return rows
	}
	return op.Reshape(rows, rows.Dim(0), rows.Graph().MulDims(rows.Dim(1), rows.Dim(2)))
}

// contexts computes which rows are the neighbours of each of Tokens rows; rows of padding follow those. Its inputs are those of layout.order.
type contexts struct {
	Length, Start  int
	Padded, Packed bool
	Tokens         op.Dim
}

func (contexts) Name() string { return "contexts" }

func (o contexts) Infer(s *op.Shapes) ([]op.Spec, error) {
	return []op.Spec{{DType: op.Int32, Shape: []op.Dim{o.Tokens, op.Dim(o.Length)}}}, nil
}

func (o contexts) Run(e *op.Env, in, out []op.Buffer) error {
	at, _ := placesIn(in, o.Packed)
	index, tokens := out[0].Int32s(), e.Size(o.Tokens)
	c := Context{Length: o.Length, Start: o.Start}
	for s := range at.count() {
		from, to := at.bounds(s)
		for t := from; t < to; t++ {
			near := index[int(at.of(t))*o.Length:][:o.Length]
			for j := range near {
				i := int(t) + o.Start + j
				switch {
				case i >= int(from) && i < int(to):
					near[j] = at.of(int32(i))
				case !o.Padded:
					near[j] = noRow
				case i < int(from):
					near[j] = int32(tokens + c.before() + i - int(from))
				default:
					near[j] = int32(tokens + c.before() + i - int(to))
				}
			}
		}
	}
	return nil
}
