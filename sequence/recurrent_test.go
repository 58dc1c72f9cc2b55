package sequence_test

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"paddle/internal/exec"
	"paddle/op"
	"paddle/sequence"
)

// hidden is the size of the states in these tests.
const hidden = 3

// cell is a recurrent op, and one step of it for one sequence, written as plainly as can be.
type cell struct {
	name    string
	gates   int     // multiples of hidden in a row of gates
	states  int     // of hidden numbers each
	weights [][]int // shapes
	build   func(gates *sequence.Node, o cellNodes) (tokens []*sequence.Node, last []*op.Node)
	// step returns the state after a token: gates and weights are row-major, seen is the first state times the mask. Numbers are complex
	// because of slope.
	step func(gates, seen []complex128, state, weights [][]complex128) [][]complex128
	// tokens is how many of the states each token shows.
	tokens int
}

// cellNodes are the nodes that a recurrent op is built from.
type cellNodes struct {
	weights, init []*op.Node
	mask          *op.Node
	reverse       bool
}

func (o cellNodes) state(i int) *op.Node {
	if o.init == nil {
		return nil
	}
	return o.init[i]
}

// cellOptions is what every cell is tried with and without.
type cellOptions struct{ reverse, init, mask bool }

// cellValues are numbers for all inputs of a cell.
type cellValues struct {
	lengths       []int
	gates         [][]complex128   // by sequence
	init          [][][]complex128 // by state and sequence
	mask, weights [][]complex128
}

func TestCells(t *testing.T) {
	for _, c := range cells {
		for i := range 8 {
			o := cellOptions{i&1 > 0, i&2 > 0, i&4 > 0}
			t.Run(fmt.Sprintf("%s/%+v", c.name, o), func(t *testing.T) { c.check(t, o) })
		}
	}
}

// check compares results and all gradients with the plain loop and its derivatives.
func (c *cell) check(t *testing.T, o cellOptions) {
	p := c.compile(t, o)
	r := rand.New(rand.NewPCG(7, 8))
	for _, lengths := range someLengths() {
		v := c.values(r, lengths)
		got := c.run(t, p, o, v)
		y := c.alone(o, v)
		if at := differ(slices.Concat(got[:c.outputs()]...), reals(y), 1e-10); at != "" {
			t.Errorf("%v: %s", lengths, at)
			continue
		}
		for i, x := range c.inputs(o, v) {
			if at := differ(got[c.outputs()+i], c.slope(o, v, y, x), 1e-10); at != "" {
				t.Errorf("%v: gradient %d: %s", lengths, i, at)
			}
		}
	}
}

// outputs is how many nodes the op gives: rows of tokens and last states.
func (c *cell) outputs() int { return c.tokens + c.states }

// compile builds the op for training, and the gradients of Σ y·cos(3·y) over its results, where the second factor counts as a number.
func (c *cell) compile(t *testing.T, o cellOptions) *exec.Program {
	t.Helper()
	g := op.NewGraph(nil)
	gates := sequence.Input(g, "gates", op.Float64, op.Dim(c.gates*hidden))
	var n cellNodes
	wrt := []*op.Node{gates.Rows()}
	if o.init {
		for i := range c.states {
			n.init = append(n.init, g.Input(fmt.Sprint("init", i), op.Float64, op.Batch, hidden))
		}
		wrt = append(wrt, n.init...)
	}
	if o.mask {
		n.mask = g.Input("mask", op.Float64, op.Batch, hidden)
	}
	for i, shape := range c.weights {
		n.weights = append(n.weights, g.Input(fmt.Sprint("weight", i), op.Float64, dimsOf(shape)...))
	}
	wrt = append(wrt, n.weights...)
	n.reverse = o.reverse
	tokens, last := c.build(gates, n)
	var out, dy []*op.Node
	for _, x := range tokens {
		out = append(out, x.Rows())
	}
	out = append(out, last...)
	for _, y := range out {
		dy = append(dy, op.StopGradient(op.Cos(op.MulConst(y, 3))))
	}
	fetch := append(slices.Clone(out), op.VJP(out, dy, wrt)...)
	if err := g.Err(); err != nil {
		t.Fatal(err)
	}
	return program(t, op.Training, fetch)
}

