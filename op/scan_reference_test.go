package op_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"paddle/op"
)

// cell is a step that is built twice: in a Scan over all sequences, and one sequence after another, step by step, where each value has the
// rows of that sequence only.
type cell struct {
	name               string
	rows, init, static int  // how many of each, all (…, width) Float64
	ids                bool // another of Rows, and of Init: ids (…) Int32
	stream, ragged     bool // Streams[0] and Ragged[0] have a value and the rank of the sequence of each row, Int32
	raggedInit         bool // Ragged[0] has a memory
	streamOut          bool // the last output has the rows of the stream
	step               func(w weightsOf, s *op.ScanStep) (out, next []*op.Node)
}

// weightsOf are values of the enclosing graph.
type weightsOf struct {
	a, b, bias, table, derived *op.Node
}

const width = 3

// world is a graph with the inputs for a cell and sequences of given lengths, sorted.
type world struct {
	cell    cell
	graph   *op.Graph
	lengths []int
	reverse bool
	starts  []int32
	feeds   op.Feeds
	in      map[string]*op.Node
	wrt     []*op.Node
	rng     *rand.Rand
	weights weightsOf
	coefs   []op.Buffer // of the loss
	symbols bool        // sizes are symbols, not numbers
}

func newWorld(c cell, lengths []int, reverse bool) *world {
	return makeWorld(c, lengths, reverse, false)
}

func makeWorld(c cell, lengths []int, reverse, symbols bool) *world {
	w := &world{
		cell: c, graph: op.NewGraph(nil), lengths: lengths, reverse: reverse, feeds: op.Feeds{}, in: map[string]*op.Node{},
		rng: rand.New(rand.NewPCG(3, 4)), symbols: symbols,
	}
	w.starts = append(w.starts, 0)
	for n := 0; w.widthAt(n) > 0; n++ {
		w.starts = append(w.starts, w.starts[n]+int32(w.widthAt(n)))
	}
	rows, batch := w.rows(), len(lengths)
	w.ints("starts", w.starts)
	for i := range c.rows {
		w.floats(fmt.Sprint("x", i), rows, width)
	}
	for i := range c.init {
		w.floats(fmt.Sprint("h", i), batch, width)
	}
	for i := range c.static {
		w.floats(fmt.Sprint("s", i), batch, width)
	}
	if c.ids {
		w.someInts("ids", rows, 5)
		w.someInts("id0", batch, 5)
	}
	if c.stream {
		bounds, ranks := []int32{0}, []int32{}
		for n := range w.steps() {
			for r := range w.widthAt(n) {
				for range w.sub(r, n) {
					ranks = append(ranks, int32(r))
				}
			}
			bounds = append(bounds, int32(len(ranks)))
		}
		w.ints("bounds", bounds)
		w.ints("ranks", ranks)
		w.floats("words", len(ranks), width)
	}
	if c.ragged {
		ends, ranks := []int32{}, []int32{}
		for r := range lengths {
			for range w.long(r) {
				ranks = append(ranks, int32(r))
			}
		}
		for n := range w.steps() {
			ends = append(ends, int32(w.offset(w.widthAt(n))))
		}
		w.ints("ends", ends)
		w.ints("seg", ranks)
		w.floats("enc", len(ranks), width)
		w.floats("enc0", len(ranks), width)
	}
	w.weights = weightsOf{
		a: w.floats("a", width, width), b: w.floats("b", width, width), bias: w.floats("bias", width), table: w.floats("table", 5, width),
	}
	w.weights.derived = op.Tanh(op.Add(w.weights.a, w.weights.bias))
	return w
}

func (w *world) steps() int { return len(w.starts) - 1 }
func (w *world) rows() int  { return int(w.starts[len(w.starts)-1]) }

// widthAt returns how many sequences are longer than n.
func (w *world) widthAt(n int) int {
	k := 0
	for _, l := range w.lengths {
		if l > n {
			k++
		}
	}
	return k
}

