package op

// A batch norm of images and the activation after it become one op, forward and backward. The gradient computes again what the activation was
// applied to, from x, which it reads anyway: between the passes neither that nor what the activation lets through has to be kept.

// leastNormChannels is the fewest channels for which that is done: they are computed apart.
const leastNormChannels = 8

// appliedAfter returns o as a function that a batch norm applies, if it is one whose gradient takes little to compute.
func appliedAfter(o unary) (a Applied, ok bool) {
	switch o.Func {
	case UnaryReLU, UnaryLeakyReLU, UnaryClip:
		return Applied{true, o.Func, o.A, o.B}, true
	}
	return a, false
}

// fuseNorms joins batch norms and activations, the gradients first: those of a clip read what they were applied to.
func (o *optimizer) fuseNorms() {
	for _, c := range o.calls {
		if g, ok := c.Op.(batchNormGrad); ok && !g.Act.On {
			o.fuseNormGrad(c, g)
		}
	}
	for _, c := range o.calls {
		if act, ok := c.Op.(unary); ok {
			o.fuseNorm(c, act)
		}
	}
}

// fuseNorm lets the batch norm whose result only c reads apply c's function.
func (o *optimizer) fuseNorm(c *Call, act unary) {
	x := c.In[0]
	a, ok := appliedAfter(act)
	n := x.call
	if !ok || n == nil || n.Out[0] != x || o.uses[x] != 1 || !together(c, n) || !channelsApart(x) {
		return
	}
	switch norm := n.Op.(type) {
	case batchNorm:
		if norm.Act.On {
			return
		}
		norm.Act = a
		n.Op = norm
	case normalize:
		if norm.Act.On {
			return
		}
		norm.Act = a
		n.Op = norm
	default:
		return
	}
	x.name = c.Out[0].name
	o.by[c.Out[0]] = x
	o.uses[x] = o.uses[c.Out[0]]
}

// fuseNormGrad lets the gradient c of a batch norm apply the gradient of the activation after it, which only c reads.
func (o *optimizer) fuseNormGrad(c *Call, g batchNormGrad) {
	dy, forward := c.In[5], c.In[1].call
	if dy.call == nil || forward == nil || o.uses[dy] != 1 || !together(c, dy.call) || !channelsApart(dy) {
		return
	}
	grad, ok := dy.call.Op.(unaryGrad)
	if !ok {
		return
	}
	a, ok := appliedAfter(unary(grad))
	if !ok || !isNormOf(forward, c, g) {
		return
	}
	read := dy.call.In[1]
	if _, byResult := a.Func.Needs(); byResult { // what the activation was applied to
		if read.call == nil || read.call.Op != Op(unary(grad)) {
			return
		}
		read = read.call.In[0]
	}
	if read != forward.Out[0] {
		return
	}
	g.Act = a
	c.Op = g
	c.In[5] = dy.call.In[0]
	o.uses[dy]--
	o.uses[dy.call.In[1]]--
}

// isNormOf reports whether c is the gradient of the batch norm n.
func isNormOf(n, c *Call, g batchNormGrad) bool {
	norm, ok := n.Op.(batchNorm)
	return ok && norm == batchNorm(g) && n.In[0] == c.In[0] && n.In[1] == c.In[3] && n.In[2] == c.In[4] && n.Out[1] == c.In[1] && n.Out[2] == c.In[2]
}

// together reports whether a fusion may cross from p to c, which reads it.
func together(c, p *Call) bool {
	return p.Segment == c.Segment && p.Phase == c.Phase && len(p.Deps) == 0 && len(c.Deps) == 0
}

// channelsApart reports whether x is images of enough channels.
func channelsApart(x *Node) bool { return x.Rank() > 2 && x.shape[1] >= leastNormChannels }
