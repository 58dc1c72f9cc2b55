package gorgop

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"gorgonia.org/gorgonia"

	"paddle/op"
)

// expression is a piece of a Gorgonia graph that can be built again at any sizes: what Apply and Import were given, or the gradient of
// one op of another expression. Each of its ops becomes a node of ours.
type expression struct {
	build builder // the first field: it tells expressions apart wherever they are compared
	label string
	turn  *sync.Mutex // held while an op of it or of its gradients runs: ops keep state, and one must not run twice at a time
	shape []op.Dim    // of the result, where the user states it

	args  []op.Spec
	keys  []op.Dim  // the dimensions that the ops may depend on
	first *instance // at one choice of sizes
	steps []step    // of first

	mu    sync.Mutex
	built map[string]*instance
}

// builder returns a function that builds the results from their inputs at the given sizes; from is the op whose gradient the results are,
// if they are one.
type builder func(size func(op.Dim) int) (build func(in gorgonia.Nodes) (gorgonia.Nodes, error), from gorgonia.Op, err error)

// step is what is known of an op of an expression at all sizes.
type step struct {
	name   string
	shape  []formula
	steady bool // the op is the same at all sizes
}

// plan builds the expression at the points of a survey and finds out which ops it has, of which shapes.
func (e *expression) plan(g *op.Graph, args []op.Spec) error {
	e.args = args
	shapes := [][]op.Dim{e.keys, e.shape}
	for _, a := range args {
		shapes = append(shapes, a.Shape)
	}
	s, err := newSurvey(g, shapes...)
	if err != nil {
		return fmt.Errorf("%s: %w", e.label, err)
	}
	e.keys = s.like
	var built []*instance
	for _, p := range s.points {
		inst, err := newInstance(e, s.at(p))
		if err != nil {
			return fmt.Errorf("%s: %w", e.described(s, p), err)
		}
		if built = append(built, inst); !inst.like(built[0]) {
			return fmt.Errorf("%s: the ops are not those at %s", e.described(s, p), s.text(s.points[0]))
		}
	}
	for k := range built[0].steps {
		st, err := e.compare(s, built, k)
		if err != nil {
			return err
		}
		e.steps = append(e.steps, st)
	}
	e.first = built[0]
	return nil
}

func (e *expression) described(s *survey, point []int) string {
	if len(point) == 0 {
		return e.label
	}
	return e.label + " at " + s.text(point)
}

// like reports whether two instances have the same ops, apart from sizes.
func (inst *instance) like(other *instance) bool {
	same := func(a, b computed) bool {
		return reflect.TypeOf(a.op) == reflect.TypeOf(b.op) && slices.Equal(a.in, b.in) && a.dtype == b.dtype && len(a.shape) == len(b.shape)
	}
	return slices.EqualFunc(inst.steps, other.steps, same) && slices.Equal(inst.results, other.results)
}

// compare returns what op number k has in common in all instances.
func (e *expression) compare(s *survey, built []*instance, k int) (step, error) {
	c := built[0].steps[k]
	st := step{name: nameOf(c.op), steady: true}
	for _, inst := range built[1:] {
		if !reflect.DeepEqual(inst.steps[k].op, c.op) {
			st.steady, st.name = false, kindOf(c.op)
		}
	}
	if e.shape != nil && len(e.shape) != len(c.shape) {
		return st, fmt.Errorf("%s: the stated shape has %d axes, want %d", e.label, len(e.shape), len(c.shape))
	}
	for axis := range c.shape {
		var samples []int
		for _, inst := range built {
			samples = append(samples, inst.steps[k].shape[axis])
		}
		f, err := e.size(s, st.name, axis, samples)
		if err != nil {
			return st, err
		}
		st.shape = append(st.shape, f)
	}
	return st, nil
}

// size returns how a size of an op's result follows from the arguments.
func (e *expression) size(s *survey, name string, axis int, samples []int) (formula, error) {
	if e.shape != nil {
		return e.stated(s, axis, samples)
	}
	f, ok := s.solve(samples)
	if !ok {
		return f, fmt.Errorf("%s: axis %d of %s has size %s, which no sum of products of sizes gives: state the shape with gorgop.ApplyShape",
			e.label, axis, name, s.texts(samples))
	}
	return f, nil
}

// stated compares the shape that the user states with Gorgonia's.
func (e *expression) stated(s *survey, axis int, samples []int) (formula, error) {
	d := e.shape[axis]
	for i, p := range s.points {
		if n := s.at(p)(d); n != samples[i] {
			return formula{}, fmt.Errorf("%s: axis %d has size %d, and the stated %s is %d", e.described(s, p), axis, samples[i], s.graph.DimString(d), n)
		}
	}
	if d >= 0 {
		return formula{number: int(d)}, nil
	}
	return formula{terms: []term{{1, []op.Dim{d}}}}, nil
}

// spec returns the type and shape of what a reference stands for.
func (e *expression) spec(s *op.Shapes, ref int) op.Spec {
	if ref < len(e.args) {
		return e.args[ref]
	}
	k := ref - len(e.args)
	spec := op.Spec{DType: e.first.steps[k].dtype, Shape: []op.Dim{}}
	for _, f := range e.steps[k].shape {
		spec.Shape = append(spec.Shape, f.dim(s))
	}
	return spec
}

const kept = 64 // instances of one expression

// instance returns the planned expression at the given sizes.
func (e *expression) instance(size func(op.Dim) int) (*instance, error) {
	key := make([]byte, 0, 8*len(e.keys))
	for _, d := range e.keys {
		key = binary.LittleEndian.AppendUint64(key, uint64(size(d)))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if inst, ok := e.built[string(key)]; ok {
		return inst, nil
	}
	inst, err := newInstance(e, size)
	if err != nil {
		return nil, err
	}
	if !inst.like(e.first) {
		return nil, fmt.Errorf("%s builds other ops at these sizes than at others", e.label)
	}
	if len(e.built) >= kept || e.built == nil {
		e.built = map[string]*instance{}
	}
	e.built[string(key)] = inst
	return inst, nil
}

// nodes adds the ops of the planned expression to g and returns the results, nil where there is none.
func (e *expression) nodes(g *op.Graph, in []*op.Node) []*op.Node {
	at := slices.Clone(in)
	for k, c := range e.first.steps {
		args := make([]*op.Node, len(c.in))
		for i, ref := range c.in {
			args[i] = at[ref]
		}
		switch axis := number(c.op, "axis"); {
		case stock(c.op) == "size" && axis < args[0].Rank():
			at = append(at, g.DimSize(c.dtype, args[0].Dim(axis))) // which does not depend on the elements, and so has no gradient
		case len(args) == 0:
			at = append(at, g.Apply(wrapped{e, k})[0])
		default:
			at = append(at, op.Apply(wrapped{e, k}, args...)[0])
		}
	}
	out := make([]*op.Node, len(e.first.results))
	for i, ref := range e.first.results {
		if ref != none {
			out[i] = at[ref]
		}
	}
	return out
}
