package gorgop

import (
	"context"
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
)

// running is an application of one of our ops that a Gorgonia machine runs.
type running struct {
	program *paddle.Predictor
	feeds   op.Feeds
	inputs  []string // names in feeds
	outputs []*tensor.Dense
}

// exported is an output of an application as a gorgonia.Op. The first output's op runs the application; the others, whose child the first
// is, take what it computed.
type exported struct {
	*running
	name   string
	id     int // of the application in its graph
	output int
	in     []hm.Type
	result hm.Type
	dtype  op.DType
	shape  tensor.Shape
}

// operation returns the op for output number i of an application, n, with the given children.
func (e *exporter) operation(r *running, n *op.Node, i int, in gorgonia.Nodes) (*exported, error) {
	shape, err := e.shape(n)
	if err != nil {
		return nil, err
	}
	t, ok := n.DType().Dense()
	if !ok {
		return nil, fmt.Errorf("it gives type %v, which Gorgonia does not have: cast it", n.DType())
	}
	o := &exported{running: r, output: i, result: t, dtype: n.DType(), shape: shape}
	if len(shape) > 0 {
		o.result = gorgonia.TensorType{Dims: len(shape), Of: t}
	}
	for _, x := range in {
		o.in = append(o.in, x.Type())
	}
	return o, nil
}

// Arity implements gorgonia.Op.
func (o *exported) Arity() int { return len(o.in) }

// Type implements gorgonia.Op.
func (o *exported) Type() hm.Type {
	if len(o.in) == 0 {
		return o.result
	}
	return hm.NewFnType(append(append([]hm.Type{}, o.in...), o.result)...)
}

// InferShape implements gorgonia.Op: the sizes are those that Export was given.
func (o *exported) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) {
	return o.shape.Clone(), nil
}

// Do implements gorgonia.Op.
func (o *exported) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	if o.output == 0 {
		if err := o.run(in); err != nil {
			return nil, err
		}
	}
	if o.output >= len(o.outputs) {
		return nil, fmt.Errorf("%s has not run", o)
	}
	b, err := op.BufferOf(o.outputs[o.output])
	if err != nil {
		return nil, err
	}
	return inPlace(b), nil
}

func (r *running) run(in []gorgonia.Value) (err error) {
	if len(in) != len(r.inputs) {
		return fmt.Errorf("%d inputs, want %d", len(in), len(r.inputs))
	}
	for i, v := range in {
		t, ok := v.(*tensor.Dense)
		if !ok {
			t = tensor.New(tensor.FromScalar(v.Data()))
		}
		r.feeds[r.inputs[i]] = t
	}
	r.outputs, err = r.program.Predict(context.Background(), r.feeds)
	return err
}

// ReturnsPtr implements gorgonia.Op.
func (o *exported) ReturnsPtr() bool { return false }

// CallsExtern implements gorgonia.Op.
func (o *exported) CallsExtern() bool { return false }

// OverwritesInput implements gorgonia.Op.
func (o *exported) OverwritesInput() int { return -1 }

// WriteHash implements gorgonia.Op: no two applications of a graph are merged.
func (o *exported) WriteHash(h hash.Hash) { fmt.Fprintf(h, "paddle %d %d %s", o.id, o.output, o.name) }

// Hashcode implements gorgonia.Op.
func (o *exported) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// String implements fmt.Stringer.
func (o *exported) String() string {
	if o.output == 0 {
		return o.name
	}
	return fmt.Sprintf("%s, output %d", o.name, o.output)
}
