package exec_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gorgonia.org/tensor"

	"paddle/internal/exec"
	"paddle/op"
)

// twoOutputs computes x+1 and 2x; one of them may lie where its input was.
type twoOutputs struct{ Optional bool }

func (twoOutputs) Name() string { return "two_outputs" }

func (twoOutputs) Infer(s *op.Shapes) ([]op.Spec, error) {
	return []op.Spec{s.In[0], s.In[0]}, s.Arity(1)
}

func (twoOutputs) Run(_ *op.Env, in, out []op.Buffer) error {
	for i, v := range in[0].Float64s() {
		if !out[0].IsNil() {
			out[0].Float64s()[i] = v + 1
		}
		if !out[1].IsNil() {
			out[1].Float64s()[i] = 2 * v
		}
	}
	return nil
}

func (twoOutputs) Gradient(_ *op.Call, dout []*op.Node, _ []bool) []*op.Node {
	switch {
	case dout[0] == nil:
		return []*op.Node{op.MulConst(dout[1], 2)}
	case dout[1] == nil:
		return []*op.Node{dout[0]}
	}
	return []*op.Node{op.Add(dout[0], op.MulConst(dout[1], 2))}
}

func (o twoOutputs) Traits() op.Traits {
	return op.Traits{InPlace: []op.Pair{{In: 0, Out: 0}, {In: 0, Out: 1}}, OptionalOutputs: o.Optional}
}

// mix adds the reverse of its second input to its first, in whose place the result may lie.
type mix struct{}

func (mix) Name() string { return "mix" }

func (mix) Infer(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0]}, s.Arity(2) }

func (mix) Run(_ *op.Env, in, out []op.Buffer) error {
	a, b, y := in[0].Float64s(), in[1].Float64s(), out[0].Float64s()
	for i := range y {
		y[i] = a[i] + b[len(b)-1-i]
	}
	return nil
}

func (mix) Gradient(_ *op.Call, dout []*op.Node, want []bool) []*op.Node {
	out := make([]*op.Node, 2)
	if want[0] {
		out[0] = dout[0]
	}
	if want[1] {
		out[1] = op.Apply(mix{}, op.Zeros(dout[0]), dout[0])[0]
	}
	return out
}

func (mix) Traits() op.Traits { return op.Traits{InPlace: []op.Pair{{In: 0, Out: 0}}} }

// maker makes random graphs of the ops that treat memory in different ways: in place, views, several outputs, broadcasting, copies,
// run-time counts.
type maker struct {
	r     *rand.Rand
	g     *op.Graph
	ids   *op.Node
	nodes []*op.Node
}

func (m *maker) any() *op.Node { return m.nodes[m.r.IntN(len(m.nodes))] }

// recent prefers what was made last, so that values die young.
func (m *maker) recent() *op.Node {
	return m.nodes[max(0, len(m.nodes)-1-m.r.IntN(4))]
}

func (m *maker) add(n *op.Node) {
	if n.Rank() <= 4 {
		m.nodes = append(m.nodes, n)
	}
}

