package sequence_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
	"paddle/sequence"
)

// sample is what one sequence of a check brings: the rows of each input, one after another, row-major.
type sample [][]float64

// loop is a function of sequences and what it is of one sequence alone, written as plainly as can be.
type loop struct {
	name   string
	widths []int // of the inputs; a negative one is that of an input of one row a sequence
	build  func(xs []*sequence.Node, rows []*op.Node) *op.Node
	alone  func(n int, s sample) []float64
}

// someLengths are lists of lengths that come near every edge.
func someLengths() [][]int {
	lists := [][]int{{}, {0}, {1}, {0, 0, 0}, {5, 5, 5}, {1, 1}, {4, 5, 3}, {0, 3, 0, 3, 1, 0}, {41, 1, 1, 2}}
	r := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		n := make([]int, r.IntN(8))
		for i := range n {
			n[i] = r.IntN(7)
		}
		lists = append(lists, n)
	}
	return lists
}

// check compares a function and its gradients with the loop over single sequences, for rows in both orders.
func (l loop) check(t *testing.T) {
	t.Helper()
	inOrder, packed := l.compile(t, false), l.compile(t, true)
	r := rand.New(rand.NewPCG(5, 6))
	for _, lengths := range someLengths() {
		samples := l.samples(r, lengths)
		feeds := l.feeds(t, samples, lengths)
		out, other := run(t, inOrder, feeds), run(t, packed, feeds)
		for i := range out {
			if at := differ(out[i], other[i], 0); at != "" {
				t.Errorf("%s %v: output %d differs between the orders: %s", l.name, lengths, i, at)
			}
		}
		want := l.want(samples, lengths)
		if at := differ(out[0], want, 1e-10); at != "" {
			t.Errorf("%s %v: %s", l.name, lengths, at)
			continue
		}
		for i := range l.widths {
			if at := differ(out[1+i], l.slope(samples, lengths, i), 1e-10); at != "" {
				t.Errorf("%s %v: gradient %d: %s", l.name, lengths, i, at)
			}
		}
	}
}

// compile builds the function, and the gradients of Σ out·cos(3·out) where the second factor counts as a number.
func (l loop) compile(t *testing.T, packed bool) *paddle.Predictor {
	t.Helper()
	g := op.NewGraph(nil)
	var xs []*sequence.Node
	var rows, wrt []*op.Node
	for i, w := range l.widths {
		name := fmt.Sprint("x", i)
		if w < 0 {
			rows = append(rows, g.Input(name, op.Float64, op.Batch, op.Dim(-w)))
			wrt = append(wrt, rows[len(rows)-1])
			continue
		}
		x := sequence.Input(g, name, op.Float64, op.Dim(w))
		wrt = append(wrt, x.Rows())
		if len(xs) > 0 {
			x = x.As(xs[0])
		}
		xs = append(xs, x)
	}
	if packed {
		for i, x := range xs {
			p := x.Pack()
			xs[i] = p.Of(p.Rows)
		}
	}
	out := l.build(xs, rows)
	dy := op.StopGradient(op.Cos(op.MulConst(out, 3)))
	grads := op.VJP([]*op.Node{out}, []*op.Node{dy}, wrt)
	for i, d := range grads {
		if d == nil {
			grads[i] = op.Zeros(wrt[i])
		} else if d.Sparse() != nil {
			grads[i] = op.Densify(d)
		}
	}
	p, err := paddle.NewPredictor(append([]*op.Node{out}, grads...)...)
	if err != nil {
		t.Fatalf("%s: %v", l.name, err)
	}
	return p
}

func (l loop) samples(r *rand.Rand, lengths []int) []sample {
	out := make([]sample, len(lengths))
	for i, n := range lengths {
		for _, w := range l.widths {
			rows := n
			if w < 0 {
				rows, w = 1, -w
			}
			x := make([]float64, rows*w)
			for j := range w {
				for k, at := range r.Perm(rows) { // no two of a column near each other, because of maxima
					x[k*w+j] = 4*(float64(at)+0.5*r.Float64())/float64(rows) - 2
				}
			}
			out[i] = append(out[i], x)
		}
	}
	return out
}

func (l loop) feeds(t *testing.T, samples []sample, lengths []int) op.Feeds {
	t.Helper()
	feeds := op.Feeds{}
	for i, w := range l.widths {
		all := make([][]float64, len(samples))
		for j, s := range samples {
			all[j] = s[i]
		}
		name := fmt.Sprint("x", i)
		if w < 0 {
			flat := slices.Concat(all...)
			feeds[name] = tensor.New(tensor.WithShape(len(samples), -w), tensor.WithBacking(append([]float64{}, flat...)))
			continue
		}
		batch(t, all, w).Feed(feeds, name)
	}
	return feeds
}

// want runs the loop.
func (l loop) want(samples []sample, lengths []int) []float64 {
	var out []float64
	for i, s := range samples {
		out = append(out, l.alone(lengths[i], s)...)
	}
	return out
}

// slope returns the gradient for one input by five-point differences of the loop, whose error is of the order of 1e-12.
func (l loop) slope(samples []sample, lengths []int, input int) []float64 {
	const h = 2e-3
	var out []float64
	for i, s := range samples {
		y := l.alone(lengths[i], s)
		at := func(x *float64, v float64) float64 {
			old := *x
			*x = v
			sum := 0.0
			for j, p := range l.alone(lengths[i], s) {
				sum += p * math.Cos(3*y[j])
			}
			*x = old
			return sum
		}
		for j := range s[input] {
			x := &s[input][j]
			v := *x
			out = append(out, (8*(at(x, v+h)-at(x, v-h))-(at(x, v+2*h)-at(x, v-2*h)))/(12*h))
		}
	}
	return out
}

// run returns the elements of each output.
func run(t *testing.T, p *paddle.Predictor, feeds op.Feeds) [][]float64 {
	t.Helper()
	out, err := p.Predict(context.Background(), feeds)
	if err != nil {
		t.Fatal(err)
	}
	all := make([][]float64, len(out))
	for i, x := range out {
		all[i] = data[float64](t, x)
	}
	return all
}

// differ says where two lists are not equal within a tolerance; NaN equals NaN.
func differ(got, want []float64, tolerance float64) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d elements, want %d", len(got), len(want))
	}
	for i, w := range want {
		if g := got[i]; math.Float64bits(g) != math.Float64bits(w) && !(math.Abs(g-w) <= tolerance) {
			return fmt.Sprintf("element %d is %v, want %v", i, g, w)
		}
	}
	return ""
}

// tensorOf returns values under a shape.
func tensorOf[T sequence.Element](values []T, shape ...int) *tensor.Dense {
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(values))
}
