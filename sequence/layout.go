package sequence

import (
	"fmt"
	"math"

	"paddle/op"
)

// layout is what sequences have in common that were computed row by row from one another: their lengths, and the order of Pack, which
// is built when something first asks for it.
type layout struct {
	lengths *op.Node // (sequences) Int32
	tokens  op.Dim
	name    string // of the lengths, for errors

	at     *op.Node // starts
	sorted *Packed
}

func (l *layout) sequences() op.Dim { return l.lengths.Dim(0) }

func (l *layout) starts() *op.Node {
	if l.at == nil {
		l.at = op.Apply(starts{Tokens: l.tokens, Lengths: l.name}, l.lengths)[0]
	}
	return l.at
}

// starts turns lengths into their running sum, from 0 to Tokens. Lengths is their name.
type starts struct {
	Tokens  op.Dim
	Lengths string
}

func (starts) Name() string { return "starts" }

func (o starts) Infer(s *op.Shapes) ([]op.Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	return []op.Spec{{DType: op.Int32, Shape: []op.Dim{s.AddConst(s.In[0].Shape[0], 1)}}}, nil
}

func (o starts) Run(e *op.Env, in, out []op.Buffer) error {
	tokens, y := e.Size(o.Tokens), out[0].Int32s()
	if tokens > math.MaxInt32 {
		return fmt.Errorf("%d tokens, want at most %d", tokens, math.MaxInt32)
	}
	at := 0
	y[0] = 0
	for i, n := range in[0].Int32s() {
		if n < 0 || int(n) > tokens-at {
			return badLengths(o.Lengths, in[0].Int32s(), tokens)
		}
		at += int(n)
		y[i+1] = int32(at)
	}
	if at != tokens {
		return fmt.Errorf("%s add up to %d, want %d, the number of rows", o.Lengths, at, tokens)
	}
	return nil
}

// badLengths says what is wrong with lengths: one is negative, or they are more than there are tokens.
func badLengths(name string, lengths []int32, tokens int) error {
	total := 0
	for i, n := range lengths {
		if n < 0 {
			return fmt.Errorf("%s: sequence %d has length %d, want 0 or more", name, i, n)
		}
		total += int(n)
	}
	return fmt.Errorf("%s add up to %d, want %d, the number of rows", name, total, tokens)
}