// program compiles nodes of one graph in a mode.
func program(t *testing.T, mode op.Mode, fetch []*op.Node) *exec.Program {
	t.Helper()
	g, find := op.Copy(fetch[0].Graph(), mode, fetch...)
	found := make([]*op.Node, len(fetch))
	for i, n := range fetch {
		found[i] = find(n)
	}
	p, err := exec.Compile(g, found, exec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// runOnce returns the elements of each output.
func runOnce(t *testing.T, p *exec.Program, feeds op.Feeds) (out [][]float64) {
	t.Helper()
	err := p.Run(context.Background(), feeds, 0, func(values []op.Buffer) error {
		for _, b := range values {
			out = append(out, slices.Clone(b.Float64s()))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func dimsOf(shape []int) []op.Dim {
	out := make([]op.Dim, len(shape))
	for i, n := range shape {
		out[i] = op.Dim(n)
	}
	return out
}

// values draws numbers for sequences of the given lengths.
func (c *cell) values(r *rand.Rand, lengths []int) cellValues {
	draw := func(n int) []complex128 {
		x := make([]complex128, n)
		for i := range x {
			x[i] = complex(2*r.Float64()-1, 0)
		}
		return x
	}
	v := cellValues{lengths: lengths, init: make([][][]complex128, c.states)}
	for _, n := range lengths {
		v.gates = append(v.gates, draw(n*c.gates*hidden))
		for i := range v.init {
			v.init[i] = append(v.init[i], draw(hidden))
		}
		mask := make([]complex128, hidden)
		for i := range mask {
			mask[i] = complex(float64(r.IntN(2))*1.25, 0)
		}
		v.mask = append(v.mask, mask)
	}
	for _, shape := range c.weights {
		w := draw(tensor.Shape(shape).TotalSize())
		for i := range w {
			w[i] /= 2 // so that nothing grows without bound
		}
		v.weights = append(v.weights, w)
	}
	return v
}

// inputs returns what gradients are taken for, in the order of compile.
func (c *cell) inputs(o cellOptions, v cellValues) [][]*complex128 {
	pointers := func(lists ...[]complex128) (out []*complex128) {
		for _, x := range lists {
			for i := range x {
				out = append(out, &x[i])
			}
		}
		return out
	}
	all := [][]*complex128{pointers(v.gates...)}
	if o.init {
		for _, x := range v.init {
			all = append(all, pointers(x...))
		}
	}
	for _, w := range v.weights {
		all = append(all, pointers(w))
	}
	return all
}

func (c *cell) run(t *testing.T, p *exec.Program, o cellOptions, v cellValues) [][]float64 {
	t.Helper()
	matrix := func(rows [][]complex128) *tensor.Dense {
		return tensor.New(tensor.WithShape(len(rows), hidden), tensor.WithBacking(reals(slices.Concat(rows...))))
	}
	gates := make([][]float64, len(v.gates))
	for i, x := range v.gates {
		gates[i] = reals(x)
	}
	feeds := batch(t, gates, c.gates*hidden).Feeds("gates")
	if o.init {
		for i, x := range v.init {
			feeds[fmt.Sprint("init", i)] = matrix(x)
		}
	}
	if o.mask {
		feeds["mask"] = matrix(v.mask)
	}
	for i, w := range v.weights {
		feeds[fmt.Sprint("weight", i)] = tensor.New(tensor.WithShape(c.weights[i]...), tensor.WithBacking(reals(w)))
	}
	return runOnce(t, p, feeds)
}

// alone runs each sequence on its own, and returns the tokens' results, one kind after another, and then the last states.
func (c *cell) alone(o cellOptions, v cellValues) []complex128 {
	tokens, last := make([][]complex128, c.tokens), make([][]complex128, c.states)
	for s, n := range v.lengths {
		state := make([][]complex128, c.states)
		for i := range state {
			state[i] = make([]complex128, hidden)
			if o.init {
				state[i] = v.init[i][s]
			}
		}
		shown := make([][]complex128, n)
		for k := range n {
			at := k
			if o.reverse {
				at = n - 1 - k
			}
			seen := slices.Clone(state[0])
			for j := range seen {
				if o.mask {
					seen[j] *= v.mask[s][j]
				}
			}
			state = c.step(v.gates[s][at*c.gates*hidden:][:c.gates*hidden], seen, state, v.weights)
			shown[at] = slices.Concat(state[:c.tokens]...)
		}
		for i := range tokens {
			for _, row := range shown {
				tokens[i] = append(tokens[i], row[i*hidden:][:hidden]...)
			}
		}
		for i := range last {
			last[i] = append(last[i], state[i]...)
		}
	}
	return slices.Concat(append(tokens, last...)...)
}

// slope returns the gradient for numbers by complex steps of the loop (Squire and Trapp, 1998), which are exact; y is what it gives.
func (c *cell) slope(o cellOptions, v cellValues, y []complex128, x []*complex128) []float64 {
	const h = 1e-30
	out := make([]float64, len(x))
	for i, p := range x {
		*p += complex(0, h)
		for j, z := range c.alone(o, v) {
			out[i] += imag(z) / h * math.Cos(3*real(y[j]))
		}
		*p = complex(real(*p), 0)
	}
	return out
}

// reals returns real parts.
func reals(x []complex128) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = real(v)
	}
	return out
}

// rowTimes returns the row x times columns lo to hi of a matrix with the given number of columns.
func rowTimes(x, w []complex128, columns, lo, hi int) []complex128 {
	out := make([]complex128, hi-lo)
	for i, v := range x {
		for j := range out {
			out[j] += v * w[i*columns+lo+j]
		}
	}
	return out
}

func sigmoid(x complex128) complex128 { return 1 / (1 + cmplx.Exp(-x)) }
