package exec_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"paddle/internal/exec"
	"paddle/op"
)

func TestFeedErrors(t *testing.T) {
	g := op.NewGraph(nil)
	x, y := g.Input("x", op.Float64, op.Batch, 2), g.Input("y", op.Float64, op.Batch)
	z := g.Input("z", op.Float64, g.MulDims(op.Batch, 2))
	p := compile(t, exec.Options{}, op.Add(op.Sum(x, 1), y), op.Neg(z))
	good := func() op.Feeds {
		return op.Feeds{"x": matrix(2, 2, 1, 2, 3, 4), "y": vector(1, 2), "z": vector(1, 2, 3, 4)}
	}
	for name, c := range map[string]struct {
		change func(f op.Feeds)
		want   string
	}{
		"missing":        {func(f op.Feeds) { delete(f, "y") }, `input "y" is not fed; fed are "x", "z"`},
		"nil":            {func(f op.Feeds) { f["y"] = nil }, `input "y" is fed a nil tensor`},
		"type":           {func(f op.Feeds) { f["y"] = tensor.New(tensor.WithBacking([]float32{1, 2})) }, `input "y" has type float32, want float64`},
		"no such type":   {func(f op.Feeds) { f["y"] = tensor.New(tensor.WithBacking([]uint16{1, 2})) }, `input "y" has type uint16, want float64`},
		"rank":           {func(f op.Feeds) { f["y"] = matrix(2, 1, 1, 2) }, `input "y" has shape (2, 1), want (batch,)`},
		"number":         {func(f op.Feeds) { f["x"] = matrix(2, 3, 1, 2, 3, 4, 5, 6) }, `input "x" has shape (2, 3), want (batch, 2)`},
		"two batches":    {func(f op.Feeds) { f["y"] = vector(1, 2, 3) }, `input "y" has 3 as batch, and another input has 2`},
		"an expression":  {func(f op.Feeds) { f["z"] = vector(1, 2, 3) }, `input "z" has shape (3,), want (2·batch,)`},
		"masked":         {func(f op.Feeds) { f["y"] = tensor.New(tensor.WithBacking([]float64{1, 2}, []bool{true, false})) }, `input "y": the tensor is masked, want one without a mask`},
		"nothing at all": {func(f op.Feeds) { clear(f) }, `input "x" is not fed; fed are none`},
	} {
		feeds := good()
		c.change(feeds)
		if _, err := attempt(context.Background(), p, feeds, 0); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v\nwant %s", name, err, c.want)
		}
	}
	// Mistakes leave nothing behind, and what no input is called is not looked at.
	feeds := good()
	feeds["other"] = vector(1)
	if got := run(t, p, feeds, 0)[0].Float64s(); !slices.Equal(got, []float64{4, 9}) {
		t.Errorf("got %v, want [4 9]", got)
	}
}

func TestCompileErrors(t *testing.T) {
	at := func(build func(g *op.Graph) *op.Node) error {
		_, err := try(exec.Options{}, build(op.NewGraph(nil)))
		return err
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"first mistake": {at(func(g *op.Graph) *op.Node {
			x := g.Input("x", op.Float32, 3)
			op.Reshape(x, 7)
			return op.Neg(x)
		}), `op.Reshape: input "x" has shape (3,): cannot become (7,): 7 elements, want 3`},
		"sparse": {at(func(g *op.Graph) *op.Node {
			return op.SparseRows([]op.Dim{5}, g.Input("ids", op.Int32, op.Batch), g.Input("values", op.Float32, op.Batch), -1)
		}), `exec: sparse is sparse, fetch it made dense`},
		"unbound size": {at(func(g *op.Graph) *op.Node { return g.Full(op.Float32, 1, op.Batch) }), `exec: full has size batch, which is not the size of an input`},
		"unbound size that is read": {at(func(g *op.Graph) *op.Node { return g.DimSize(op.Float32, g.Dim("time")) }),
			`exec: dim_size has size time, which is not the size of an input`},
		"unbound size of an input": {at(func(g *op.Graph) *op.Node { return g.Input("x", op.Float32, g.MulDims(op.Batch, 2)) }),
			`exec: x has size batch, which is not the size of an input`},
	} {
		if c.err == nil || !strings.HasSuffix(c.err.Error(), c.want) {
			t.Errorf("%s: got %v\nwant %s", name, c.err, c.want)
		}
	}
	g, h := op.NewGraph(nil), op.NewGraph(nil)
	if _, err := exec.Compile(g, []*op.Node{h.Input("x", op.Float32)}, exec.Options{}); err == nil || err.Error() != "exec: x belongs to another graph" {
		t.Errorf("got %v", err)
	}
	if _, err := exec.Compile(g, []*op.Node{nil}, exec.Options{}); err == nil || err.Error() != "the node is nil" {
		t.Errorf("got %v", err)
	}
}

