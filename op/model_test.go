package op_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"paddle/op"
)

// dense is a layer of the tests.
type denseLayer struct {
	Weight, Bias *op.Parameter
	Steps        *op.Variable
	Size         int
	hidden       *op.Parameter
}

func (l *denseLayer) Forward(x *op.Node) *op.Node {
	s := op.Enter(l, x)
	defer s.Leave()
	if s.Failed() != nil {
		return s.Failed()
	}
	if x.Rank() != 2 {
		return s.Wrong(x, "(batch, %d)", l.Size)
	}
	w := s.Parameter("Weight", l.Weight, op.Float32, op.InitXavier{}, int(x.Dim(1)), l.Size)
	b := s.Parameter("Bias", l.Bias, op.Float32, op.InitConstant(0), l.Size)
	return op.Add(op.MatMul(x, w), b)
}

type block struct {
	A, B *denseLayer
	Last denseLayer
}

// inner is embedded, and not exported itself.
type inner struct{ Scale *op.Parameter }

// names returns the paths of a model's variables.
func names(t *testing.T, net any) []string {
	t.Helper()
	walked, err := op.Walk(net)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, n := range walked {
		if n.Variable == nil {
			t.Errorf("%s has no variable", n.Name)
		}
		out = append(out, n.Name)
	}
	return out
}

func TestWalk(t *testing.T) {
	shared := &denseLayer{}
	tied := new(op.Parameter)
	for name, c := range map[string]struct {
		net  any
		want []string
	}{
		"nil":      {nil, nil},
		"a layer":  {&denseLayer{}, []string{"weight", "bias", "steps"}},
		"by value": {&struct{ One, Two denseLayer }{}, []string{"one.weight", "one.bias", "one.steps", "two.weight", "two.bias", "two.steps"}},
		"pointers": {&block{A: &denseLayer{}}, []string{"a.weight", "a.bias", "a.steps", "last.weight", "last.bias", "last.steps"}},
		"shared":   {&block{A: shared, B: shared}, []string{"a.weight", "a.bias", "a.steps", "last.weight", "last.bias", "last.steps"}},
		"tied": {&block{A: &denseLayer{Weight: tied}, Last: denseLayer{Weight: tied}},
			[]string{"a.weight", "a.bias", "a.steps", "last.bias", "last.steps"}},
		"slice":             {&struct{ Layers []denseLayer }{make([]denseLayer, 2)}, []string{"layers.0.weight", "layers.0.bias", "layers.0.steps", "layers.1.weight", "layers.1.bias", "layers.1.steps"}},
		"slice of pointers": {&struct{ Layers []*denseLayer }{[]*denseLayer{nil, {}}}, []string{"layers.1.weight", "layers.1.bias", "layers.1.steps"}},
		"array":             {&struct{ Heads [2]*op.Parameter }{[2]*op.Parameter{new(op.Parameter), new(op.Parameter)}}, []string{"heads.0", "heads.1"}},
		"map": {&struct{ Towers map[string]*denseLayer }{map[string]*denseLayer{"user": {}, "item": {}}},
			[]string{"towers.item.weight", "towers.item.bias", "towers.item.steps", "towers.user.weight", "towers.user.bias", "towers.user.steps"}},
		"interface":           {&struct{ Any any }{&denseLayer{}}, []string{"any.weight", "any.bias", "any.steps"}},
		"slice of interfaces": {&struct{ Any []any }{[]any{3, "text", &denseLayer{}, nil}}, []string{"any.2.weight", "any.2.bias", "any.2.steps"}},
		"embedded":            {&struct{ denseLayer }{}, []string{"weight", "bias", "steps"}},
		"embedded pointer":    {&struct{ *block }{&block{}}, []string{"last.weight", "last.bias", "last.steps"}},
		"embedded unexported": {&struct {
			inner
			Out denseLayer
		}{}, []string{"scale", "out.weight", "out.bias", "out.steps"}},
		"words":              {&struct{ LSTMCell, HiddenLayer2, FCOut *op.Parameter }{}, []string{"lstm_cell", "hidden_layer2", "fc_out"}},
		"pointer to a slice": {&[]denseLayer{{}}, []string{"0.weight", "0.bias", "0.steps"}},
		"what holds no parameters": {&struct {
			Numbers []float64
			Text    map[string]string
			F       func()
			C       chan int
			E       error
		}{Numbers: make([]float64, 3)}, nil},
		"pointer to a pointer":       {&struct{ P **denseLayer }{new(*denseLayer)}, nil},
		"a cycle":                    {cycle(), []string{"w", "next.w"}},
		"a cycle of slices":          {cycleOf(func(v any) any { return []any{v, new(op.Parameter)} }), []string{"1"}},
		"a cycle of maps":            {cycleOf(func(v any) any { return map[string]any{"a": v, "w": new(op.Parameter)} }), []string{"w"}},
		"a cycle of pointers":        {cycleOf(func(v any) any { return &struct{ Next, W any }{v, new(op.Parameter)} }), []string{"w"}},
		"a variable by itself":       {&struct{ V *op.Variable }{}, []string{"v"}},
		"several models in a struct": {&struct{ G, D block }{}, []string{"g.last.weight", "g.last.bias", "g.last.steps", "d.last.weight", "d.last.bias", "d.last.steps"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := names(t, c.net); !slices.Equal(got, c.want) {
				t.Errorf("got %v\nwant %v", got, c.want)
			}
		})
	}
}

