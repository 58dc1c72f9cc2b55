package sequence

import (
	"cmp"
	"slices"

	"paddle/op"
)

// KMax returns which rows of each sequence have the k greatest scores, the greatest first: scores are (tokens) or (tokens, 1), the result
// is Int32 (rows) that count from the start of their sequence. Of equal scores the earlier row comes first; NaN is greater than numbers. A
// sequence of fewer rows gives all of them.
func KMax(scores *Node, k int) *Node {
	switch {
	case scores.Err() != nil:
		return scores.failed()
	case scores.Rank() != 1 && (scores.Rank() != 2 || scores.Dim(1) != 1):
		return scores.fail("scores have shape %s, want (tokens) or (tokens, 1)", scores.ShapeString())
	case k < 1:
		return scores.fail("the %d greatest scores, want 1 or more", k)
	}
	o := kmax{K: k, Packed: scores.rows == nil}
	out := op.Apply(o, append([]*op.Node{scores.Node()}, scores.layout.order(o.Packed)...)...)
	return New(out[0], out[1].WithName(scores.layout.name))
}

// kmax computes the places of the K greatest scores of each sequence, and how many these are. Its inputs are the scores and those of
// layout.order.
type kmax struct {
	K      int
	Packed bool
}

func (kmax) Name() string { return "kmax" }

func (o kmax) Infer(s *op.Shapes) ([]op.Spec, error) {
	if err := s.Float(0); err != nil {
		return nil, err
	}
	ints := func(d op.Dim) op.Spec { return op.Spec{DType: op.Int32, Shape: []op.Dim{d}} }
	return []op.Spec{ints(s.Count("rows", s.In[0].Shape[0])), ints(s.AddConst(s.In[1].Shape[0], -1))}, nil
}

func (o kmax) Run(e *op.Env, in, out []op.Buffer) error {
	at, _ := placesIn(in[1:], o.Packed)
	best, lengths := out[0].Int32s(), out[1].Int32s()
	n := 0
	switch in[0].DType {
	case op.Float32:
		n = greatestRows(o.K, at, in[0].Float32s(), best, lengths)
	case op.Float64:
		n = greatestRows(o.K, at, in[0].Float64s(), best, lengths)
	}
	return e.SetCount(0, n)
}

// greatestRows writes the places of the k greatest scores of each sequence to best and how many to lengths, and returns how many in all.
func greatestRows[T float32 | float64](k int, at places, scores []T, best, lengths []int32) int {
	n := 0
	for s := range lengths {
		from, to := at.bounds(s)
		all := best[n:][:to-from] // what was written before is no longer than what was read
		for i := range all {
			all[i] = int32(i)
		}
		slices.SortFunc(all, func(a, b int32) int {
			return cmp.Or(descending(scores[at.of(from+a)], scores[at.of(from+b)]), cmp.Compare(a, b))
		})
		lengths[s] = int32(min(k, len(all)))
		n += int(lengths[s])
	}
	return n
}

// descending compares scores, NaN being the greatest; cmp.Compare takes it for the least.
func descending[T float32 | float64](a, b T) int {
	if (a != a) != (b != b) {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(b, a)
}
