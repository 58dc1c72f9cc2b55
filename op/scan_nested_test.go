package op_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"paddle/op"
)

// nested holds sequences of sub-sequences of words: lengths[r][n] is the length of sub-sequence n of sequence r. Sequences are sorted by how
// many sub-sequences they have, and within each n the sub-sequences by length, so that one order serves both levels.
type nested struct {
	lengths [][]int
	starts  []int32 // of the outer steps
	bounds  []int32 // of words
	tables  []int32 // the starts of the inner steps, of all outer steps
	marks   []int32 // bounds of tables
	index   map[[3]int]int
}

func newNested(lengths [][]int) *nested {
	n := &nested{lengths: lengths, starts: []int32{0}, bounds: []int32{0}, marks: []int32{0}, index: map[[3]int]int{}}
	for step := 0; ; step++ {
		live, longest := 0, 0
		for _, l := range lengths {
			if len(l) > step {
				live, longest = live+1, max(longest, l[step])
			}
		}
		if live == 0 {
			return n
		}
		n.starts = append(n.starts, n.starts[step]+int32(live))
		first := len(n.index)
		for k := range longest {
			n.tables = append(n.tables, int32(len(n.index)-first))
			for r, l := range lengths {
				if len(l) > step && l[step] > k {
					n.index[[3]int{r, step, k}] = len(n.index)
				}
			}
		}
		n.tables = append(n.tables, int32(len(n.index)-first))
		n.bounds = append(n.bounds, int32(len(n.index)))
		n.marks = append(n.marks, int32(len(n.tables)))
	}
}

// TestNestedScan compares a Scan over sub-sequences with a Scan over their words inside with the same, unrolled.
func TestNestedScan(t *testing.T) {
	for _, lengths := range [][][]int{{{3, 2, 4}, {2, 2}, {2, 0}, {}}, {{1}}, {{0, 0}, {0}}, {{5, 1, 1, 0, 2}}} {
		n := newNested(lengths)
		g := op.NewGraph(nil)
		feeds := op.Feeds{}
		rng := rand.New(rand.NewPCG(1, 2))
		ints := func(name string, data []int32, dim op.Dim) *op.Node {
			b := op.NewBuffer(op.Int32, len(data))
			copy(b.Int32s(), data)
			feeds[name] = b.Dense()
			return g.Input(name, op.Int32, dim)
		}
		floats := func(name string, rows int, dim op.Dim) *op.Node {
			feeds[name] = buffer(weights(rows*width, func(float64) float64 { return rng.NormFloat64() / 2 }), rows, width).Dense()
			return g.Input(name, op.Float64, dim, width)
		}
		starts, bounds := ints("starts", n.starts, g.Dim("starts")), ints("bounds", n.bounds, g.Dim("starts"))
		marks, tables := ints("marks", n.marks, g.Dim("starts")), ints("tables", n.tables, g.Dim("tables"))
		words, h0 := floats("words", len(n.index), g.Dim("words")), floats("h0", len(lengths), op.Batch)
		x := floats("x", int(n.starts[len(n.starts)-1]), g.Dim("rows"))
		a, b := floats("a", width, width), floats("b", width, width)
		word := func(x, h *op.Node) *op.Node { return op.Tanh(op.Add(op.MatMul(x, a), op.MatMul(h, b))) }
		sentence := func(x, h, end *op.Node) *op.Node {
			return op.Tanh(op.Add(op.MatMul(op.Add(x, end), b), op.Mul(h, end)))
		}

		outs, last := op.Scan(op.ScanInputs{
			Starts: starts, Rows: nodes(x), Init: nodes(h0),
			Streams: []op.Stream{{Bounds: bounds, Rows: nodes(words)}, {Bounds: marks, Rows: nodes(tables)}},
		}, func(s *op.ScanStep) (out, next []*op.Node) {
			inner, end := op.Scan(op.ScanInputs{Starts: s.Streams[1][0], Rows: nodes(s.Streams[0][0]), Init: nodes(s.Memory[0])},
				func(s *op.ScanStep) (out, next []*op.Node) {
					h := word(s.Rows[0], s.Memory[0])
					return nodes(h), nodes(h)
				})
			return nodes(inner[0]), nodes(sentence(s.Rows[0], s.Memory[0], end[0]))
		})
		scanned := op.Add(op.Sum(op.Square(outs[0])), op.Sum(op.Square(op.AddConst(last[0], 0.3))))

		unrolled := g.Full(op.Float64, 0)
		for r, subs := range lengths {
			h := op.Slice(h0, 0, op.Dim(r), op.Dim(r+1))
			for step, length := range subs {
				end := h
				for k := range length {
					i := n.index[[3]int{r, step, k}]
					end = word(part(words, i, i+1), end)
					unrolled = op.Add(unrolled, op.Sum(op.Square(end)))
				}
				i := int(n.starts[step]) + r
				h = sentence(part(x, i, i+1), h, end)
			}
			unrolled = op.Add(unrolled, op.Sum(op.Square(op.AddConst(h, 0.3))))
		}
		wrt := nodes(words, h0, x, a, b)
		fetch := nodes(scanned, unrolled)
		got, want := op.Gradient(scanned, wrt...), op.Gradient(unrolled, wrt...)
		for i, w := range wrt {
			for _, d := range nodes(got[i], want[i]) {
				if d == nil {
					d = op.Zeros(w)
				}
				fetch = append(fetch, d)
			}
		}
		values := compute(t, g, feeds, fetch...)
		for i, w := range append(nodes(scanned), wrt...) {
			near(t, w.Name(), values[2*i], values[2*i+1], 1e-11)
		}
		if math.IsNaN(values[0][0]) {
			t.Error("the loss is NaN")
		}
	}
}