type ring struct {
	W    *op.Parameter
	Next *ring
}

// cycleOf returns what link makes of a pointer to itself.
func cycleOf(link func(v any) any) any {
	var v any
	v = link(&v)
	return v
}

func cycle() *ring {
	a, b := &ring{}, &ring{}
	a.Next, b.Next = b, a
	return a
}

func TestWalkMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		net  any
		want string
	}{
		"a struct":              {denseLayer{}, "the model is a op_test.denseLayer, want a pointer to a struct of layers"},
		"a nil pointer":         {(*denseLayer)(nil), "the model is a nil *op_test.denseLayer, want a pointer to a struct of layers"},
		"a parameter by value":  {&struct{ W op.Parameter }{}, "w is an op.Parameter by value, want a pointer"},
		"a variable by value":   {&struct{ In struct{ V op.Variable } }{}, "in.v is an op.Variable by value, want a pointer"},
		"parameters in a slice": {&struct{ W []op.Parameter }{make([]op.Parameter, 1)}, "w.0 is an op.Parameter by value, want a pointer"},
		"a layer in a map":      {&struct{ M map[string]denseLayer }{map[string]denseLayer{"x": {}}}, "m.x.weight cannot be made: its struct is held by value in an interface or a map, want a pointer"},
		"a layer in an interface": {&struct{ Any any }{denseLayer{}},
			"any.weight cannot be made: its struct is held by value in an interface or a map, want a pointer"},
		"two of one name": {&struct {
			FC1 denseLayer
			Fc1 denseLayer
		}{}, `two variables of the model have the path "fc1.weight"`},
		"a map whose key has a point": {&struct{ M map[string]*op.Parameter }{map[string]*op.Parameter{"a": new(op.Parameter), "a.b": new(op.Parameter)}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := op.Walk(c.net)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if g := op.NewGraph(c.net); g.Err() == nil || message(t, g.Err()) != "op.NewGraph: "+c.want {
				t.Errorf("NewGraph has the error %v", g.Err())
			}
		})
	}
}

// Walking a second time changes nothing, and what was made stays.
func TestWalkTwice(t *testing.T) {
	net := &block{A: &denseLayer{}}
	first, _ := op.Walk(net)
	second, _ := op.Walk(net)
	if !slices.Equal(first, second) {
		t.Errorf("got %v, then %v", first, second)
	}
	if net.A.Weight != first[0].Parameter || net.A.Steps != first[2].Variable || net.A.hidden != nil {
		t.Error("the fields do not hold what was walked, or a field that is not exported was set")
	}
}

// Two graphs of one model read the same parameters.
func TestGraphsShareParameters(t *testing.T) {
	net := &block{A: &denseLayer{Size: 4}, Last: denseLayer{Size: 2}}
	var graphs [2]*op.Graph
	for i := range graphs {
		g := op.NewGraph(net)
		y := net.Last.Forward(net.A.Forward(g.Input("x", op.Float32, op.Batch, 3)))
		if y.Err() != nil {
			t.Fatal(y.Err())
		}
		graphs[i] = g
	}
	if a, b := graphs[0].Parameters(), graphs[1].Parameters(); len(a) != 4 || !slices.Equal(a, b) {
		t.Errorf("got %d and %d parameters, want the same 4", len(a), len(b))
	}
	var paths []string
	for _, n := range graphs[1].Variables() {
		paths = append(paths, n.Name()+" "+n.ShapeString())
	}
	want := []string{"a.weight (3, 4)", "a.bias (4,)", "last.weight (4, 2)", "last.bias (2,)"}
	if !slices.Equal(paths, want) {
		t.Errorf("got %v, want %v", paths, want)
	}
	for _, c := range graphs[0].Calls() {
		if c.Layer != "a" && c.Layer != "last" {
			t.Errorf("%s belongs to layer %q", c.Name(), c.Layer)
		}
	}
}

