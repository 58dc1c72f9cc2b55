package main

import (
	"paddle/op"
)

// flops is a pass that changes nothing and counts the arithmetic of a training program, forward and backward. What an optimizer does is
// not arithmetic worth counting: it waits for memory.
type flops struct{ graph *op.TrainingGraph }

// Stage is the last one.
func (f *flops) Stage() op.Stage { return op.AtUpdate }

// Rewrite keeps the program.
func (f *flops) Rewrite(t *op.TrainingGraph) error {
	f.graph = t
	return nil
}

// of returns the operations of a step on the given feeds.
func (f *flops) of(feeds op.Feeds) int64 {
	g := f.graph.Graph
	var roots []*op.Call
	for _, c := range g.Calls() {
		if c.Effect() {
			roots = append(roots, c)
		}
	}
	return count(g, roots, feeds)
}

// forward returns the operations of a prediction.
func forward(output *op.Node, feeds op.Feeds) int64 {
	c, _ := output.Call()
	return count(output.Graph(), []*op.Call{c}, feeds)
}

// count adds up the operations that roots need.
func count(g *op.Graph, roots []*op.Call, feeds op.Feeds) (total int64) {
	sizes := g.NewSizes()
	for _, in := range g.Inputs() {
		for i, d := range in.Shape() {
			if g.IsSymbol(d) {
				sizes.Rebind(d, feeds[in.Name()].Shape()[i])
			}
		}
	}
	sizes.Update()
	shapes := func(nodes []*op.Node) [][]int {
		out := make([][]int, len(nodes))
		for i, n := range nodes {
			out[i] = make([]int, n.Rank())
			sizes.Shape(out[i], n.Shape())
		}
		return out
	}
	for _, c := range op.Schedule(roots) {
		if o, ok := c.Op.(op.Costed); ok {
			total += o.FLOPs(shapes(c.In), shapes(c.Out))
		}
	}
	return total
}
