package optest

import (
	"fmt"

	"paddle/op"
)

// economy asks every application for the gradient of one input at a time and looks at what it builds: nothing for the other inputs,
// nothing that the wanted gradient does not need.
func (k *checker) economy() {
	if k.c.NoGradient {
		return
	}
	r, err := newRig(k.c, k.dtype)
	if err != nil {
		k.failf("built again: %v", err)
		return
	}
	for _, c := range append([]*op.Call{}, r.graph.Calls()...) {
		d, ok := c.Op.(op.Differentiable)
		if !ok {
			continue
		}
		for i, in := range c.In {
			if !in.DType().IsFloat() {
				continue
			}
			if err := wantsOne(r.graph, c, d, i); err != nil {
				k.failf("%s, asked for the gradient of input %d only, %v", c.Op.Name(), i, err)
			}
		}
	}
}

// wantsOne builds the gradient of input i of c alone.
func wantsOne(g *op.Graph, c *op.Call, d op.Differentiable, i int) error {
	dout := make([]*op.Node, len(c.Out))
	reached := false
	for j, y := range c.Out {
		if y.DType().IsFloat() {
			dout[j] = op.Ones(y)
			reached = true
		}
	}
	if !reached {
		return nil
	}
	want := make([]bool, len(c.In))
	want[i] = true
	before := len(g.Calls())
	var grads []*op.Node
	g.Derive(c, op.Backward, func() { grads = d.Gradient(c, dout, want) })
	made := g.Calls()[before:]
	if len(grads) > len(c.In) {
		return fmt.Errorf("gives %d gradients for %d inputs", len(grads), len(c.In))
	}
	var wanted *op.Node
	for j, n := range grads {
		switch {
		case n == nil:
		case n.Err() != nil:
			return n.Err()
		case j != i:
			return fmt.Errorf("builds one for input %d", j)
		default:
			wanted = n
		}
	}
	return unneeded(made, wanted)
}

// unneeded returns an error if some application in made does not help to compute n.
func unneeded(made []*op.Call, n *op.Node) error {
	read := map[*op.Node]bool{}
	if n != nil {
		read[n] = true
		if rows := n.Sparse(); rows != nil {
			read[rows.IDs], read[rows.Values] = true, true
		}
	}
	for j := len(made) - 1; j >= 0; j-- {
		c := made[j]
		used := false
		for _, y := range c.Out {
			used = used || read[y]
		}
		if !used {
			return fmt.Errorf("builds %s, which that does not need", c.Op.Name())
		}
		if t := op.TraitsOf(c.Op); !t.OptionalOutputs {
			for o, y := range c.Out {
				if !read[y] {
					return fmt.Errorf("makes %s compute output %d, which nobody reads: give it the trait OptionalOutputs", c.Op.Name(), o)
				}
			}
		}
		for _, in := range c.In {
			read[in] = true
			if rows := in.Sparse(); rows != nil {
				read[rows.IDs], read[rows.Values] = true, true
			}
		}
	}
	return nil
}
