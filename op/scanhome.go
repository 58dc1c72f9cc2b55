package op

import "fmt"

// call builds the step. While it does, sizes of the step's rows mean its body; afterwards they mean nothing any more.
func (b *scanBuilder) call(step func(s *ScanStep) (out, next []*Node), s *ScanStep) (out, next []*Node) {
	r := b.graph.root()
	if r.rows == nil {
		r.rows = map[Dim]*Graph{}
	}
	mean := func(body *Graph) {
		for _, a := range b.axes {
			r.rows[a.symbol] = body
		}
	}
	mean(b.body)
	defer mean(nil)
	return step(s)
}

// home returns the graph to apply o in: g, or inside of it the body of a step that is being built, if o's attributes speak of the step's
// rows, as where a parameter is stretched to them.
func (g *Graph) home(o Op) (*Graph, error) {
	r := g.root()
	if len(r.rows) == 0 {
		return g, nil
	}
	symbols, _ := g.Symbols(DimsOf(o))
	for _, d := range symbols {
		body, isRows := r.rows[d]
		switch {
		case !isRows || g.within(body):
		case body != nil && body.within(g):
			g = body
		case g == r:
			return g, fmt.Errorf("size %s is that of the rows in a step, want one that is known outside of the step", g.DimString(d))
		}
	}
	return g, nil
}