// step adds a node, or nothing where the values at hand do not fit what was drawn.
func (m *maker) step() {
	x := m.recent()
	rank := x.Rank()
	switch m.r.IntN(15) {
	case 0, 1:
		m.add([]func(*op.Node) *op.Node{op.Tanh, op.Neg, op.ReLU, op.Sigmoid, op.Softplus, op.Square}[m.r.IntN(6)](op.MulConst(x, 0.5)))
	case 2, 3:
		m.pair(x, m.any())
	case 4:
		m.add(op.Reshape(x, op.Auto))
	case 5:
		if rank == 1 && x.Dim(0) == op.Batch {
			m.add(op.Reshape(x, op.Batch, 1))
		} else if rank > 1 {
			m.add(op.Flatten(x))
		}
	case 6:
		m.add(op.Transpose(x))
	case 7:
		if rank > 0 && x.Dim(-1) > 1 {
			m.add(op.Slice(x, -1, 1, x.Dim(-1)))
		}
	case 8:
		if rank > 0 {
			m.add(op.Concat(-1, x, m.same(x)))
		}
	case 9:
		if rank > 0 {
			axis := m.r.IntN(rank)
			m.add(op.Unsqueeze(op.Mean(x, axis), axis))
		}
	case 10:
		out := op.Apply(twoOutputs{m.r.IntN(2) == 0}, op.Neg(x))
		m.add(out[m.r.IntN(2)])
		if m.r.IntN(3) == 0 {
			m.add(out[0])
		}
	case 11:
		m.add(op.StopGradient(x))
	case 12:
		if rank == 2 && x.Dim(0) == op.Batch && x.Dim(1) > 0 {
			product := op.MatMulT(x, op.Tanh(x))
			m.add([]func(*op.Node) *op.Node{op.Neg, op.ReLU, op.Tanh, op.Sigmoid}[m.r.IntN(4)](product))
		}
	case 13:
		if rank == 2 && x.Dim(0) == op.Batch && x.Dim(1) > 0 {
			rows := op.MergeRows(op.SparseRows([]op.Dim{4, x.Dim(1)}, m.ids, op.StopGradient(x), -1))
			m.add(op.MulConst(op.Sum(op.Tanh(rows.Sparse().Values), 0), 0.5))
		}
	case 14:
		y := op.Neg(x)
		m.add(op.Apply(mix{}, y, []*op.Node{y, op.StopGradient(y), m.same(x)}[m.r.IntN(3)])[0])
	}
}

// same returns a value of x's shape.
func (m *maker) same(x *op.Node) *op.Node {
	for range 5 {
		if y := m.any(); op.SameShape(x.Shape(), y.Shape()) {
			return y
		}
	}
	return x
}

// pair joins two values that broadcast.
func (m *maker) pair(a, b *op.Node) {
	for i := 1; i <= min(a.Rank(), b.Rank()); i++ {
		if x, y := a.Dim(-i), b.Dim(-i); x != y && x != 1 && y != 1 {
			return
		}
	}
	m.add([]func(a, b *op.Node) *op.Node{op.Add, op.Sub, op.Mul, op.Maximum}[m.r.IntN(4)](a, b))
}

// Programs that share memory as they like, rewritten by op.Optimize or not, compute bit for bit what a program computes in which every
// value has memory of its own because all are fetched; for every batch size, in any order of sizes, and with the same effects on variables.
func TestPlannedMemory(t *testing.T) {
	graphs := 150
	if testing.Short() {
		graphs = 30
	}
	for seed := range graphs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { plannedMemory(t, uint64(seed)) })
	}
}

func plannedMemory(t *testing.T, seed uint64) {
	net, g := newCounter(t)
	m := &maker{r: rand.New(rand.NewPCG(seed, 5)), g: g}
	m.ids = g.Input("ids", op.Int32, op.Batch)
	inputs := []*op.Node{g.Input("a", op.Float64, op.Batch, 3), g.Input("b", op.Float64, op.Batch, 1), g.Input("c", op.Float64, 3)}
	m.nodes = append(append(m.nodes, inputs...), g.Read(net.V), g.ReadParameter(net.P))
	for range 25 {
		m.step()
	}
	last := m.nodes[len(m.nodes)-1]
	for _, d := range op.Gradient(op.Mean(last), append(inputs, g.ReadParameter(net.P))...) {
		if d != nil {
			m.nodes = append(m.nodes, d)
		}
	}
	for _, v := range []*op.Variable{net.V, net.W} {
		assign(g.Read(v), op.Add(op.MulConst(op.Concat(0, op.Reshape(op.Mean(m.any()), 1), op.Reshape(op.Mean(m.any()), 1)), 0.1), op.MulConst(g.Read(v), 0.5)))
	}
	if err := g.Err(); err != nil {
		t.Fatal(err)
	}
	some := make([]*op.Node, 1+m.r.IntN(3))
	for i := range some {
		some[i] = m.nodes[len(m.nodes)-1-m.r.IntN(min(10, len(m.nodes)))]
	}
	every := append(append([]*op.Node{}, some...), m.nodes...)
	for _, c := range g.Calls() {
		every = append(every, c.Out...)
	}
	// All nodes are roots of both copies, so that both have the same updates.
	apart := build(t, g, every, len(every), false)
	compare(t, net, m.r, build(t, g, every, len(some), false), apart)
	compare(t, net, m.r, build(t, g, every, len(some), true), apart)
}