// sub is the length of the n-th sub-sequence of sequence r, and long the length of its ragged value; both are 0 at times.
func (w *world) sub(r, n int) int { return (r*5 + n*3 + 1) % 4 }
func (w *world) long(r int) int   { return (r*2 + 2) % 5 }

// offset returns where the ragged rows of sequence r begin.
func (w *world) offset(r int) int {
	n := 0
	for i := range r {
		n += w.long(i)
	}
	return n
}

// boundsAt returns where the sub-sequence n of sequence r begins.
func (w *world) boundsAt(r, n int) int {
	at := 0
	for m := 0; m <= n; m++ {
		for i := range w.widthAt(m) {
			if m < n || i < r {
				at += w.sub(i, m)
			}
		}
	}
	return at
}

func (w *world) floats(name string, shape ...int) *op.Node {
	n := 1
	dims := make([]op.Dim, len(shape))
	for i, s := range shape {
		n, dims[i] = n*s, op.Dim(s)
	}
	dims[0] = w.size(name, shape[0])
	data := make([]float64, n)
	for i := range data {
		data[i] = w.rng.NormFloat64() / 2
	}
	w.feeds[name] = buffer(data, shape...).Dense()
	w.in[name] = w.graph.Input(name, op.Float64, dims...)
	w.wrt = append(w.wrt, w.in[name])
	return w.in[name]
}

// size returns the number n of rows of an input, or the symbol for it.
func (w *world) size(name string, n int) op.Dim {
	symbol := map[string]string{
		"starts": "steps", "bounds": "steps", "ends": "ends", "x0": "rows", "x1": "rows", "ids": "rows", "h0": "batch", "h1": "batch", "id0": "batch",
		"s0": "batch", "words": "words", "ranks": "words", "enc": "enc", "enc0": "enc", "seg": "enc",
	}[name]
	if !w.symbols || symbol == "" {
		return op.Dim(n)
	}
	return w.graph.Dim(symbol)
}

func buffer(data []float64, shape ...int) op.Buffer {
	b := op.NewBuffer(op.Float64, shape...)
	copy(b.Float64s(), data)
	return b
}

func (w *world) ints(name string, data []int32) {
	b := op.NewBuffer(op.Int32, len(data))
	copy(b.Int32s(), data)
	w.feeds[name] = b.Dense()
	w.in[name] = w.graph.Input(name, op.Int32, w.size(name, len(data)))
}

func (w *world) someInts(name string, n, below int) {
	data := make([]int32, n)
	for i := range data {
		data[i] = int32(w.rng.IntN(below))
	}
	w.ints(name, data)
}

func (w *world) several(prefix string, n int) []*op.Node {
	var out []*op.Node
	for i := range n {
		out = append(out, w.in[fmt.Sprint(prefix, i)])
	}
	return out
}

// inputs returns what a Scan over the world takes.
func (w *world) inputs() op.ScanInputs {
	c := w.cell
	in := op.ScanInputs{Starts: w.in["starts"], Rows: w.several("x", c.rows), Init: w.several("h", c.init), Static: w.several("s", c.static), Reverse: w.reverse}
	if c.ids {
		in.Rows, in.Init = append(in.Rows, w.in["ids"]), append(in.Init, w.in["id0"])
	}
	if c.stream {
		in.Streams = []op.Stream{{Bounds: w.in["bounds"], Rows: []*op.Node{w.in["words"], w.in["ranks"]}}}
	}
	if c.ragged {
		r := op.Ragged{Ends: w.in["ends"], Static: []*op.Node{w.in["enc"], w.in["seg"]}}
		if c.raggedInit {
			r.Init = []*op.Node{w.in["enc0"]}
		}
		in.Ragged = []op.Ragged{r}
	}
	return in
}