// An update cannot wait for what is computed from its own result.
func TestUpdateThatNeedsItself(t *testing.T) {
	net, g := newCounter(t)
	x := g.Input("x", op.Float64, 2)
	read := op.Neg(g.Read(net.V)) // reads the old value
	assign(g.Read(net.V), op.Add(x, read))
	update := g.Calls()[len(g.Calls())-1]
	c, _ := read.Call()
	c.Deps = append(c.Deps, update) // and has to run after the update
	if _, err := exec.Compile(g, []*op.Node{read}, exec.Options{}); err == nil || err.Error() != "exec: neg needs, by way of others, its own result" {
		t.Errorf("got %v", err)
	}
}

// Sizes that only an input has which nothing else needs are taken from it; other inputs need not be fed.
func TestInputsThatAreNotRead(t *testing.T) {
	g := op.NewGraph(nil)
	x, _ := g.Input("x", op.Int32, op.Batch, 3), g.Input("y", op.Float64, g.Dim("time"))
	p := compile(t, exec.Options{}, g.DimSize(op.Float64, op.Batch))
	feeds := op.Feeds{"x": tensor.New(tensor.WithShape(4, 3), tensor.Of(tensor.Int32))}
	if got := run(t, p, feeds, 0)[0].Scalar(); got != 4 {
		t.Errorf("got %v, want 4", got)
	}
	_ = x
}

func TestRunErrorsNameTheApplication(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float64, op.Batch)
	fail := true
	n := hooked(op.Neg(x), func() error {
		if fail {
			return errHook
		}
		return nil
	})
	p := compile(t, exec.Options{}, n)
	_, err := attempt(context.Background(), p, op.Feeds{"x": vector(1)}, 0)
	var e *op.Error
	if !errors.As(err, &e) || !errors.Is(err, errHook) || !strings.HasPrefix(e.Pos, "helpers_test.go:") || e.Op != "hook" {
		t.Errorf("got %v", err)
	}
	fail = false
	if got := run(t, p, op.Feeds{"x": vector(1)}, 0)[0].Float64s()[0]; got != -1 {
		t.Errorf("after a failed run: got %v, want -1", got)
	}
}

