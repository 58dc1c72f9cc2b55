package op

// A batch norm of images and the activation after it become one op, forward and backward. The gradient computes again what the activation was
// applied to, from x, which it reads anyway: between the passes neither that nor what the activation lets through has to be kept.

// normActOf returns o as an activation of a batch norm, if it is one.
func normActOf(o unary) (a NormAct, ok bool) {
	switch {
	case o.Func == UnaryReLU:
		return NormAct{Kind: NormReLU}, true
	case o.Func == UnaryClip && o.A <= o.B && o.B != 0:
		return NormAct{NormClip, o.A, o.B}, true
	}
	return a, false
}

// fuseNorms joins batch norms and activations, the gradients first: those of a clip read what they were applied to.
func (o *optimizer) fuseNorms() {
	for _, c := range o.calls {
		if g, ok := c.Op.(batchNormGrad); ok && g.Act.Kind == NormPlain {
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
	a, ok := normActOf(act)
	n := x.call
	if !ok || n == nil || n.Out[0] != x || o.uses[x] != 1 || !together(c, n) || x.Rank() < 3 {
		return
	}
	switch norm := n.Op.(type) {
	case batchNorm:
		if norm.Act.Kind != NormPlain {
			return
		}
		norm.Act = a
		n.Op = norm
	case normalize:
		if norm.Act.Kind != NormPlain {
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
	if dy.call == nil || forward == nil || o.uses[dy] != 1 || !together(c, dy.call) || dy.Rank() < 3 {
		return
	}
	grad, ok := dy.call.Op.(unaryGrad)
	if !ok {
		return
	}
	a, ok := normActOf(unary(grad))
	if !ok || !isNormOf(forward, c, g) {
		return
	}
	read := dy.call.In[1]
	if a.Kind == NormReLU { // what the activation was applied to
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