// loss weighs every element of what a cell returns differently.
func (w *world) loss(t *testing.T) *op.Node {
	t.Helper()
	outs, last := op.Scan(w.inputs(), func(s *op.ScanStep) (out, next []*op.Node) { return w.cell.step(w.weights, s) })
	loss := w.graph.Full(op.Float64, 0)
	k := 0
	for _, n := range append(append([]*op.Node{}, outs...), last...) {
		if n.Err() != nil {
			t.Fatal(n.Err())
		}
		if k++; n.DType() != op.Float64 {
			w.coefs = append(w.coefs, op.Buffer{})
			continue
		}
		if w.symbols {
			loss = op.Add(loss, op.Sum(op.Mul(n, w.graph.Input(fmt.Sprint("k", k), op.Float64, n.Shape()...))))
		} else {
			c := w.coefficients(k, int(n.Dim(0)))
			b, _ := c.Constant()
			w.coefs = append(w.coefs, b)
			loss = op.Add(loss, op.Sum(op.Mul(n, c)))
		}
	}
	return loss
}

// coefficients are the weights in the loss of value k.
func (w *world) coefficients(k, rows int) *op.Node {
	return w.graph.Constant(buffer(weights(rows*width, func(x float64) float64 { return math.Sin(x + float64(k)) }), rows, width).Dense())
}

func part(n *op.Node, from, to int) *op.Node { return op.Slice(n, 0, op.Dim(from), op.Dim(to)) }

func parts(ns []*op.Node, from, to int) []*op.Node {
	var out []*op.Node
	for _, n := range ns {
		out = append(out, part(n, from, to))
	}
	return out
}

// unrolled is loss without a Scan: each sequence for itself, step by step.
func (w *world) unrolled() *op.Node {
	in := w.inputs()
	loss := w.graph.Full(op.Float64, 0)
	add := func(k, rows, from int, n *op.Node) {
		if n.DType() == op.Float64 {
			c := part(w.coefficients(k, rows), from, from+int(n.Dim(0)))
			loss = op.Add(loss, op.Sum(op.Mul(n, c)))
		}
	}
	for r, length := range w.lengths {
		s := &op.ScanStep{Memory: parts(in.Init, r, r+1), Static: parts(in.Static, r, r+1)}
		from, to := w.offset(r), w.offset(r+1)
		for _, x := range in.Ragged {
			s.Memory = append(s.Memory, parts(x.Init, from, to)...)
			s.Ragged = [][]*op.Node{{part(x.Static[0], from, to), w.graph.Full(op.Int32, 0, op.Dim(to-from))}}
		}
		outputs := 0
		for k := range length {
			n := k
			if w.reverse {
				n = length - 1 - k
			}
			at := int(w.starts[n]) + r
			s.Rows = parts(in.Rows, at, at+1)
			lo := 0
			for _, x := range in.Streams {
				lo = w.boundsAt(r, n)
				hi := lo + w.sub(r, n)
				s.Streams = [][]*op.Node{{part(x.Rows[0], lo, hi), w.graph.Full(op.Int32, 0, op.Dim(hi-lo))}}
			}
			out, next := w.cell.step(w.weights, s)
			outputs = len(out)
			for i, y := range out {
				if w.cell.streamOut && i == len(out)-1 {
					add(i+1, int(in.Streams[0].Rows[0].Dim(0)), lo, y)
				} else {
					add(i+1, w.rows(), at, y)
				}
			}
			s.Memory = next
		}
		if outputs == 0 {
			outputs = w.outputs()
		}
		for i, m := range s.Memory {
			rows, from := len(w.lengths), r
			if i >= len(in.Init) {
				rows, from = w.offset(rows), w.offset(r)
			}
			add(outputs+1+i, rows, from, m)
		}
	}
	return loss
}

// outputs returns how many outputs the cell has.
func (w *world) outputs() int {
	outs, _ := op.Scan(w.inputs(), func(s *op.ScanStep) (out, next []*op.Node) { return w.cell.step(w.weights, s) })
	return len(outs)
}