// A mistake in a layer names the layer, its path and its input.
func TestScopeErrors(t *testing.T) {
	net := &block{A: &denseLayer{Size: 4}, Last: denseLayer{Size: 2}}
	build := func(f func(g *op.Graph) *op.Node) string { return message(t, f(op.NewGraph(net)).Err()) }
	for name, c := range map[string]struct{ got, want string }{
		"wrong input": {build(func(g *op.Graph) *op.Node { return net.A.Forward(g.Input("image", op.Float32, 3)) }),
			`op_test.denseLayer a: input "image" has shape (3,), want (batch, 4)`},
		"op inside a layer": {build(func(g *op.Graph) *op.Node { return net.A.Forward(g.Input("image", op.Float64, op.Batch, 3)) }),
			`op_test.denseLayer a: input "a.weight" has type float32, want float64, as input "image"`},
		"shape of a parameter": {build(func(g *op.Graph) *op.Node {
			net.A.Forward(g.Input("x", op.Float32, op.Batch, 3))
			return net.A.Forward(g.Input("y", op.Float32, op.Batch, 5))
		}), `op_test.denseLayer a: Weight has float32 (3, 4), want float32 (5, 4)`},
		"copied": {build(func(g *op.Graph) *op.Node {
			last := copyOf(&net.Last)
			return last.Forward(g.Input("x", op.Float32, op.Batch, 3))
		}), `op_test.denseLayer: the layer is not part of the model *op_test.block that NewGraph was given: was it copied, or made later?`},
		"made later": {build(func(g *op.Graph) *op.Node {
			return (&denseLayer{Size: 1}).Forward(g.Input("x", op.Float32, op.Batch, 3))
		}), `op_test.denseLayer: the layer is not part of the model *op_test.block that NewGraph was given: was it copied, or made later?`},
		"nil layer": {build(func(g *op.Graph) *op.Node { return net.B.Forward(g.Input("x", op.Float32, op.Batch, 3)) }),
			`op_test.denseLayer: the layer is a nil *op_test.denseLayer, want one in the model that NewGraph was given`},
		"nil input": {build(func(*op.Graph) *op.Node { return net.A.Forward(nil) }), `op_test.denseLayer: input 0 is nil`},
		"no model": {message(t, net.A.Forward(op.NewGraph(nil).Input("x", op.Float32, op.Batch, 3)).Err()),
			`op_test.denseLayer: the layer is not part of the graph's model: NewGraph was given none`},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q\nwant %q", name, c.got, c.want)
		}
	}
}

// copyOf returns a copy of a layer, as an assignment would make it.
func copyOf(l *denseLayer) *denseLayer {
	return &denseLayer{Weight: l.Weight, Bias: l.Bias, Steps: l.Steps, Size: l.Size}
}

// A layer hands on the failure of its input, and scopes that fail do not stay open.
func TestScopesClose(t *testing.T) {
	net := &block{A: &denseLayer{Size: 4}, Last: denseLayer{Size: 2}}
	g := op.NewGraph(net)
	bad := net.A.Forward(g.Input("image", op.Float32, 3))
	if got := net.Last.Forward(bad); got.Err() != bad.Err() {
		t.Errorf("got %v, want the error of the input, %v", got.Err(), bad.Err())
	}
	x := g.Input("x", op.Float32, op.Batch, 3)
	outside := op.Neg(x)
	if c, _ := outside.Call(); c.Layer != "" {
		t.Errorf("an op after the layers belongs to %q", c.Layer)
	}
	good := net.Last.Forward(x)
	if good.Err() != nil {
		t.Error(good.Err())
	}
	if c, _ := good.Call(); c.Name() != "last.add" {
		t.Errorf("got %q, want last.add", c.Name())
	}
	if !errors.Is(g.Err(), bad.Err()) {
		t.Errorf("the graph has the error %v, want %v", g.Err(), bad.Err())
	}
}

func TestParameterOfAnotherLayerIsNil(t *testing.T) {
	net := &struct{ L *denseLayer }{&denseLayer{Size: 2}}
	g := op.NewGraph(net)
	net.L.Bias = nil // after NewGraph
	err := net.L.Forward(g.Input("x", op.Float32, op.Batch, 3)).Err()
	if got := message(t, err); !strings.HasSuffix(got, "Bias is nil: is the layer part of the model that NewGraph was given?") {
		t.Errorf("got %q", got)
	}
}

// A layer that reads a parameter which nobody has made, or made a shape for, is told so.
func TestReadOfNoVariable(t *testing.T) {
	for name, c := range map[string]struct {
		read func(g *op.Graph) *op.Node
		want string
	}{
		"nil parameter":   {func(g *op.Graph) *op.Node { return g.ReadParameter(nil) }, "op.Graph.ReadParameter: the variable is nil: is its field exported, and part of the model that NewGraph was given?"},
		"nil variable":    {func(g *op.Graph) *op.Node { return g.Read(nil) }, "op.Graph.Read: the variable is nil: is its field exported, and part of the model that NewGraph was given?"},
		"without a shape": {func(g *op.Graph) *op.Node { return g.Read(new(op.Variable)) }, "has no shape"},
	} {
		if got := message(t, c.read(op.NewGraph(nil)).Err()); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: got %q\nwant %q", name, got, c.want)
		}
	}
}