// build compiles the graph with everything in it for the first fetched values of all.
func build(t *testing.T, g *op.Graph, all []*op.Node, fetched int, optimize bool) *exec.Program {
	c, find := op.Copy(g, op.Training, all...)
	fetch := make([]*op.Node, fetched)
	for i := range fetch {
		fetch[i] = find(all[i])
	}
	if optimize {
		fetch = op.Optimize(c, fetch)
	}
	p, err := exec.Compile(c, fetch, exec.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func compare(t *testing.T, net *counter, r *rand.Rand, planned, apart *exec.Program) {
	for i, batch := range []int{3, 7, 1, 0, 5, 7, 2} {
		feeds := randomFeeds(r, batch)
		before, _ := net.V.Snapshot()
		second, _ := net.W.Snapshot()
		got := run(t, planned, feeds, uint64(i))
		v, w := valueOf(t, net.V), valueOf(t, net.W)
		restore(t, net.V, before)
		restore(t, net.W, second)
		want := run(t, apart, feeds, uint64(i))
		for k := range got {
			if !equal(got[k], want[k]) {
				t.Fatalf("run %d, batch %d: fetched value %d of shape %v differs:\n%v\nwant\n%v", i, batch, k, got[k].Shape, got[k].Float64s(), want[k].Float64s())
			}
		}
		if fmt.Sprint(v, w) != fmt.Sprint(valueOf(t, net.V), valueOf(t, net.W)) {
			t.Fatalf("run %d, batch %d: the variables are %v %v, want %v %v", i, batch, v, w, valueOf(t, net.V), valueOf(t, net.W))
		}
	}
}

func restore(t *testing.T, v *op.Variable, b op.Buffer) {
	t.Helper()
	if err := v.Assign(b); err != nil {
		t.Fatal(err)
	}
}

func randomFeeds(r *rand.Rand, batch int) op.Feeds {
	numbers := func(shape ...int) *tensor.Dense {
		b := op.NewBuffer(op.Float64, shape...)
		for i := range b.Float64s() {
			b.Float64s()[i] = r.Float64()*2 - 1
		}
		return b.Dense()
	}
	ids := op.NewBuffer(op.Int32, batch)
	for i := range ids.Int32s() {
		ids.Int32s()[i] = int32(r.IntN(4))
	}
	return op.Feeds{"a": numbers(batch, 3), "b": numbers(batch, 1), "c": numbers(3), "ids": ids.Dense()}
}

// Values that are not needed at the same time lie in the same memory.
func TestChainReusesMemory(t *testing.T) {
	const rows, columns = 100, 16
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float64, op.Batch, columns)
	y := x
	for range 60 {
		y = op.Transpose(op.Transpose(y)) // never in place
	}
	for range 60 {
		y = op.Tanh(y) // in place
	}
	p := compile(t, exec.Options{}, op.Sum(y))
	run(t, p, op.Feeds{"x": op.NewBuffer(op.Float64, rows, columns).Dense()}, 0)
	if got, most := p.Memory(), 2*rows*columns*8+1024; got > most {
		t.Errorf("120 steps take %d bytes, want at most two values, %d", got, most)
	}
}

// A graph of twenty thousand nodes is compiled in time that grows with its length.
func TestCompileLongGraph(t *testing.T) {
	g := op.NewGraph(nil)
	y := g.Input("x", op.Float64, op.Batch)
	for i := range 20000 {
		y = op.AddConst(y, float64(i%3))
	}
	p := compile(t, exec.Options{}, y)
	if got := run(t, p, op.Feeds{"x": vector(1, 2)}, 0)[0].Float64s()[1]; got != 2+20000-1 {
		t.Errorf("got %v, want 20001", got)
	}
}
