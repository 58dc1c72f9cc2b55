package exec

import "paddle/op"

// Inputs returns the inputs that every run has to be fed, in the order in which the graph made them.
func (p *Program) Inputs() []*op.Node {
	out := make([]*op.Node, len(p.feeds))
	for i, f := range p.feeds {
		out[i] = f.node
	}
	return out
}

// Variables returns the variables that the program reads or writes and their names, in the order in which it locks them. Parameter is nil
// throughout.
func (p *Program) Variables() []op.Named {
	out := make([]op.Named, len(p.variables))
	for i, a := range p.variables {
		out[i] = op.Named{Name: a.name, Variable: a.variable}
	}
	return out
}

// Memory returns the bytes that a run of g for the values of fetch plans for values, where size says what number stands behind each symbol.
// The rows of a body are taken at their widest. It gives no variable memory and takes none of that size.
func Memory(g *op.Graph, fetch []*op.Node, size func(symbol op.Dim) int) (int, error) {
	p, err := build(g, fetch, Options{})
	if err != nil {
		return 0, err
	}
	sizes := g.NewSizes()
	for _, in := range p.Inputs() {
		for _, d := range in.Shape() {
			if g.IsSymbol(d) {
				sizes.Rebind(d, size(d))
			}
		}
	}
	sizes.Update()
	return newFrame(p.unit, sizes).reserve(), nil
}

// reserve places the blocks of f and of its bodies and returns their bytes.
func (f *frame) reserve() int {
	f.shape()
	f.measure()
	n := f.place()
	for k, b := range f.bodies {
		if b != nil {
			_, most := f.unit.steps[k].call.Op.(op.Bodied).Rows()
			for i, d := range b.symbols {
				f.sizes.Rebind(d, f.sizes.Of(most[i]))
			}
			f.sizes.Update()
			n += b.frame.reserve()
		}
	}
	return n
}