// A panic of an op is an error of the run; the program goes on with the next.
func TestPanicsBecomeErrors(t *testing.T) {
	net, g := newCounter(t)
	x := g.Input("x", op.Float64, 2)
	bad := true
	n := hooked(x, func() error {
		if bad {
			panic("out of order")
		}
		return nil
	})
	assign(g.Read(net.V), n)
	p := whole(t, g, n)
	for range 3 {
		_, err := attempt(context.Background(), p, op.Feeds{"x": vector(1, 2)}, 0)
		if err == nil || !strings.Contains(err.Error(), "hook: panic: out of order") || !strings.Contains(err.Error(), "helpers_test.go") {
			t.Fatalf("got %v", err)
		}
	}
	if got := valueOf(t, net.V); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("a run that panicked wrote %v", got)
	}
	bad = false
	run(t, p, op.Feeds{"x": vector(1, 2)}, 0)
	if got := valueOf(t, net.V); !slices.Equal(got, []float64{1, 2}) {
		t.Errorf("got %v, want [1 2]", got)
	}
	// In the helper goroutines too.
	y := op.Apply(wide{}, x)[0]
	p = compile(t, exec.Options{Threads: 2}, y)
	if _, err := attempt(context.Background(), p, op.Feeds{"x": vector(1, 2)}, 0); err == nil || !strings.Contains(err.Error(), "wide: panic: part") {
		t.Errorf("got %v", err)
	}
	// What looks at the results may panic as well.
	p = compile(t, exec.Options{}, op.Neg(x))
	err := p.Run(context.Background(), op.Feeds{"x": vector(1, 2)}, 0, func([]op.Buffer) error { panic("too much") })
	if err == nil || !strings.HasPrefix(err.Error(), "panic: too much") {
		t.Errorf("got %v", err)
	}
}

// wide is an op that panics in all its parts.
type wide struct{}

func (wide) Name() string { return "wide" }

func (wide) Infer(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0]}, s.Arity(1) }

func (wide) Run(e *op.Env, _, _ []op.Buffer) error {
	e.Parallel(64, 1, func(lo, _ int) { panic(fmt.Sprint("part ", lo)) })
	return nil
}

// An error of the function that reads the results comes back as it is, and the step has happened.
func TestErrorOfUse(t *testing.T) {
	net, g := newCounter(t)
	x := g.Input("x", op.Float64, 2)
	assign(g.Read(net.V), op.MulConst(x, 2))
	p := whole(t, g, op.MulConst(x, 2))
	err := p.Run(context.Background(), op.Feeds{"x": vector(1, 2)}, 0, func([]op.Buffer) error { return errHook })
	if err != errHook {
		t.Errorf("got %v, want the function's own error", err)
	}
	if got := valueOf(t, net.V); !slices.Equal(got, []float64{2, 4}) {
		t.Errorf("the variable is %v, want [2 4]", got)
	}
}

func TestCancel(t *testing.T) {
	net, g := newCounter(t)
	x := g.Input("x", op.Float64, 2)
	var ctx context.Context
	var cancel context.CancelFunc
	at := ""
	stop := func(where string) func() error {
		return func() error {
			if at == where {
				cancel()
			}
			return nil
		}
	}
	y := hooked(op.Exp(hooked(x, stop("early"))), stop("last before the updates"))
	assign(g.Read(net.V), y)
	z := op.Apply(hook{call: stop("between the updates"), effect: true}, y)[0]
	assign(g.Read(net.W), op.StopGradient(z))
	p := whole(t, g, y, z)
	for _, c := range []struct {
		where   string
		applied bool
	}{{"early", false}, {"last before the updates", false}, {"between the updates", true}, {"", true}, {"before", false}} {
		ctx, cancel = context.WithCancel(context.Background())
		at = c.where
		restore(t, net.V, op.NewBuffer(op.Float64, 2))
		restore(t, net.W, op.NewBuffer(op.Float64, 2))
		if c.where == "before" {
			cancel()
		}
		_, err := attempt(ctx, p, op.Feeds{"x": vector(0, 0)}, 0)
		want := []float64{0, 0}
		if c.applied {
			want = []float64{1, 1}
		}
		if v, w := valueOf(t, net.V), valueOf(t, net.W); !slices.Equal(v, want) || !slices.Equal(w, want) {
			t.Errorf("cancelled %q: the variables are %v and %v, want %v", c.where, v, w, want)
		}
		if c.applied && err != nil || !c.applied && !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled %q: got %v", c.where, err)
		}
		cancel()
	}
}

