package layer_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"paddle/internal/exec"
	"paddle/op"
)

// tensorOf returns a tensor of the elements.
func tensorOf[E any](elements []E, shape ...int) *tensor.Dense {
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(elements))
}

// evaluate runs nodes once and returns their elements.
func evaluate(t *testing.T, mode op.Mode, feeds op.Feeds, nodes ...*op.Node) [][]float32 {
	t.Helper()
	out, err := run(t, mode, feeds, nodes...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func run(t *testing.T, mode op.Mode, feeds op.Feeds, nodes ...*op.Node) (out [][]float32, err error) {
	t.Helper()
	g, find := op.Copy(nodes[0].Graph(), mode, nodes...)
	var fetch []*op.Node
	for _, n := range nodes {
		if n.Err() != nil {
			t.Fatal(n.Err())
		}
		fetch = append(fetch, find(n))
	}
	p, err := exec.Compile(g, fetch, exec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = p.Run(context.Background(), feeds, 0, func(values []op.Buffer) error {
		for _, b := range values {
			out = append(out, slices.Clone(b.Float32s()))
		}
		return nil
	})
	return out, err
}

// assign gives a parameter of a built layer its elements.
func assign(t *testing.T, p *op.Parameter, elements ...float32) {
	t.Helper()
	b := op.NewBuffer(op.Float32, p.Shape()...)
	if copy(b.Float32s(), elements) != b.Len() {
		t.Fatalf("%d elements for shape %v", len(elements), p.Shape())
	}
	if err := p.Assign(b); err != nil {
		t.Fatal(err)
	}
}

// names lists the variables of a model that have a shape, with it.
func names(t *testing.T, model any) []string {
	t.Helper()
	list, err := op.Walk(model)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, v := range list {
		if v.Variable.Defined() {
			size := strings.Trim(fmt.Sprint(v.Variable.Shape()), "[]")
			out = append(out, strings.TrimSpace(fmt.Sprintln(v.Name, v.Variable.DType(), size)))
		}
	}
	return out
}

func wantNames(t *testing.T, model any, want ...string) {
	t.Helper()
	if got := names(t, model); !slices.Equal(got, want) {
		t.Errorf("parameters\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func wantShape(t *testing.T, n *op.Node, want string) {
	t.Helper()
	if n.Err() != nil {
		t.Error(n.Err())
	} else if n.ShapeString() != want {
		t.Errorf("shape %s, want %s", n.ShapeString(), want)
	}
}

func wantNear(t *testing.T, what string, got []float32, want ...float64) {
	t.Helper()
	for i := range got {
		if len(got) != len(want) || !(math.Abs(float64(got[i])-want[i]) <= 1e-5*(1+math.Abs(want[i]))) {
			t.Errorf("%s: got %v, want %v", what, got, want)
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// wantError fails unless n failed in a test of this package with the given text after the position.
func wantError(t *testing.T, n *op.Node, want string) {
	t.Helper()
	if n.Err() == nil {
		t.Errorf("no error, want %q", want)
		return
	}
	if pos, text, _ := strings.Cut(n.Err().Error(), ": "); text != want || !strings.Contains(pos, "_test.go:") {
		t.Errorf("error\n\t%v\nwant\n\t*_test.go:*: %s", n.Err(), want)
	}
}
