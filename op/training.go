package op

import (
	"fmt"
	"slices"
)

// Stage is a point in the making of a training program at which passes run.
type Stage uint8

// The stages, in their order. The gradients are built after AtForward, the optimizer's updates after AtRegularize.
const (
	AtForward    Stage = iota // the forward graph: metrics, the choice of parameters
	AtRecompute               // which forward values are computed again for the gradient
	AtPrecision               // automatic mixed precision
	AtReduce                  // gradients of several workers are combined
	AtClip                    // clipping of gradients
	AtRegularize              // decay terms are added to gradients
	AtUpdate                  // after the updates have been built
)

// Pass rewrites a training program while it is made. Passes of one stage run in the order in which the trainer was given them.
type Pass interface {
	// Stage says when the pass runs.
	Stage() Stage
	// Rewrite changes t; mistakes made in building nodes are kept by the graph, other errors are returned.
	Rewrite(t *TrainingGraph) error
}

// Rooted is a Pass that needs nodes of the user's graph which the loss may not depend on, such as a metric.
type Rooted interface {
	Pass
	// Roots returns those nodes.
	Roots() []*Node
}

// TrainingGraph is a training program in the making. Its graph is a copy; Find translates nodes of the user's graph.
type TrainingGraph struct {
	Graph     *Graph
	Loss      *Node // scalar
	Count     *Node // what the loss is a mean over
	Gradients []ParameterGradient
	Apply     *Node // whether the updates of this step take place (Bool scalar)

	// Include decides whether a parameter is trained; nil includes all. Frozen parameters never are.
	Include func(name string, p *Parameter) bool

	// State lists the variables that belong to the trainer: moments, counters, the loss scale. They are saved and restored by name.
	State []Named
	// Reports lists values to be fetched in every step.
	Reports []Report
	// Finite says which of Gradients are finite, in their order (Bool vector); nil if no pass has looked.
	Finite *Node

	find   func(*Node) *Node
	passes []Pass
}

// ParameterGradient is a trained parameter, the node that reads it, and its gradient.
type ParameterGradient struct {
	Name      string
	Parameter *Parameter
	Node      *Node
	Gradient  *Node // may be sparse
}

// Report is a named scalar that a step computes, with its denominator: over several steps it is averaged with Count as weight.
type Report struct {
	Name         string
	Value, Count *Node
}

// BuildTraining makes the training program of a scalar loss: a copy of the graph, the passes, the gradients of all parameters that
// the loss depends on, and the updates that update adds.
func BuildTraining(loss *Node, update func(*TrainingGraph) error, passes ...Pass) (*TrainingGraph, error) {
	g := loss.Graph()
	if g != nil && g.Err() != nil {
		return nil, g.Err() // the first mistake, of which the loss's own may be a consequence
	}
	if err := loss.Err(); err != nil {
		return nil, err
	}
	roots := []*Node{loss}
	for _, p := range passes {
		if r, ok := p.(Rooted); ok {
			roots = append(roots, r.Roots()...)
		}
	}
	for _, n := range roots {
		if err := n.Err(); err != nil {
			return nil, err
		}
		if n.graph != g {
			return nil, fmt.Errorf("%s belongs to another graph than the loss", quoted(n))
		}
	}
	t := &TrainingGraph{passes: slices.Clone(passes)}
	t.Graph, t.find = Copy(g, Training, roots...)
	t.Loss, t.Apply = t.find(loss), t.Graph.ApplyFlag()
	t.Count = Count(t.Loss)
	slices.SortStableFunc(t.passes, func(a, b Pass) int { return int(a.Stage()) - int(b.Stage()) })
	if err := t.build(update); err != nil {
		return nil, err
	}
	return t, t.Graph.Err()
}

func (t *TrainingGraph) build(update func(*TrainingGraph) error) error {
	for at := AtForward; at <= AtUpdate; at++ {
		for _, p := range t.passes {
			if p.Stage() != at {
				continue
			}
			var err error
			if failure := guard(func() { err = p.Rewrite(t) }); failure != nil {
				err = fmt.Errorf("pass %T: %w", p, failure)
			}
			if err != nil {
				return err
			}
		}
		switch at {
		case AtForward:
			t.differentiate()
		case AtRegularize:
			var err error
			t.Graph.InPhase(Update, func() {
				if failure := guard(func() { err = update(t) }); failure != nil {
					err = fmt.Errorf("optimizer: %w", failure)
				}
			})
			if err != nil {
				return err
			}
		}
	}
	t.gate()
	return t.Graph.Err()
}

// differentiate builds the gradients of the parameters that are trained and that the loss depends on.
func (t *TrainingGraph) differentiate() {
	var nodes []*Node
	for _, n := range t.Graph.Variables() {
		if p := n.param; p != nil && !p.Frozen && (t.Include == nil || t.Include(n.name, p)) {
			nodes = append(nodes, n)
		}
	}
	for i, g := range Gradient(t.Loss, nodes...) {
		if g != nil {
			t.Gradients = append(t.Gradients, ParameterGradient{nodes[i].name, nodes[i].param, nodes[i], g})
		}
	}
}

// gate puts the condition that passes have made in the place of the graph's apply flag.
func (t *TrainingGraph) gate() {
	if flag := t.Graph.ApplyFlag(); t.Apply != flag {
		t.Graph.Substitute(map[*Node]*Node{flag: t.Apply})
	}
}

// Require makes the updates of a step depend on a further condition, a Bool scalar.
func (t *TrainingGraph) Require(condition *Node) {
	if t.Apply.IsApply() {
		t.Apply = condition
	} else {
		t.Apply = And(t.Apply, condition)
	}
}

// RequireFinite makes the updates of a step depend on all gradients being finite: finite is a Bool vector with an element for each of
// t.Gradients, by which a step that is not applied can name the culprit.
func (t *TrainingGraph) RequireFinite(finite *Node) {
	t.Finite = finite
	t.Require(All(finite))
}

// Find returns the node of this program that stands for a node of the user's graph; a failed node if there is none.
func (t *TrainingGraph) Find(n *Node) *Node {
	if m := t.find(n); m != nil {
		return m
	}
	return t.Graph.Fail("%s is not part of the training program", quoted(n))
}

// Variable makes a variable that belongs to the trainer, to be saved and restored under the given name, and returns its node. A nil
// init is zeros.
func (t *TrainingGraph) Variable(name string, dtype DType, init Init, shape ...int) *Node {
	for _, s := range t.State {
		if s.Name == name {
			return t.Graph.Fail("trainer variable %q is there already", name)
		}
	}
	v := new(Variable)
	if err := v.Define(dtype, init, shape...); err != nil {
		return t.Graph.Fail("trainer variable %q %w", name, err)
	}
	t.State = append(t.State, Named{Name: name, Variable: v})
	n := t.Graph.Read(v)
	n.name = name
	return n
}

// Report has a scalar fetched in every step under the given name; count is its denominator, nil for 1.
func (t *TrainingGraph) Report(name string, value, count *Node) {
	t.Reports = append(t.Reports, Report{name, value, count})
}
