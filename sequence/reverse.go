package sequence

import "paddle/op"

// Reverse returns the rows of each sequence in the opposite order: the last one first. Rows have any type.
func Reverse(x *Node) *Node {
	if x.Err() != nil {
		return x.failed()
	}
	packed := x.rows == nil
	index := op.Apply(reverse{Tokens: x.layout.tokens, Packed: packed}, x.layout.order(packed)...)[0]
	return x.of(permute(x.Node(), index, index), packed)
}

// reverse computes which row comes to the place of each when sequences are reversed. It is its own inverse.
type reverse struct {
	Tokens op.Dim
	Packed bool
}

func (reverse) Name() string { return "reverse" }

func (o reverse) Infer(s *op.Shapes) ([]op.Spec, error) {
	return []op.Spec{{DType: op.Int32, Shape: []op.Dim{o.Tokens}}}, nil
}

func (o reverse) Run(e *op.Env, in, out []op.Buffer) error {
	at, _ := placesIn(in, o.Packed)
	index := out[0].Int32s()
	for s := range at.count() {
		from, to := at.bounds(s)
		for i := from; i < to; i++ {
			index[at.of(i)] = at.of(from + to - 1 - i)
		}
	}
	return nil
}
