package op

import "slices"

// Gradient runs the steps backward. A step's forward values are computed again from its inputs and from the memories before it, which
// the forward run has kept; so the memory grows with the rows of the memories only, whatever the step computes in between.
func (o scan) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	grad := o.gradientBody(c.graph, want)
	if grad.failed != nil {
		return failed(grad.failed)[:1]
	}
	in := slices.Concat(c.In[:1+o.Inputs], c.Out[len(o.outputs):], c.In[1+o.Inputs+o.Memories:])
	for i := range len(o.outputs) {
		d := dout[i]
		if d == nil {
			d = Zeros(c.Out[i])
		}
		in = append(in, Densify(d))
	}
	out := make([]*Node, len(c.In))
	results := Apply(grad.op, append(in, c.In[1+o.Inputs])...)
	if results[0].err != nil {
		return results[:1]
	}
	for i, k := range grad.of {
		out[k] = results[i]
	}
	return out
}

// scanGradient is the op of a gradient, and which input of the scan each of its outputs is the gradient of.
type scanGradient struct {
	op     Op
	of     []int
	failed *Node
}

// gradientBody builds the body of the gradient: a copy of the step and its vector-Jacobian product.
func (o scan) gradientBody(g *Graph, want []bool) scanGradient {
	body := g.newBody()
	_, find := copyInto(body, nil, o.body, Training, o.outputs)
	ys := make([]*Node, len(o.outputs))
	dys := make([]*Node, len(o.outputs))
	for i, n := range o.outputs {
		ys[i] = find(n)
		dys[i] = body.newInput("gradient", ys[i].dtype, ys[i].shape)
	}
	r := scanGrad{rows: o.rows, body: body, Inputs: o.Inputs, Memories: o.Memories, Results: len(ys)}
	var of []int
	for i, n := range body.inputs[:len(o.body.inputs)] {
		memory := i >= o.Inputs && i < o.Inputs+o.Memories
		if n.dtype.IsFloat() && (want[1+i] || memory) {
			r.outputs = append(r.outputs, n)
			r.of = append(r.of, i)
			of = append(of, 1+i)
		}
	}
	wrt := slices.Clone(r.outputs)
	for i, d := range VJP(ys, dys, wrt) {
		if d == nil {
			d = Zeros(wrt[i])
		}
		if d.Err() != nil {
			return scanGradient{failed: d}
		}
		r.outputs[i] = detached(Densify(d))
	}
	return scanGradient{op: r, of: of}
}

// scanGrad runs the gradient of a scan, last step first. Its inputs are the starts, the packed inputs, the memories before each step, the
// captured values, the gradients of the outputs (packed) and of the last memories, and the first memories; its outputs the
// gradients asked for, and for each captured value room for the gradient of one step.
type scanGrad struct {
	Inputs, Memories, Results int

	body    *Graph
	outputs []*Node
	of      []int // which input of the body each output is the gradient of
	rows    Dim
}

func (scanGrad) Name() string { return "scan_grad" }

// Body implements Bodied.
func (o scanGrad) Body() (*Graph, []*Node) { return o.body, o.outputs }

// Rows implements Bodied.
func (o scanGrad) Rows() Dim { return o.rows }

// WithBody implements Bodied.
func (o scanGrad) WithBody(g *Graph, outputs []*Node, _ func(*Node) *Node) Op {
	o.body, o.outputs = g, outputs
	return o
}

func (o scanGrad) isInput(i int) bool  { return i < o.Inputs }
func (o scanGrad) isMemory(i int) bool { return i >= o.Inputs && i < o.Inputs+o.Memories }

func (o scanGrad) Infer(s *Shapes) ([]Spec, error) {
	var out, room []Spec
	batch := s.In[len(s.In)-1].Shape[0]
	for k, i := range o.of {
		sp := s.In[1+i]
		switch {
		case o.isMemory(i):
			sp.Shape = append([]Dim{batch}, sp.Shape[1:]...)
		case !o.isInput(i):
			room = append(room, sp)
		}
		sp.DType = o.outputs[k].dtype
		out = append(out, sp)
	}
	return append(out, room...), nil
}

func (o scanGrad) Run(e *Env, in, out []Buffer) error {
	captured := len(o.body.inputs) - o.Results - o.Inputs - o.Memories
	starts := in[0].Int32s()
	values := in[1 : 1+o.Inputs+o.Memories]
	given := in[1+o.Inputs+o.Memories : 1+o.Inputs+o.Memories+captured]
	douts := in[1+o.Inputs+o.Memories+captured : len(in)-1]
	args, results := e.Body.Args()
	copyCaptured(args[o.Inputs+o.Memories:], given)
	o.start(e, douts, out)
	key := e.Key
	defer func() { e.Key = key }()
	for n := len(starts) - 2; n >= 0; n-- {
		lo, hi := int(starts[n]), int(starts[n+1])
		for i, v := range values {
			args[i] = v.Rows(lo, hi, args[i].Shape)
		}
		o.bindGradients(args[o.Inputs+o.Memories+captured:], douts, out, lo, hi)
		room := len(o.of)
		for k, i := range o.of {
			switch {
			case o.isInput(i):
				results[k] = out[k].Rows(lo, hi, results[k].Shape)
			case o.isMemory(i):
				results[k] = out[k].Rows(0, hi-lo, results[k].Shape)
			default:
				copy(results[k].Shape, out[room].Shape)
				results[k] = out[room].Reshaped(results[k].Shape)
				room++
			}
		}
		e.Key = key.Fold(uint64(n))
		if err := e.Body.Run(e, hi-lo, args, results); err != nil {
			return err
		}
		o.accumulate(e, out)
	}
	return nil
}

// start sets the running gradients: of a memory that of its last value, of a captured value zero.
func (o scanGrad) start(e *Env, douts, out []Buffer) {
	for k, i := range o.of {
		switch {
		case o.isMemory(i):
			copy(out[k].Bytes(), douts[len(douts)-o.Memories+i-o.Inputs].Bytes())
		case !o.isInput(i):
			e.Fill(out[k], 0)
		}
	}
}

// bindGradients points the body's gradient inputs at the rows of a step: of outputs the packed ones, of memories the running ones.
func (o scanGrad) bindGradients(args, douts, out []Buffer, lo, hi int) {
	outputs := o.Results - o.Memories
	for i := range outputs {
		args[i] = douts[i].Rows(lo, hi, args[i].Shape)
	}
	for i := range o.Memories {
		j := outputs + i
		args[j] = douts[j].Rows(0, hi-lo, args[j].Shape)
	}
	for k, i := range o.of {
		if o.isMemory(i) {
			j := outputs + i - o.Inputs
			args[j] = out[k].Rows(0, hi-lo, args[j].Shape)
		}
	}
}

// accumulate adds the gradients of one step for captured values.
func (o scanGrad) accumulate(e *Env, out []Buffer) {
	room := len(o.of)
	for k, i := range o.of {
		if !o.isInput(i) && !o.isMemory(i) {
			e.Binary(BinaryAdd, out[k], out[room], out[k])
			room++
		}
	}
}
