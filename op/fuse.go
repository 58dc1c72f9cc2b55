package op

// epilogued is an op whose kernel can add a bias and apply an activation to its result.
type epilogued interface {
	Op
	// withBias returns the op with a bias, if addend, broadcast to out, is one that its kernel can add; and the node to give it.
	withBias(out, addend *Node) (Op, *Node, bool)
	// withAct returns the op with an activation; ok is false if it has one already.
	withAct(a Activation) (Op, bool)
}

// kernelActs are the activations that kernels know.
var kernelActs = map[UnaryFunc]Activation{UnaryReLU: ActReLU, UnarySigmoid: ActSigmoid, UnaryTanh: ActTanh}

// fuse replaces an application and what follows it by one, wherever nothing else reads what lies between.
func (o *optimizer) fuse(fetch []*Node) []*Node {
	o.countUses(fetch)
	o.fuseNorms()
	for _, c := range o.calls {
		o.rewire(c)
		var fused *Node
		switch x := c.Op.(type) {
		case binary:
			if x.Func == BinaryAdd {
				if fused = o.fuseBias(c); fused == nil {
					fused = o.fuseScaled(c)
				}
			}
		case unary:
			if act, ok := kernelActs[x.Func]; ok {
				fused = o.fuseAct(c, act)
			}
		case nll:
			fused = o.fuseNLL(c, x)
		}
		if fused != nil {
			fused.call.order, fused.call.Deps = c.order, c.Deps
			o.by[c.Out[0]] = fused
			o.uses[fused] = o.uses[c.Out[0]]
			fused.name = c.Out[0].name
			o.replaceRest(c, fused.call)
		}
	}
	return o.finish(fetch)
}

func (o *optimizer) countUses(fetch []*Node) {
	o.uses = map[*Node]int{}
	for _, c := range o.calls {
		for _, in := range c.In {
			o.uses[in]++
		}
	}
	for _, n := range fetch {
		o.uses[n]++
	}
}

// inner returns the application of n if c alone reads it and a fusion may cross from it to c.
func (o *optimizer) inner(c *Call, n *Node) *Call {
	p := n.call
	if p == nil || o.uses[n] != 1 || len(p.Out) != 1 || p.Segment != c.Segment || p.Phase != c.Phase || len(p.Deps) > 0 {
		return nil
	}
	return p
}

func (o *optimizer) fuseBias(c *Call) *Node {
	for i, n := range c.In {
		p := o.inner(c, n)
		if p == nil {
			continue
		}
		e, ok := p.Op.(epilogued)
		if !ok || len(p.In) > 2 || !SameShape(n.shape, c.Out[0].shape) {
			continue
		}
		if with, bias, ok := e.withBias(n, c.In[1-i]); ok {
			return o.replace(c, with, p.In[0], p.In[1], bias)
		}
	}
	return nil
}

func (o *optimizer) fuseAct(c *Call, act Activation) *Node {
	p := o.inner(c, c.In[0])
	if p == nil {
		return nil
	}
	if e, ok := p.Op.(epilogued); ok {
		if with, ok := e.withAct(act); ok {
			return o.replace(c, with, p.In...)
		}
	}
	return nil
}

// fuseNLL turns the loss of a log-softmax that nothing else reads into a cross-entropy from the logits: the same bits in one pass. In a
// training program the gradient reads the log-probabilities, so there it stays as it is.
func (o *optimizer) fuseNLL(c *Call, loss nll) *Node {
	p := o.inner(c, c.In[0])
	if p == nil {
		return nil
	}
	if s, ok := p.Op.(softmax); !ok || !s.Log {
		return nil
	}
	return o.replace(c, crossEntropy(loss), p.In[0], c.In[1])
}

// replaceRest redirects the outputs of c after the first to those of the application that takes its place.
func (o *optimizer) replaceRest(c, by *Call) {
	for i, n := range c.Out[1:] {
		o.by[n] = by.Out[i+1]
		o.uses[by.Out[i+1]] = o.uses[n]
	}
}

func (o *optimizer) replace(c *Call, with Op, in ...*Node) (n *Node) {
	o.graph.derive(c, c.Phase, func() { n = o.graph.Apply(with, in...)[0] })
	return n
}

func (o matmul) withBias(out, addend *Node) (Op, *Node, bool) {
	bias := o.Act == NoActivation && addend.Rank() == 1 && addend.shape[0] == out.shape[len(out.shape)-1]
	return o, addend, bias
}

func (o matmul) withAct(a Activation) (Op, bool) {
	free := o.Act == NoActivation
	o.Act = a
	return o, free
}
