package op

// Optimize runs the passes that make a program smaller and faster without changing a bit of its results: fusion of products with their
// bias and activation and of log-softmax with its loss, then common sub-expressions. It rewrites g, which must belong to
// the caller alone (Copy), and returns the nodes that now stand for fetch. Dead code goes when the program is compiled.
func Optimize(g *Graph, fetch []*Node) []*Node {
	for _, n := range fetch {
		if n.Err() != nil {
			return fetch
		}
	}
	o := &optimizer{graph: g, by: map[*Node]*Node{}}
	o.calls = Schedule(o.roots(fetch))
	dropUnread(o.calls, fetch)
	o.bodies()
	fetch = o.fuse(fetch)
	o.calls = Schedule(o.roots(fetch))
	return o.merge(fetch)
}

// optimizer is the state of one Optimize.
type optimizer struct {
	graph *Graph
	calls []*Call
	by    map[*Node]*Node // what replaces what
	uses  map[*Node]int
}

// roots returns the applications that fetch comes from, and those with an effect.
func (o *optimizer) roots(fetch []*Node) []*Call {
	var roots []*Call
	for _, n := range fetch {
		if n.call != nil {
			roots = append(roots, n.call)
		}
	}
	for _, c := range o.graph.calls {
		if c.Effect() {
			roots = append(roots, c)
		}
	}
	return roots
}

// bodies optimises the inner graphs.
func (o *optimizer) bodies() {
	for _, c := range o.calls {
		if b, ok := c.Op.(Bodied); ok {
			inner, outputs := b.Body()
			c.Op = b.WithBody(inner, Optimize(inner, outputs), func(n *Node) *Node { return n })
		}
	}
}

// now returns what n has become.
func (o *optimizer) now(n *Node) *Node {
	for {
		m, ok := o.by[n]
		if !ok {
			return n
		}
		n = m
	}
}

// rewire lets c read, and wait for, what has taken the place of its inputs and dependencies.
func (o *optimizer) rewire(c *Call) {
	for i, in := range c.In {
		c.In[i] = o.now(in)
	}
	for i, d := range c.Deps {
		if len(d.Out) > 0 {
			c.Deps[i] = o.now(d.Out[0]).call
		}
	}
}

func (o *optimizer) finish(fetch []*Node) []*Node {
	out := make([]*Node, len(fetch))
	for i, n := range fetch {
		out[i] = o.now(n)
	}
	return out
}
