package gorgop

import (
	"fmt"
	"maps"
	"slices"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
)

// cuts is a copy of a graph that is cut at every value: an application reads inputs in the place of the values that others compute,
// of variables and of constants, so that each can be compiled and run by itself.
type cuts struct {
	find   func(*op.Node) *op.Node
	inputs map[*op.Node]*op.Node // what replaces a value, by the value in the uncut graph
	zeros  op.Feeds              // of the graph's own inputs: a program may need one for its sizes alone
}

func newCuts(g *op.Graph, calls []*op.Call, nodes []*op.Node, shape func(*op.Node) ([]int, error)) (*cuts, error) {
	copied, find := op.Copy(g, op.Inference, nodes...)
	c := &cuts{find: find, inputs: map[*op.Node]*op.Node{}, zeros: op.Feeds{}}
	by := map[*op.Node]*op.Node{}
	add := func(n *op.Node) {
		if c.inputs[n] != nil {
			return
		}
		if c.inputs[n] = find(n); !n.IsInput() {
			c.inputs[n] = copied.Input(fmt.Sprintf("value %d of the exported graph", len(c.inputs)), n.DType(), n.Shape()...)
			by[find(n)] = c.inputs[n]
		}
	}
	for _, call := range calls {
		for _, n := range call.In {
			add(n)
		}
	}
	for _, n := range g.Inputs() {
		numbers, err := shape(n)
		t, ok := n.DType().Dense()
		if err != nil || !ok {
			continue // an input that nothing reads
		}
		c.zeros[n.Name()] = tensor.New(tensor.Of(t), tensor.WithShape(numbers...))
	}
	copied.Substitute(by)
	return c, copied.Err()
}

// program compiles the application that computes the given outputs.
func (c *cuts) program(outputs []*op.Node) (*paddle.Predictor, error) {
	var nodes []*op.Node
	for _, n := range outputs {
		nodes = append(nodes, c.find(n))
	}
	return paddle.NewPredictor(nodes...)
}

func (c *cuts) feeds() op.Feeds { return maps.Clone(c.zeros) }

// names returns the names under which values are fed.
func (c *cuts) names(values []*op.Node) []string {
	var out []string
	for _, n := range values {
		out = append(out, c.inputs[n].Name())
	}
	return slices.Clip(out)
}
