package op_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paddle/op"
)

// callNames lists applications by name.
func callNames(calls []*op.Call) string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Name())
	}
	return strings.Join(out, " ")
}

func TestCopyHoldsWhatTheRootsNeed(t *testing.T) {
	g := op.NewGraph(nil)
	x, y := g.Input("x", op.Float32, op.Batch, 3), g.Input("y", op.Float32, op.Batch, 3)
	wanted := op.Mul(op.Exp(x), x).WithName("wanted")
	dead := op.Tanh(y)
	c, find := op.Copy(g, op.Training, wanted)
	if got := callNames(c.Calls()); got != "exp mul" {
		t.Errorf("the copy has %q, want exp mul", got)
	}
	if find(dead) != nil {
		t.Error("a node that the root does not need has a copy")
	}
	n := find(wanted)
	if n.Graph() != c || n == wanted || n.Name() != "wanted" || !slices.Equal(n.Shape(), wanted.Shape()) {
		t.Errorf("the copy of the root is %s %s", n.Name(), n.ShapeString())
	}
	if len(c.Inputs()) != 2 || c.Inputs()[0] == x || c.Inputs()[0].Name() != "x" {
		t.Error("the copy lacks an input, or has the original one")
	}
	op.Neg(n)
	if got := callNames(g.Calls()); got != "exp mul tanh" {
		t.Errorf("building in the copy leaves the original with %q", got)
	}
	old, _ := wanted.Call()
	fresh, _ := n.Call()
	if old == fresh || old.Order() != fresh.Order() || old.Seed != fresh.Seed {
		t.Error("an application is shared, or another one in the copy")
	}
}

func TestCopyOfForeignNodes(t *testing.T) {
	g, h := op.NewGraph(nil), op.NewGraph(nil)
	x, y := g.Input("x", op.Float32), h.Input("y", op.Float32)
	c, find := op.Copy(g, op.Training, op.Neg(x), op.Exp(y), y, nil)
	if find(y) != nil || len(c.Inputs()) != 1 || callNames(c.Calls()) != "neg" {
		t.Errorf("the copy has %q and %d inputs", callNames(c.Calls()), len(c.Inputs()))
	}
}

func TestCopyKeepsTheFirstMistake(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, 3)
	op.Reshape(x, 4)
	if c, _ := op.Copy(g, op.Training, op.Neg(x)); c.Err() == nil || c.Err() != g.Err() {
		t.Errorf("the copy has the error %v, want %v", c.Err(), g.Err())
	}
}

// swap is an op that is something else at inference.
type swap struct{ double }

func (swap) Name() string { return "swap" }

func (swap) Inference(_ *op.Call, in []*op.Node) []*op.Node { return []*op.Node{op.Neg(op.Neg(in[0]))} }

func TestCopyForInference(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, 3)
	y := op.Exp(op.Apply(swap{}, x)[0])
	c, _ := op.Copy(g, op.Training, y)
	if got := callNames(c.Calls()); got != "swap exp" {
		t.Errorf("in training there is %q", got)
	}
	c, find := op.Copy(g, op.Inference, y)
	if got := callNames(c.Calls()); got != "neg neg exp" {
		t.Errorf("at inference there is %q, want neg neg exp", got)
	}
	if find(y).Err() != nil {
		t.Error(find(y).Err())
	}
}

// An update belongs to a training program if the roots compute everything that it reads, and to no inference program.
func TestCopyTakesTheUpdatesAlong(t *testing.T) {
	net := &struct{ Mean, Other *op.Variable }{new(op.Variable), new(op.Variable)}
	for _, v := range []*op.Variable{net.Mean, net.Other} {
		if err := v.Define(op.Float32, nil); err != nil {
			t.Fatal(err)
		}
	}
	g := op.NewGraph(net)
	x, y := g.Input("x", op.Float32, op.Batch), g.Input("y", op.Float32, op.Batch)
	loss := op.Mean(x)
	g.Apply(assign{}, g.Read(net.Mean), loss, g.ApplyFlag())
	g.Apply(assign{}, g.Read(net.Other), op.Sum(y), g.ApplyFlag())
	c, _ := op.Copy(g, op.Training, op.Square(loss))
	if got := callNames(c.Calls()); got != "mean square assign" {
		t.Errorf("in training there is %q, want mean square assign", got)
	}
	c, _ = op.Copy(g, op.Inference, op.Square(loss))
	if got := callNames(c.Calls()); got != "mean square" {
		t.Errorf("at inference there is %q, want mean square", got)
	}
}

