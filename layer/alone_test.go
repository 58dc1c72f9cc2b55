package layer_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paddle"
	"paddle/op"
	"paddle/op/optest"
	"paddle/sequence"
)

// overTime is a layer on sequences of rows of in numbers, and on states before the first token.
type overTime struct {
	name string
	in   int
	init []int // widths of the states
	make func() (model any, build building)
}

// building builds a layer on x and on states.
type building = func(x *sequence.Node, init []*op.Node) (h *sequence.Node, last []*op.Node)

// someLengths are lists of lengths that come near every edge.
func someLengths() [][]int {
	lists := [][]int{{}, {0}, {1}, {0, 0, 0}, {5, 5, 5}, {1, 1}, {4, 5, 3}, {0, 3, 0, 3, 1, 0}, {1, 2, 73, 1, 0, 3}}
	r := rand.New(rand.NewPCG(3, 4))
	for range 6 {
		n := make([]int, r.IntN(9))
		for i := range n {
			n[i] = r.IntN(8)
		}
		lists = append(lists, n)
	}
	return lists
}

// check compares what the layer makes of a batch with what it makes of each sequence alone: results, last states, and the gradients of
// Σ h·dh + Σ last·dlast for the rows, the states and the parameters, the last of which add up.
func (l *overTime) check(t *testing.T) {
	t.Helper()
	p, outputs, each := l.compile(t)
	r := rand.New(rand.NewPCG(5, 6))
	for _, lengths := range someLengths() {
		samples := make([]drawn, len(lengths))
		for i, n := range lengths {
			samples[i] = l.draw(r, outputs, n)
		}
		together := l.run(t, p, outputs, samples)
		want := make([][]float64, len(together))
		for k := each; k < len(want); k++ {
			want[k] = make([]float64, len(together[k]))
		}
		for i := range samples {
			for k, y := range l.run(t, p, outputs, samples[i:i+1]) {
				if k < each {
					want[k] = append(want[k], y...)
					continue
				}
				for j, v := range y {
					want[k][j] += v
				}
			}
		}
		for k := range want {
			if at := apart(together[k], want[k], 1e-10); at != "" {
				t.Errorf("%s, lengths %v: output %d: %s", l.name, lengths, k, at)
			}
		}
	}
}

// outputs describes the widths of h and of the last states.
type outputs struct {
	h    int
	last []int
}

// compile returns the program and how many of its outputs have rows for each token or sequence; the others are gradients of parameters.
func (l *overTime) compile(t *testing.T) (p *paddle.Predictor, o outputs, each int) {
	t.Helper()
	model, build := l.make()
	g := op.NewGraph(model)
	x := sequence.Input(g, "x", op.Float64, op.Dim(l.in))
	var init []*op.Node
	for i, width := range l.init {
		init = append(init, g.Input(fmt.Sprint("init", i), op.Float64, op.Batch, op.Dim(width)))
	}
	h, last := build(x, init)
	if err := g.Err(); err != nil {
		t.Fatal(l.name, err)
	}
	o.h = int(h.Dim(1))
	dh := sequence.Input(g, "dh", op.Float64, h.Dim(1)).As(x)
	loss := op.Sum(sequence.Combine(func(rows ...*op.Node) *op.Node { return op.Mul(rows[0], rows[1]) }, h, dh).Rows())
	for i, n := range last {
		o.last = append(o.last, int(n.Dim(1)))
		loss = op.Add(loss, op.Sum(op.Mul(n, g.Input(fmt.Sprint("dlast", i), op.Float64, op.Batch, n.Dim(1)))))
	}
	wrt := append([]*op.Node{x.Rows()}, init...)
	fetch := append([]*op.Node{h.Rows()}, last...)
	each = len(fetch) + len(wrt)
	randomise(t, g)
	for _, p := range g.Parameters() {
		wrt = append(wrt, g.ReadParameter(p))
	}
	for i, d := range op.Gradient(loss, wrt...) {
		if d == nil {
			t.Fatalf("%s: input %d has no gradient", l.name, i)
		}
		fetch = append(fetch, op.Densify(d))
	}
	p, err := paddle.NewPredictor(fetch...)
	if err != nil {
		t.Fatal(l.name, err)
	}
	return p, o, each
}