// Whatever reads a variable sees the value from before the step; two updates of a step see each other's results in the order in which they
// were built.
func TestUpdatesComeAfterReads(t *testing.T) {
	net, g := newCounter(t)
	x := g.Input("x", op.Float64, 2)
	v, w := g.Read(net.V), g.Read(net.W)
	assign(v, op.Add(v, x))
	assign(w, op.Sub(v, x)) // computed before any update takes place
	read := op.Reshape(op.MulConst(op.Reshape(v, 2, 1), 10), 2)
	p := whole(t, g, read, v)
	run(t, p, op.Feeds{"x": vector(1, 2)}, 0)
	out := run(t, p, op.Feeds{"x": vector(1, 2)}, 1)
	if got := out[0].Float64s(); !slices.Equal(got, []float64{10, 20}) {
		t.Errorf("the reader saw %v, want ten times [1 2]", got)
	}
	if got := out[1].Float64s(); !slices.Equal(got, []float64{2, 4}) {
		t.Errorf("the variable itself is %v after the step, want [2 4]", got)
	}
	if got := valueOf(t, net.W); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("the second variable is %v, want [0 0]", got)
	}
}

// The apply flag, or what a pass puts in its place, decides whether updates take place.
func TestApplyFlag(t *testing.T) {
	net, g := newCounter(t)
	x := g.Input("x", op.Float64, 2)
	assign(g.Read(net.V), x)
	g.Substitute(map[*op.Node]*op.Node{g.ApplyFlag(): op.All(op.IsFinite(op.Log(x)))})
	p := whole(t, g, op.Log(x))
	run(t, p, op.Feeds{"x": vector(1, 2)}, 0)
	run(t, p, op.Feeds{"x": vector(3, 0)}, 1)
	if got := valueOf(t, net.V); !slices.Equal(got, []float64{1, 2}) {
		t.Errorf("got %v, want [1 2]: the second step is not to be applied", got)
	}
}

