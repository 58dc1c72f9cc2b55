package gorgop

import (
	"math"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"paddle/op"
)

type function = func(in gorgonia.Nodes) (*gorgonia.Node, error)

// flaw is a function that Gorgonia computes wrongly, and which is refused.
type flaw struct {
	name   string
	f      function
	shapes [][]int
	reason string
	want   func(in []array) array // of a wrong value; nil where the gradient is wrong
}

func averaged(in []array) array {
	x := in[0]
	return fill([]int{x.Shape[0], x.Shape[1], x.Shape[2] / 2, x.Shape[3] / 2}, func(at []int) float64 {
		sum := 0.0
		windows(x.Shape[2], x.Shape[3], at[2], at[3], [2]int{2, 2}, [2]int{0, 0}, [2]int{2, 2}, [2]int{1, 1}, func(i, j, _, _ int) {
			sum += x.At(at[0], at[1], i, j) / 4
		})
		return sum
	})
}

// paddedAbove is the maximum of 2×2 windows, with one row of padding above.
func paddedAbove(in []array) array {
	x := in[0]
	return fill([]int{x.Shape[0], x.Shape[1], 4, 3}, func(at []int) float64 {
		most := math.Inf(-1)
		windows(x.Shape[2], x.Shape[3], at[2], at[3], [2]int{2, 2}, [2]int{1, 0}, [2]int{1, 1}, [2]int{1, 1}, func(i, j, _, _ int) {
			most = math.Max(most, x.At(at[0], at[1], i, j))
		})
		return most
	})
}

var flaws = []flaw{
	{"average pool", one(func(x *gorgonia.Node) (*gorgonia.Node, error) {
		return gorgonia.AveragePool2D(x, tensor.Shape{2, 2}, []int{0, 0}, []int{2, 2})
	}), [][]int{{2, 1, 4, 6}}, "use op.AvgPool2D", averaged},
	{"max pool with other paddings on the two sides", one(func(x *gorgonia.Node) (*gorgonia.Node, error) {
		return gorgonia.MaxPool2D(x, tensor.Shape{2, 2}, []int{1, 0, 0, 0}, []int{1, 1})
	}), [][]int{{2, 1, 4, 4}}, "mixes up the paddings", paddedAbove},
	{"sum of axis 2 of 4", one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Sum(x, 2) }),
		[][]int{{2, 3, 3, 2}}, "reducing axis 2 of 4 gives wrong sums", reduced(0, plus, 2)},
	{"max of axes 1 and 3 of 5", one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Max(x, 1, 3) }),
		[][]int{{2, 2, 3, 3, 2}}, "reducing axis 3 of 5 gives wrong sums", reduced(math.Inf(-1), math.Max, 1, 3)},
	{"softmax of a column", one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.SoftMax(x) }),
		[][]int{{4, 1}}, "state the axis", softmax(-1, false)},
	{"sparsemax along axis 0", one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Sparsemax(x, 0) }),
		[][]int{{2, 3}}, "does not transpose back", func(in []array) array {
			x := in[0]
			return fill(x.Shape, func(at []int) float64 { // of two numbers a and b: min(1, max(0, (a − b + 1)/2))
				return min(1, max(0, (x.At(at...)-x.At(1-at[0], at[1])+1)/2))
			})
		}},
	{"log2", one(gorgonia.Log2), [][]int{{3}}, "use Log and a constant", nil},
	{"inverse square root", one(gorgonia.InverseSqrt), [][]int{{3}}, "use Inverse and Sqrt", nil},
	{"outer product", two(gorgonia.OuterProd), [][]int{{3}, {3}}, "use op.MatMul", nil},
	{"concatenation of 256 rows and more", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Concat(0, in...) },
		[][]int{{256, 1}, {256, 1}}, "use op.Concat", nil},
	{"columns by index", one(func(x *gorgonia.Node) (*gorgonia.Node, error) {
		ids := gorgonia.NewTensor(x.Graph(), tensor.Int, 1, gorgonia.WithShape(2), gorgonia.WithName("ids"),
			gorgonia.WithValue(tensor.New(tensor.WithBacking([]int{2, 0}))))
		return gorgonia.ByIndices(x, ids, 1)
	}), [][]int{{2, 3}}, "right for axis 0 only", nil},
}

// values are positive numbers in no order.
func values(shapes [][]int) []array {
	var out []array
	k := 0.0
	for _, s := range shapes {
		out = append(out, fill(s, func([]int) float64 {
			k++
			return 1.2 + math.Sin(k*k)
		}))
	}
	return out
}