// randomise gives all parameters random values, those too that start as a constant.
func randomise(t *testing.T, g *op.Graph) {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 10))
	for _, p := range g.Parameters() {
		b := op.NewBuffer(op.Float64, p.Shape()...)
		for i := range b.Float64s() {
			b.Float64s()[i] = r.Float64() - 0.5
		}
		if err := p.Assign(b); err != nil {
			t.Fatal(err)
		}
	}
}

// drawn is what is fed for one sequence: the rows of x and dh, and the states and the gradients of the last states, each one row.
type drawn struct {
	x, dh       []float64
	init, dlast [][]float64
}

// draw makes random feeds for a sequence of length n.
func (l *overTime) draw(r *rand.Rand, o outputs, n int) (d drawn) {
	rows := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = 2*r.Float64() - 1
		}
		return x
	}
	d.x, d.dh = rows(n*l.in), rows(n*o.h)
	for _, width := range l.init {
		d.init = append(d.init, rows(width))
	}
	for _, width := range o.last {
		d.dlast = append(d.dlast, rows(width))
	}
	return d
}

// run returns the elements of all outputs for a batch of samples.
func (l *overTime) run(t *testing.T, p *paddle.Predictor, o outputs, samples []drawn) [][]float64 {
	t.Helper()
	feeds := op.Feeds{}
	of := func(name string, width int, get func(d drawn) []float64) {
		var rows [][]float64
		for _, s := range samples {
			rows = append(rows, get(s))
		}
		b, err := sequence.NewBatch(rows, width)
		if err != nil {
			t.Fatal(err)
		}
		b.Feed(feeds, name)
	}
	of("x", l.in, func(d drawn) []float64 { return d.x })
	of("dh", o.h, func(d drawn) []float64 { return d.dh })
	for i, width := range l.init {
		of(fmt.Sprint("init", i), width, func(d drawn) []float64 { return d.init[i] })
	}
	for i, width := range o.last {
		of(fmt.Sprint("dlast", i), width, func(d drawn) []float64 { return d.dlast[i] })
	}
	for name := range feeds {
		if name != "x.lengths" && name != "dh.lengths" && strings.HasSuffix(name, ".lengths") {
			delete(feeds, name)
		}
	}
	var out [][]float64
	err := p.View(context.Background(), feeds, func(values []op.Buffer) error {
		for _, b := range values {
			out = append(out, slices.Clone(b.Float64s()))
		}
		return nil
	})
	if err != nil {
		t.Fatal(l.name, err)
	}
	return out
}

// apart says where two lists are not equal within a tolerance.
func apart(got, want []float64, tolerance float64) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d elements, want %d", len(got), len(want))
	}
	for i, v := range want {
		if !(math.Abs(got[i]-v) <= tolerance*(1+math.Abs(v))) {
			return fmt.Sprintf("element %d is %v, want %v", i, got[i], v)
		}
	}
	return ""
}

// checkGradients holds the layer to the rules of optest, gradients by differences among them, on four sequences, one of them empty.
func (l *overTime) checkGradients(t *testing.T) {
	inputs := []optest.Input{
		optest.Between(-1, 1, op.Batch, 3, op.Dim(l.in)),
		{DType: op.Int32, Shape: []op.Dim{op.Batch}, Values: []float64{1, 0, 7, 4}, NoGradient: true}, // three rows a sequence on average
	}
	for _, width := range l.init {
		state := optest.Between(-1, 1, op.Batch, op.Dim(width))
		state.Optional = true
		inputs = append(inputs, state)
	}
	optest.Check(t, optest.Case{
		Name: l.name, In: inputs, Batches: []int{4},
		Model: func() (any, optest.Build) {
			model, build := l.make()
			return model, func(inputs ...*op.Node) []*op.Node {
				rows := op.Reshape(inputs[0], op.Auto, op.Dim(l.in))
				h, last := build(sequence.New(rows, inputs[1]), inputs[2:])
				return append([]*op.Node{h.Rows()}, last...)
			}
		},
	})
}