// The same value may be fetched twice, with its views, with inputs, constants and variables.
func TestFetchAnything(t *testing.T) {
	net, g := newCounter(t)
	x := g.Input("x", op.Float64, op.Batch)
	c := g.Constant(vector(7, 8))
	y := op.Neg(x)
	p := compile(t, exec.Options{}, y, y, op.Reshape(y, op.Batch, 1), x, op.Reshape(x, 1, op.Batch), c, g.Read(net.V), op.Reshape(c, 1, 2))
	out := run(t, p, op.Feeds{"x": vector(1, 2, 3)}, 0)
	var got []string
	for _, b := range out {
		got = append(got, fmt.Sprint(b.Shape, b.Float64s()))
	}
	want := []string{"[3] [-1 -2 -3]", "[3] [-1 -2 -3]", "[3 1] [-1 -2 -3]", "[3] [1 2 3]", "[1 3] [1 2 3]", "[2] [7 8]", "[2] [0 0]", "[1 2] [7 8]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// All loaded values are looked at before one is taken.
func TestLoadedValuesThatDoNotFit(t *testing.T) {
	net := &counter{}
	g := op.NewGraph(net)
	for _, v := range []*op.Variable{net.V, net.W} {
		if err := v.Assign(op.NewBuffer(op.Float64, 3)); err != nil {
			t.Fatal(err)
		}
		if err := v.Define(op.Float64, nil, 2); err != nil {
			t.Fatal(err)
		}
	}
	_, err := exec.Compile(g, []*op.Node{op.Add(g.Read(net.V), g.Read(net.W))}, exec.Options{})
	want := "the loaded values do not fit the model: v is float64 (3,), want float64 (2,); w is float64 (3,), want float64 (2,)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if net.V.Allocated() || net.W.Allocated() {
		t.Error("a variable has been given memory")
	}
}

func TestG03StridedViewsAreTheirCopies(t *testing.T) {
	g := op.NewGraph(nil)
	a, b := g.Input("a", op.Float64, op.Batch), g.Input("b", op.Float64, op.Batch)
	p := compile(t, exec.Options{}, op.Reshape(op.Mul(a, b), op.Batch, 1))
	m := matrix(3, 2, 1, 2, 3, 4, 5, 6)
	column := func(i int) *tensor.Dense {
		v, err := m.Slice(nil, tensor.S(i))
		if err != nil {
			t.Fatal(err)
		}
		return v.(*tensor.Dense)
	}
	out := run(t, p, op.Feeds{"a": column(0), "b": column(1)}, 0)[0]
	if got := fmt.Sprint(out.Shape, out.Float64s()); got != "[3 1] [2 12 30]" {
		t.Errorf("got %s, want [3 1] [2 12 30]", got)
	}

	h := op.NewGraph(nil)
	x := h.Input("x", op.Float64, op.Batch, h.Dim("time"), h.Dim("width"))
	p = compile(t, exec.Options{}, op.Tanh(x))
	cube := tensor.New(tensor.WithShape(3, 4, 5), tensor.WithBacking(tensor.Range(tensor.Float64, 0, 60)))
	for name, view := range map[string]*tensor.Dense{
		"rows":      slice(t, cube, tensor.S(1, 3), nil, nil),
		"middle":    slice(t, cube, nil, tensor.S(1, 3), nil),
		"inner":     slice(t, cube, nil, nil, tensor.S(2, 4)),
		"all three": slice(t, cube, tensor.S(1, 3), tensor.S(0, 3), tensor.S(1, 5)),
		"transposed": func() *tensor.Dense {
			c := cube.Clone().(*tensor.Dense)
			if err := c.T(2, 0, 1); err != nil {
				t.Fatal(err)
			}
			return c
		}(),
	} {
		whole, ok := view.Materialize().(*tensor.Dense)
		if !ok {
			t.Fatal("no copy")
		}
		got, want := run(t, p, op.Feeds{"x": view}, 0)[0], run(t, p, op.Feeds{"x": whole}, 0)[0]
		if !slices.Equal(got.Shape, want.Shape) || !equal(got, want) {
			t.Errorf("%s: a view gives %v %v, its copy %v %v", name, got.Shape, got.Float64s(), want.Shape, want.Float64s())
		}
	}
}

func slice(t *testing.T, d *tensor.Dense, by ...tensor.Slice) *tensor.Dense {
	t.Helper()
	v, err := d.Slice(by...)
	return must(t, v.(*tensor.Dense), err)
}

func must(t *testing.T, d *tensor.Dense, err error) *tensor.Dense {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Scalars and tensors without elements are fed like any other.
func TestSmallFeeds(t *testing.T) {
	g := op.NewGraph(nil)
	s, x := g.Input("s", op.Float64), g.Input("x", op.Float64, op.Batch, 2)
	p := compile(t, exec.Options{}, op.Mul(x, s), op.Sum(x))
	feeds := op.Feeds{"s": tensor.New(tensor.FromScalar(3.0)), "x": matrix(1, 2, 1, 2)}
	if got := run(t, p, feeds, 0)[0].Float64s(); !slices.Equal(got, []float64{3, 6}) {
		t.Errorf("got %v, want [3 6]", got)
	}
	feeds["x"] = op.NewBuffer(op.Float64, 0, 2).Dense()
	out := run(t, p, feeds, 0)
	if fmt.Sprint(out[0].Shape, out[1].Scalar()) != "[0 2] 0" {
		t.Errorf("of no rows: got %v and %v", out[0].Shape, out[1].Scalar())
	}
	element, err := matrix(2, 2, 1, 2, 3, 4).Slice(tensor.S(1), tensor.S(0))
	if err != nil {
		t.Fatal(err)
	}
	feeds["s"], feeds["x"] = element.(*tensor.Dense), matrix(1, 2, 1, 2)
	if got := run(t, p, feeds, 0)[0].Float64s(); !slices.Equal(got, []float64{3, 6}) {
		t.Errorf("with a scalar cut out of a matrix: got %v, want [3 6]", got)
	}
}
