package sequence

import "paddle/op"

// Enumerate returns for each id the n ids that begin with it, (tokens, n): the n-grams of ids (tokens), Int32 or Int64. Places beyond the end of
// a sequence hold the padding id.
func Enumerate(ids *Node, n int, padding int64) *Node {
	switch {
	case ids.Err() != nil:
		return ids.failed()
	case ids.Rank() != 1 || ids.DType() != op.Int32 && ids.DType() != op.Int64:
		return ids.fail("ids are %v %s, want int32 or int64 (tokens)", ids.DType(), ids.ShapeString())
	case n < 1:
		return ids.fail("windows of %d ids, want 1 or more", n)
	case ids.DType() == op.Int32 && int64(int32(padding)) != padding:
		return ids.fail("padding id %d, want one that int32 holds", padding)
	}
	o := enumerate{Length: n, Padding: padding, Packed: ids.rows == nil}
	in := append([]*op.Node{ids.Node()}, ids.layout.order(o.Packed)...)
	return ids.of(op.Apply(o, in...)[0], o.Packed)
}

// enumerate lists the windows of ids. Its inputs are the ids and those of layout.order.
type enumerate struct {
	Length  int
	Padding int64
	Packed  bool
}

func (enumerate) Name() string { return "enumerate" }

func (o enumerate) Infer(s *op.Shapes) ([]op.Spec, error) {
	return []op.Spec{{DType: s.In[0].DType, Shape: []op.Dim{s.In[0].Shape[0], op.Dim(o.Length)}}}, nil
}

func (o enumerate) Run(e *op.Env, in, out []op.Buffer) error {
	at, _ := placesIn(in[1:], o.Packed)
	if in[0].DType == op.Int32 {
		windowsOf(at, o.Length, int32(o.Padding), in[0].Int32s(), out[0].Int32s())
	} else {
		windowsOf(at, o.Length, o.Padding, in[0].Int64s(), out[0].Int64s())
	}
	return nil
}

func windowsOf[I int32 | int64](at places, length int, padding I, ids, y []I) {
	for s := range at.count() {
		from, to := at.bounds(s)
		for t := from; t < to; t++ {
			window := y[int(at.of(t))*length:][:length]
			for j := range window {
				if i := int(t) + j; i < int(to) {
					window[j] = ids[at.of(int32(i))]
				} else {
					window[j] = padding
				}
			}
		}
	}
}
