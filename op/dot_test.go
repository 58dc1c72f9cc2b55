package op_test

import (
	"strings"
	"testing"

	"paddle/op"
)

// TestDOT checks that a drawing declares everything that an edge connects, and tells inputs, variables and bodies apart.
func TestDOT(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x \"quoted\"", op.Float32, op.Batch, 3)
	w := new(op.Parameter)
	if err := w.Define(op.Float32, nil, 3, 3); err != nil {
		t.Fatal(err)
	}
	u := g.ReadParameter(w)
	h0 := g.Input("h0", op.Float32, 2, 3)
	outs, _ := op.Scan(op.ScanInputs{Starts: g.EqualSteps(2, 2), Rows: []*op.Node{x}, Init: []*op.Node{h0}}, func(s *op.ScanStep) (out, next []*op.Node) {
		h := op.Tanh(op.Add(s.Rows[0], op.MatMul(s.Memory[0], u)))
		return []*op.Node{h}, []*op.Node{h}
	})
	op.Gradient(op.Sum(op.LeakyReLU(outs[0], 0.25)), u)
	drawing := g.DOT()
	for _, want := range []string{
		"digraph paddle {", `leaky_relu{a=0.25}`, "shape=ellipse", "shape=cylinder", "subgraph cluster_", "(batch, 3)", "color=blue",
		`x \"quoted\"`,
	} {
		if !strings.Contains(drawing, want) {
			t.Errorf("the drawing lacks %s:\n%s", want, drawing)
		}
	}
	declared := map[string]bool{}
	for line := range strings.Lines(drawing) {
		fields := strings.Fields(line)
		if len(fields) > 1 && strings.HasPrefix(fields[1], "[label=") {
			declared[fields[0]] = true
		}
	}
	for line := range strings.Lines(drawing) {
		if f := strings.Fields(line); len(f) > 2 && f[1] == "->" && (!declared[f[0]] || !declared[f[2]]) {
			t.Errorf("an edge of something undeclared: %s", line)
		}
	}
	if strings.Count(drawing, "{") != strings.Count(drawing, "}") {
		t.Error("braces do not match")
	}
}