// assign writes its second input to the variable that is its first, if the third is true.
type assign struct{}

func (assign) Name() string { return "assign" }

func (assign) Infer(s *op.Shapes) ([]op.Spec, error) { return nil, s.Arity(3) }

func (assign) Run(_ *op.Env, in, _ []op.Buffer) error {
	if in[2].Bools()[0] {
		copy(in[0].Bytes(), in[1].Bytes())
	}
	return nil
}

func (assign) Traits() op.Traits { return op.Traits{Writes: []int{0}} }

func TestSubstitute(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 3)
	a := op.Exp(x)
	b, c := op.Neg(a), op.Tanh(a)
	scaled := op.MulConst(a, 2) // reads what it replaces
	g.Substitute(map[*op.Node]*op.Node{a: scaled, b: c})
	user, _ := b.Call()
	if user.In[0] != scaled {
		t.Errorf("neg reads %s, want mul_const", user.In[0].Name())
	}
	if made, _ := scaled.Call(); made.In[0] != a {
		t.Errorf("the replacement reads %s, want exp", made.In[0].Name())
	}
	if made, _ := c.Call(); made.In[0] != a {
		t.Errorf("tanh, a replacement, reads %s, want exp", made.In[0].Name())
	}
	g.Substitute(nil)
}

// A replacement reaches the parts of sparse values too.
func TestSubstituteInSparse(t *testing.T) {
	g := op.NewGraph(nil)
	ids, x := g.Input("ids", op.Int32, op.Batch), g.Input("x", op.Float32, op.Batch, 2)
	values := op.Exp(x)
	s := op.SparseRows([]op.Dim{5, 2}, ids, values, -1)
	half := op.MulConst(values, 0.5)
	g.Substitute(map[*op.Node]*op.Node{values: half})
	if s.Sparse().Values != half || s.Sparse().IDs != ids {
		t.Errorf("the sparse value has %s", s.Sparse().Values.Name())
	}
}

// Schedules respect dependencies, keep the order of building where they may, and put effects last; Deps count as dependencies.
func TestSchedule(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		g := op.NewGraph(nil)
		nodes := []*op.Node{g.Input("x", op.Float32), g.Input("y", op.Float32)}
		for range 30 {
			a, b := nodes[r.IntN(len(nodes))], nodes[r.IntN(len(nodes))]
			n := op.Add(a, b)
			if c, _ := n.Call(); r.IntN(4) == 0 && len(g.Calls()) > 1 {
				c.Deps = append(c.Deps, g.Calls()[r.IntN(len(g.Calls())-1)])
			}
			nodes = append(nodes, n)
		}
		calls := op.Schedule(g.Calls()[20:])
		at := map[*op.Call]int{}
		for i, c := range calls {
			at[c] = i + 1
		}
		for i, c := range calls {
			for _, d := range c.Deps {
				if at[d] == 0 || at[d] > i+1 {
					t.Fatalf("%d runs before what it depends on", i)
				}
			}
			for _, in := range c.In {
				if p, _ := in.Call(); p != nil && (at[p] == 0 || at[p] > i+1) {
					t.Fatalf("%d runs before the input that it reads", i)
				}
			}
		}
		// All dependencies were built earlier here, so the schedule is the order of building.
		if !slices.IsSortedFunc(calls, func(a, b *op.Call) int { return int(a.Order() - b.Order()) }) {
			t.Fatal("the schedule is not in the order of building")
		}
	}
}

func TestScheduleEffectsLast(t *testing.T) {
	net := &struct{ V *op.Variable }{new(op.Variable)}
	if err := net.V.Define(op.Float32, nil); err != nil {
		t.Fatal(err)
	}
	g := op.NewGraph(net)
	x := g.Input("x", op.Float32)
	g.Apply(assign{}, g.Read(net.V), op.Neg(x), g.ApplyFlag())
	op.Exp(op.Tanh(x))
	if got := callNames(op.Schedule(g.Calls())); got != "neg tanh exp assign" {
		t.Errorf("got %q, want the update last", got)
	}
}

// A graph of thousands of nodes is scheduled, copied and differentiated in time that grows with its size.
func TestLongGraph(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch)
	y := x
	for i := range 20000 {
		y = op.AddConst(y, float64(i))
	}
	d := op.Gradient(op.Sum(op.Square(y)), x)[0]
	if d.Err() != nil {
		t.Fatal(d.Err())
	}
	c, find := op.Copy(g, op.Training, d)
	if find(d) == nil || len(c.Calls()) < 20000 {
		t.Errorf("%d applications in the copy", len(c.Calls()))
	}
}