// onTape computes f on a TapeMachine, and if asked to the gradient of Σ f² for the inputs.
func onTape(t *testing.T, f function, in []array, gradient bool) (out array, grads [][]float64) {
	t.Helper()
	g := gorgonia.NewGraph()
	var nodes gorgonia.Nodes
	for _, a := range in {
		v := tensor.New(tensor.WithShape(a.Shape...), tensor.WithBacking(append([]float64{}, a.Data...)))
		nodes = append(nodes, gorgonia.NodeFromAny(g, v, gorgonia.WithName("input "+string(rune('a'+len(nodes))))))
	}
	y, err := f(nodes)
	if err != nil {
		t.Fatal(err)
	}
	var slopes gorgonia.Nodes
	if gradient {
		cost := gorgonia.Must(gorgonia.Sum(gorgonia.Must(gorgonia.Square(y))))
		if slopes, err = gorgonia.Grad(cost, nodes...); err != nil {
			t.Fatal(err)
		}
	}
	m := gorgonia.NewTapeMachine(g)
	defer m.Close()
	if err := m.RunAll(); err != nil {
		t.Fatal(err)
	}
	for _, n := range slopes {
		grads = append(grads, n.Value().Data().([]float64))
	}
	return array{Shape: y.Value().Shape(), Data: y.Value().Data().([]float64)}, grads
}

func near(a, b []float64) bool {
	for i := range a {
		if len(a) != len(b) || math.Abs(a[i]-b[i]) > 1e-4*(1+math.Abs(b[i])) {
			return false
		}
	}
	return true
}

// TestFlawsAreThere looks at Gorgonia itself: what it has learned to compute need not be refused.
func TestFlawsAreThere(t *testing.T) {
	for _, c := range flaws {
		in := values(c.shapes)
		if c.want != nil {
			if got, _ := onTape(t, c.f, in, false); near(got.Data, c.want(in).Data) {
				t.Errorf("Gorgonia computes %s rightly", c.name)
			}
			continue
		}
		_, grads := onTape(t, c.f, in, true)
		if near(flatten(grads), differences(t, c.f, in)) {
			t.Errorf("Gorgonia computes the gradient of %s rightly", c.name)
		}
	}
}

func flatten(parts [][]float64) (out []float64) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// differences returns the gradient of Σ f² by central differences.
func differences(t *testing.T, f function, in []array) (out []float64) {
	t.Helper()
	cost := func() float64 {
		y, _ := onTape(t, f, in, false)
		sum := 0.0
		for _, v := range y.Data {
			sum += v * v
		}
		return sum
	}
	for _, a := range in {
		for i, x := range a.Data {
			const h = 1e-5
			a.Data[i] = x + h
			up := cost()
			a.Data[i] = x - h
			out = append(out, (up-cost())/(2*h))
			a.Data[i] = x
		}
	}
	return out
}

func TestFlawsAreRefused(t *testing.T) {
	for _, c := range append([]flaw{
		{"dropout", one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Dropout(x, 0.5) }), [][]int{{3, 4}}, "use op.Dropout", averaged},
		{"batch norm", one(func(x *gorgonia.Node) (*gorgonia.Node, error) {
			y, _, _, _, err := gorgonia.BatchNorm(x, x, x, 0.9, 1e-5)
			return y, err
		}), [][]int{{3, 4}}, "hidden in the op", averaged},
		{"random numbers", one(func(x *gorgonia.Node) (*gorgonia.Node, error) {
			return gorgonia.HadamardProd(x, gorgonia.UniformRandomNode(x.Graph(), tensor.Float64, 0, 1, 3, 4))
		}), [][]int{{3, 4}}, "seeded by the clock", averaged},
		{"sum of axes out of order", one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Sum(x, 1, 0) }), [][]int{{3, 4}}, "sort them", averaged},
	}, flaws...) {
		if strings.Contains(c.name, "by index") {
			continue // in TestStockShapes: its second input is no argument here
		}
		g := op.NewGraph(nil)
		var in []*op.Node
		for i, s := range c.shapes {
			var shape []op.Dim
			for _, d := range s {
				shape = append(shape, op.Dim(d))
			}
			in = append(in, g.Input(string(rune('a'+i)), op.Float64, shape...))
		}
		y := Import(c.f, in...)
		if c.want == nil {
			y = op.Gradient(op.Sum(y), in...)[0]
		}
		if err := y.Err(); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: the error is %v, want one with %q", c.name, err, c.reason)
		}
	}
}

// TestFlawsAtRunTime has a size that is all right until the run.
func TestFlawsAtRunTime(t *testing.T) {
	if reason := refuse(gorgonia.Must(gorgonia.SoftMax(gorgonia.NewMatrix(gorgonia.NewGraph(), tensor.Float64, gorgonia.WithShape(4, 3)))).Op(),
		[][]int{{4, 1}}, []int{4, 1}); reason == "" {
		t.Error("the softmax of a column is not refused")
	}
}
