package op_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"paddle/internal/exec"
	"paddle/op"
)

// recurrence holds packed rows (rows, in) with shrinking steps, and the weights of hₙ = tanh(xₙ·W + hₙ₋₁·U).
type recurrence struct {
	starts  []int32
	x, h0   []float64
	w, u    []float64
	in, out int
}

func newRecurrence(widths []int, batch, in, out int) *recurrence {
	rng := rand.New(rand.NewPCG(1, 2))
	r := &recurrence{starts: []int32{0}, in: in, out: out}
	rows := 0
	for _, w := range widths {
		rows += w
		r.starts = append(r.starts, int32(rows))
	}
	fill := func(n int) []float64 {
		s := make([]float64, n)
		for i := range s {
			s[i] = rng.NormFloat64() / 2
		}
		return s
	}
	r.x, r.h0, r.w, r.u = fill(rows*in), fill(batch*out), fill(in*out), fill(out*out)
	return r
}

// run computes the recurrence row by row: the outputs of all rows and the last memories.
func (r *recurrence) run() (ys, last []float64) {
	last = append([]float64(nil), r.h0...)
	ys = make([]float64, len(r.x)/r.in*r.out)
	for n := range len(r.starts) - 1 {
		for i := r.starts[n]; i < r.starts[n+1]; i++ {
			row := int(i - r.starts[n])
			h := make([]float64, r.out)
			for j := range h {
				for k := range r.in {
					h[j] += r.x[int(i)*r.in+k] * r.w[k*r.out+j]
				}
				for k := range r.out {
					h[j] += last[row*r.out+k] * r.u[k*r.out+j]
				}
				h[j] = math.Tanh(h[j])
			}
			copy(last[row*r.out:], h)
			copy(ys[int(i)*r.out:], h)
		}
	}
	return ys, last
}

// loss weighs every output and every last memory differently.
func (r *recurrence) loss() float64 {
	ys, last := r.run()
	s := 0.0
	for i, y := range ys {
		s += y * math.Sin(float64(i))
	}
	for i, y := range last {
		s += y * math.Cos(float64(i))
	}
	return s
}

func weights(n int, f func(float64) float64) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = f(float64(i))
	}
	return s
}

func dense(data any, shape ...int) *tensor.Dense {
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data))
}

