package golden

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"paddle/internal/exec"
	"paddle/op"
)

// opCase is a single operation: PyTorch's result, and its gradients of the product of the result with numbers by formula.
type opCase struct {
	Name, Op string
	Attrs    json.RawMessage
	In       []array
	Shape    []int
	Out      []number
	Grad     [][]number // nil for integers
}

func TestOps(t *testing.T) {
	for _, c := range read[opCase](t, "ops.json") {
		t.Run(c.Name, func(t *testing.T) {
			for _, d := range []op.DType{op.Float64, op.Float32} {
				c.check(t, d)
			}
		})
	}
}

// check compares the results in one type.
func (c *opCase) check(t *testing.T, d op.DType) {
	out, grad, err := c.compute(d)
	if err != nil {
		t.Fatalf("%v: %v", d, err)
	}
	c.compare(t, d, "result", out, c.Out)
	for i := range c.In {
		if c.Grad[i] != nil {
			c.compare(t, d, "gradient of "+c.In[i].Name, grad[i], c.Grad[i])
		}
	}
}

// compute builds and runs the operation. A gradient that no value depends on is zero.
func (c *opCase) compute(d op.DType) (out []float64, grad [][]float64, err error) {
	g := op.NewGraph(nil)
	in, feeds := make([]*op.Node, len(c.In)), op.Feeds{}
	var wrt []*op.Node
	for i := range c.In {
		a := &c.In[i]
		in[i] = g.Input(a.Name, a.dtype(d), dims(a.Shape)...)
		feeds[a.Name] = a.all(d).Dense()
		if !a.Integer {
			wrt = append(wrt, in[i])
		}
	}
	build := operations[c.Op]
	if build == nil {
		return nil, nil, fmt.Errorf("there is no operation %q", c.Op)
	}
	y := build(in, c.Attrs)
	dy := g.Input("dy", d, dims(c.Shape)...)
	feeds["dy"] = bufferOf(d, c.Shape, values(c.Name+"/dy", size(c.Shape), 1, 0)).Dense()
	fetch := []*op.Node{y}
	found := op.VJP([]*op.Node{y}, []*op.Node{dy}, wrt)
	for _, n := range found {
		if n != nil {
			fetch = append(fetch, op.Densify(n))
		}
	}
	results, err := run(g, fetch, feeds)
	if err != nil {
		return nil, nil, err
	}
	out, results = results[0], results[1:]
	for i := range c.In {
		switch {
		case c.In[i].Integer:
			grad = append(grad, nil)
			continue
		case found[0] != nil:
			grad, results = append(grad, results[0]), results[1:]
		default:
			grad = append(grad, make([]float64, size(c.In[i].Shape)))
		}
		found = found[1:]
	}
	return out, grad, nil
}

// run compiles a graph for training and returns the values of fetch.
func run(g *op.Graph, fetch []*op.Node, feeds op.Feeds) (out [][]float64, err error) {
	if err := g.Err(); err != nil {
		return nil, err
	}
	own, find := op.Copy(g, op.Training, fetch...)
	nodes := make([]*op.Node, len(fetch))
	for i, n := range fetch {
		nodes[i] = find(n)
	}
	p, err := exec.Compile(own, op.Optimize(own, nodes), exec.Options{})
	if err != nil {
		return nil, err
	}
	err = p.Run(context.Background(), feeds, 0, func(results []op.Buffer) error {
		for _, b := range results {
			out = append(out, numbersOf(b))
		}
		return nil
	})
	return out, err
}

// compare reports the elements that are not near what PyTorch gives. An element of a function of one number is left out where its
// argument is not the same in the given type, all elements of other operations where one argument is not.
func (c *opCase) compare(t *testing.T, d op.DType, what string, got []float64, want []number) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%v %s has %d elements, want %d", d, what, len(got), len(want))
		return
	}
	same := c.same(d)
	for i, w := range float64s(want) {
		if d == op.Float32 {
			w = float64(float32(w))
		}
		if same(i) && !near(got[i], w, tolerances[d].value) {
			t.Errorf("%v %s %d is %v, want %v%s", d, what, i, got[i], w, c.argument(i))
		}
	}
}

// same tells where the inputs have the same values in the type d.
func (c *opCase) same(d op.DType) func(i int) bool {
	if d == op.Float64 {
		return func(int) bool { return true }
	}
	fits := func(x number) bool { return math.IsNaN(float64(x)) || number(float32(x)) == x }
	if c.ofOneNumber() {
		return func(i int) bool { return fits(c.In[0].Data[i]) }
	}
	all := true
	for _, a := range c.In {
		all = all && !slices.ContainsFunc(a.Data, func(x number) bool { return !fits(x) })
	}
	return func(int) bool { return all }
}

// ofOneNumber reports whether each element of the result is a function of one listed number.
func (c *opCase) ofOneNumber() bool { return strings.HasPrefix(c.Name, "unary/") }

// argument says what a function of one number was given.
func (c *opCase) argument(i int) string {
	if !c.ofOneNumber() {
		return ""
	}
	return fmt.Sprintf(" for %v", c.In[0].Data[i])
}
