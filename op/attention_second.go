package op

import "math"

// Gradient: with P = softmax(S), S = s·Q·Kᵀ, G = dY·Vᵀ and D = s·P∘(G − Σ P∘G), the op computes D·K for Q, Dᵀ·Q for K and Pᵀ·dY for V. Let
// z be the gradients that come in for these, E = s·(z_Q·Kᵀ + Q·z_Kᵀ), and H = P∘(E − Σ P∘E), the gradient for G. That for P is
// dY·z_Vᵀ + E∘(G − Σ P∘G) − G∘Σ P∘E, from which T for s·Q·Kᵀ follows as D from G, and the results are
//
//	Q: D·z_K + T·K,  K: Dᵀ·z_Q + Tᵀ·Q,  V: Hᵀ·dY,  dY: H·V + P·z_V
//
// The weights count as a function of the first input, so that nothing is left for them.
func (o selfAttentionGrad) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	out := make([]*Node, 3)
	if dout[0] == nil || !want[0] && !want[2] {
		return out
	}
	scale := 1 / math.Sqrt(float64(int(c.In[2].shape[2])/o.Heads))
	x, z := o.parts(c.In[0]), o.parts(dout[0])
	q, k, v := x[0], x[1], x[2]
	p := Softmax(MulConst(MatMulT(q, k), scale))
	slope := func(d *Node) *Node { return apply1(softmaxGrad{}, p, d) }
	e := MulConst(Add(MatMulT(z[0], k), MatMulT(q, z[1])), scale)
	h := slope(e)
	if want[0] {
		rows := func(n *Node) *Node { return Unsqueeze(Sum(Mul(n, p), -1), -1) }
		dy := o.apart(c.In[2])
		g := MatMulT(dy, v)
		d := MulConst(slope(g), scale)
		dp := Add(MatMulT(dy, z[2]), Sub(Mul(e, Sub(g, rows(g))), Mul(g, rows(e))))
		t := MulConst(slope(dp), scale)
		dq, dk, dv := Add(MatMul(d, z[1]), MatMul(t, k)), Add(TMatMul(d, z[0]), TMatMul(t, q)), TMatMul(h, dy)
		out[0] = Concat(-1, o.together(dq), o.together(dk), o.together(dv))
	}
	if want[2] {
		out[2] = o.together(Add(MatMul(h, v), MatMul(p, z[2])))
	}
	return out
}

// parts returns three nodes of n (batch, length, 3·width), each (batch, heads, length, width/heads).
func (o selfAttentionGrad) parts(n *Node) (out [3]*Node) {
	width := n.shape[2] / 3
	for i := range out {
		from := Dim(i) * width
		out[i] = o.apart(Slice(n, 2, from, from+width))
	}
	return out
}

// apart returns n (batch, length, width) as (batch, heads, length, width/heads).
func (o selfAttentionGrad) apart(n *Node) *Node {
	heads := Dim(o.Heads)
	return Transpose(Reshape(n, n.shape[0], n.shape[1], heads, n.shape[2]/heads), 0, 2, 1, 3)
}

// together is the inverse of apart.
func (o selfAttentionGrad) together(n *Node) *Node {
	n = Transpose(n, 0, 2, 1, 3)
	return Reshape(n, n.shape[0], n.shape[1], n.shape[2]*n.shape[3])
}