// compute runs a graph for the given nodes.
func compute(t *testing.T, g *op.Graph, feeds op.Feeds, fetch ...*op.Node) [][]float64 {
	t.Helper()
	copied, find := op.Copy(g, op.Training, fetch...)
	nodes := make([]*op.Node, len(fetch))
	for i, n := range fetch {
		if n.Err() != nil {
			t.Fatal(n.Err())
		}
		nodes[i] = op.Densify(find(n))
	}
	p, err := exec.Compile(copied, op.Optimize(copied, nodes), exec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out [][]float64
	for range 2 { // the second run finds tables and memory in use before
		out = nil
		err = p.Run(context.Background(), feeds, 0, func(values []op.Buffer) error {
			for _, v := range values {
				out = append(out, append([]float64(nil), v.Float64s()...))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func (r *recurrence) graph() (g *op.Graph, in []*op.Node, outs, last []*op.Node, loss *op.Node) {
	g = op.NewGraph(nil)
	rows, steps := g.Dim("rows"), g.Dim("steps")
	starts := g.Input("starts", op.Int32, steps)
	x := g.Input("x", op.Float64, rows, op.Dim(r.in))
	h0 := g.Input("h0", op.Float64, op.Batch, op.Dim(r.out))
	w := g.Input("w", op.Float64, op.Dim(r.in), op.Dim(r.out))
	u := g.Input("u", op.Float64, op.Dim(r.out), op.Dim(r.out))
	outs, last = op.Scan(op.ScanInputs{Starts: starts, Rows: []*op.Node{x}, Init: []*op.Node{h0}}, func(s *op.ScanStep) (out, next []*op.Node) {
		h := op.Tanh(op.Add(op.MatMul(s.Rows[0], w), op.MatMul(s.Memory[0], u)))
		return []*op.Node{h}, []*op.Node{h}
	})
	byRow := g.Constant(dense(weights(len(r.x)/r.in*r.out, math.Sin), len(r.x)/r.in, r.out))
	byLast := g.Constant(dense(weights(len(r.h0), math.Cos), len(r.h0)/r.out, r.out))
	loss = op.Add(dot(outs[0], byRow), dot(last[0], byLast))
	return g, []*op.Node{x, h0, w, u}, outs, last, loss
}

// dot returns Σ a·b of values whose sizes are equal at run time only.
func dot(a, b *op.Node) *op.Node {
	flat := op.Reshape(a, op.Auto, 1)
	return op.Sum(op.TMatMul(flat, padded(b, flat)))
}

func padded(b, like *op.Node) *op.Node { return op.Slice(op.Reshape(b, op.Auto, 1), 0, 0, like.Dim(0)) }

func (r *recurrence) feeds() op.Feeds {
	return op.Feeds{
		"starts": dense(r.starts, len(r.starts)), "x": dense(r.x, len(r.x)/r.in, r.in), "h0": dense(r.h0, len(r.h0)/r.out, r.out),
		"w": dense(r.w, r.in, r.out), "u": dense(r.u, r.out, r.out),
	}
}

// TestScan compares a hand-written tanh recurrence over sequences of lengths 4, 2, 2, 1 and 0 with a loop over rows, and its gradients
// with central differences.
func TestScan(t *testing.T) {
	r := newRecurrence([]int{4, 3, 1, 1}, 5, 3, 2)
	g, in, outs, last, loss := r.graph()
	ys, ends := r.run()
	got := compute(t, g, r.feeds(), outs[0], last[0], loss)
	for name, pair := range map[string][2][]float64{"outputs": {got[0], ys}, "last": {got[1], ends}, "loss": {got[2], {r.loss()}}} {
		near(t, name, pair[0], pair[1], 1e-12)
	}
	grads := compute(t, g, r.feeds(), op.Gradient(loss, in...)...)
	for k, data := range [][]float64{r.x, r.h0, r.w, r.u} {
		want := make([]float64, len(data))
		for i, v := range data {
			const h = 1e-6
			data[i] = v + h
			up := r.loss()
			data[i] = v - h
			want[i] = (up - r.loss()) / (2 * h)
			data[i] = v
		}
		near(t, "gradient of "+in[k].Name(), grads[k], want, 1e-8)
	}
}

func near(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", name, len(got), len(want))
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > tolerance*(1+math.Abs(want[i])) {
			t.Errorf("%s[%d] = %v, want %v", name, i, got[i], want[i])
		}
	}
}

// TestScanSwap has two memories that change places: a step must not overwrite what it still reads.
func TestScanSwap(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float64, op.Batch, 1)
	a, b := g.Input("a", op.Float64, 2, 1), g.Input("b", op.Float64, 2, 1)
	outs, last := op.Scan(op.ScanInputs{Starts: g.EqualSteps(3, 2), Rows: []*op.Node{x}, Init: []*op.Node{a, b}}, func(s *op.ScanStep) (out, next []*op.Node) {
		return []*op.Node{op.Add(s.Memory[0], s.Rows[0])}, []*op.Node{s.Memory[1], s.Memory[0]}
	})
	feeds := op.Feeds{
		"x": dense([]float64{0, 0, 0, 0, 0, 0}, 6, 1), "a": dense([]float64{1, 2}, 2, 1), "b": dense([]float64{3, 4}, 2, 1),
	}
	loss := op.Sum(op.Mul(last[0], g.Constant(dense([]float64{10, 20}, 2, 1))))
	grads := op.Gradient(loss, a, b)
	got := compute(t, g, feeds, outs[0], last[0], last[1], grads[0], grads[1])
	for i, want := range [][]float64{{1, 2, 3, 4, 1, 2}, {3, 4}, {1, 2}, {0, 0}, {10, 20}} {
		near(t, "result", got[i], want, 0)
	}
}

// TestScanMisuse checks the errors of inputs and steps that do not fit.
func TestScanMisuse(t *testing.T) {
	var starts, x, h, other *op.Node
	good := func(s *op.ScanStep) (out, next []*op.Node) { return s.Rows, s.Memory }
	for _, c := range []struct {
		want string
		in   func() op.ScanInputs
		step func(s *op.ScanStep) (out, next []*op.Node)
	}{
		{"Starts is nil", func() op.ScanInputs { return op.ScanInputs{Rows: nodes(x)} }, good},
		{`Starts, "x", is float64 (rows, 3), want int32 (steps+1,)`, func() op.ScanInputs { return op.ScanInputs{Starts: x, Rows: nodes(x)} }, good},
		{"Starts has no rows to divide into steps", func() op.ScanInputs { return op.ScanInputs{Starts: starts, Init: nodes(h)} }, good},
		{"Rows[1] is nil", func() op.ScanInputs { return op.ScanInputs{Starts: starts, Rows: nodes(x, nil)} }, good},
		{`Rows[1], "h", has shape (batch, 3), want rows rows, as Rows[0]`, func() op.ScanInputs { return op.ScanInputs{Starts: starts, Rows: nodes(x, h)} }, good},
		{`Static[0], "x", has shape (rows, 3), want batch rows, as Init[0]`, func() op.ScanInputs {
			return op.ScanInputs{Starts: starts, Rows: nodes(x), Init: nodes(h), Static: nodes(x)}
		}, good},
		{`Rows[1], constant, belongs to another graph`, func() op.ScanInputs { return op.ScanInputs{Starts: starts, Rows: nodes(x, other)} }, good},
		{"Streams[0].Bounds is nil", func() op.ScanInputs {
			return op.ScanInputs{Starts: starts, Rows: nodes(x), Streams: []op.Stream{{Rows: nodes(x)}}}
		}, good},
		{"Streams[0].Bounds has no rows", func() op.ScanInputs {
			return op.ScanInputs{Starts: starts, Rows: nodes(x), Streams: []op.Stream{{Bounds: starts}}}
		}, good},
		{"Ragged[0].Ends has neither statics nor memories", func() op.ScanInputs {
			return op.ScanInputs{Starts: starts, Rows: nodes(x), Ragged: []op.Ragged{{Ends: starts}}}
		}, good},
		{"the step is nil", func() op.ScanInputs { return op.ScanInputs{Starts: starts, Rows: nodes(x)} }, nil},
		{"the step returns 0 memories, want 1", nil, func(s *op.ScanStep) (out, next []*op.Node) { return s.Rows, nil }},
		{"memory 0 of the step is float64 (", nil, func(s *op.ScanStep) (out, next []*op.Node) { return nil, nodes(op.Sum(s.Memory[0])) }},
		{"output 0 of the step has shape (), want (scan", nil, func(s *op.ScanStep) (out, next []*op.Node) { return nodes(op.Sum(s.Memory[0])), s.Memory }},
		{"output 0 of the step has shape (3, scan", nil, func(s *op.ScanStep) (out, next []*op.Node) { return nodes(op.Transpose(s.Memory[0])), s.Memory }},
		{"output 0 of the step belongs to another graph", nil, func(s *op.ScanStep) (out, next []*op.Node) { return nodes(other), s.Memory }},
		{"the node is nil", nil, func(s *op.ScanStep) (out, next []*op.Node) { return nodes(nil), s.Memory }},
	} {
		g := op.NewGraph(nil)
		starts = g.Input("starts", op.Int32, g.Dim("steps"))
		x, h = g.Input("x", op.Float64, g.Dim("rows"), 3), g.Input("h", op.Float64, op.Batch, 3)
		other = op.NewGraph(nil).Constant(dense([]float64{1}, 1))
		in := op.ScanInputs{Starts: starts, Rows: nodes(x), Init: nodes(h)}
		if c.in != nil {
			in = c.in()
		}
		outs, last := op.Scan(in, c.step)
		for _, n := range nodes(outs[0], last[0]) {
			if err := n.Err(); err == nil || !strings.HasPrefix(err.Error(), "scan_test.go:") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one at scan_test.go with %q", err, c.want)
			}
		}
	}
}

// What a step updates would be updated once a step; it is an error.
func TestScanUpdateInStep(t *testing.T) {
	net := &struct{ Mean, Variance *op.Variable }{}
	g := op.NewGraph(net)
	for _, v := range []*op.Variable{net.Mean, net.Variance} {
		if err := v.Define(op.Float64, op.InitConstant(1), 3); err != nil {
			t.Fatal(err)
		}
	}
	starts, x := g.Input("starts", op.Int32, g.Dim("steps")), g.Input("x", op.Float64, g.Dim("rows"), 3)
	one := g.Constant(dense([]float64{1, 1, 1}, 3))
	op.Scan(op.ScanInputs{Starts: starts, Rows: nodes(x)}, func(s *op.ScanStep) (out, next []*op.Node) {
		return nodes(op.BatchNorm(s.Rows[0], op.Norm{Weight: one, Bias: one, Mean: g.Read(net.Mean), Variance: g.Read(net.Variance), Momentum: 0.9})), nil
	})
	if err := g.Err(); err == nil || !strings.Contains(err.Error(), "cannot be updated in a step") {
		t.Errorf("the error is %v, want one about the update", err)
	}
}

// TestScanTables checks the errors of tables that do not describe steps.
func TestScanTables(t *testing.T) {
	g := op.NewGraph(nil)
	starts, bounds, ends := g.Input("starts", op.Int32, g.Dim("steps")), g.Input("bounds", op.Int32, g.Dim("other")), g.Input("ends", op.Int32, g.Dim("third"))
	x, h := g.Input("x", op.Float64, g.Dim("rows"), 1), g.Input("h", op.Float64, 2, 1)
	words, enc := g.Input("words", op.Float64, g.Dim("words"), 1), g.Input("enc", op.Float64, g.Dim("enc"), 1)
	ids := g.Input("ids", op.Int32, g.Dim("rows"))
	outs, _ := op.Scan(op.ScanInputs{
		Starts: starts, Rows: nodes(x, ids), Init: nodes(h), Streams: []op.Stream{{Bounds: bounds, Rows: nodes(words)}},
		Ragged: []op.Ragged{{Ends: ends, Static: nodes(enc)}},
	}, func(s *op.ScanStep) (out, next []*op.Node) {
		y := op.Add(op.GatherRows(s.Memory[0], s.Rows[1], -1), s.Rows[0])
		sums := op.Add(op.Sum(s.Streams[0][0]), op.Sum(s.Ragged[0][0]))
		return nodes(op.Add(y, sums)), s.Memory
	})
	p, err := exec.Compile(g, outs[:1], exec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		starts, bounds, ends, ids []int32
		want                      string
	}{
		{[]int32{0, 2, 3}, []int32{0, 4, 4}, []int32{3, 1}, []int32{0, 1, 0}, ""},
		{[]int32{}, []int32{0, 4, 4}, []int32{3, 1}, []int32{0, 1, 0}, "the starts have no elements"},
		{[]int32{0, 1, 3}, []int32{0, 4, 4}, []int32{3, 1}, []int32{0, 1, 0}, `"starts": step 1 has 2 rows, want 0 to 1`},
		{[]int32{0, 3, 3}, []int32{0, 4, 4}, []int32{3, 1}, []int32{0, 1, 0}, "step 0 has 3 rows, want 0 to 2"},
		{[]int32{0, 2}, []int32{0, 4}, []int32{3}, []int32{0, 1, 0}, "the bounds go from 0 to 2, want 0 to 3"},
		{[]int32{0, 2, 3}, []int32{0, 4}, []int32{3, 1}, []int32{0, 1, 0}, `"bounds": 2 bounds for 2 steps, want 3`},
		{[]int32{0, 2, 3}, []int32{0, 5, 4}, []int32{3, 1}, []int32{0, 1, 0}, "step 1 goes from row 5 to row 4"},
		{[]int32{0, 2, 3}, []int32{0, 4, 4}, []int32{3}, []int32{0, 1, 0}, `"ends": 1 ends for 2 steps, want 2`},
		{[]int32{0, 2, 3}, []int32{0, 4, 4}, []int32{3, 4}, []int32{0, 1, 0}, "step 1 ends at row 4, want 0 to 3"},
		{[]int32{0, 2, 3}, []int32{0, 4, 4}, []int32{9, 4}, []int32{0, 1, 0}, "step 0 ends at row 9, want 0 to 5"},
		{[]int32{0, 2, 3}, []int32{0, 4, 4}, []int32{3, 1}, []int32{0, 1, 1}, "step 1: scan_test.go:"},
	} {
		feeds := op.Feeds{
			"starts": dense(c.starts, len(c.starts)), "bounds": dense(c.bounds, len(c.bounds)), "ends": dense(c.ends, len(c.ends)),
			"x": dense([]float64{1, 2, 3}, 3, 1), "h": dense([]float64{1, 2}, 2, 1), "words": dense(make([]float64, 4), 4, 1),
			"enc": dense(make([]float64, 5), 5, 1), "ids": dense(c.ids, 3),
		}
		err := p.Run(context.Background(), feeds, 0, func([]op.Buffer) error { return nil })
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %q", err, c.want)
		}
	}
}
