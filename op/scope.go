package op

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Scope is the stretch of graph building that belongs to one layer. It gives the layer's nodes their path, finds its parameters and
// names the layer in errors. A Forward method begins with
//
//	s := op.Enter(l, x)
//	defer s.Leave()
//	if s.Failed() != nil {
//		return s.Failed()
//	}
//
// The example of layer.Layer is a whole layer.
type Scope struct {
	graph   *Graph
	kind    string // such as "layer.FC"
	path    string
	library bool // the layer is of this module
	failed  *Node
}

// Enter begins the scope of a layer: a pointer to a struct that is part of the graph's model. The graph is that of the inputs. Where the
// layer is not in the model, because it was copied or made after NewGraph, or an input is nil or failed, everything built in the
// scope with Scope's methods fails.
func Enter(layer any, inputs ...*Node) *Scope {
	v := reflect.ValueOf(layer)
	s := &Scope{kind: "layer"}
	if v.Kind() == reflect.Pointer {
		s.kind = strings.TrimPrefix(v.Type().String(), "*")
		s.library = strings.HasPrefix(v.Type().Elem().PkgPath(), "paddle/")
	}
	for _, n := range inputs {
		if s.failed == nil && n != nil && n.err != nil {
			s.failed = n
		}
	}
	g, err := commonGraph(inputs)
	s.graph = g
	if err == nil && g == nil {
		err = fmt.Errorf("no input")
	}
	if err == nil {
		err = s.find(v)
	}
	if g != nil {
		r := g.root()
		r.scopes = append(r.scopes, s)
	}
	if err != nil && s.failed == nil {
		pos, _ := locate(callers())
		e := &Error{Pos: pos, Op: s.kind, Layer: s.path, Err: err}
		if g != nil {
			g.keep(e)
		}
		s.failed = &Node{graph: g, err: e}
	}
	return s
}

func (s *Scope) find(v reflect.Value) error {
	switch {
	case !v.IsValid():
		return fmt.Errorf("the layer is nil, want a pointer")
	case v.Kind() != reflect.Pointer:
		return fmt.Errorf("the layer is a %v by value, want a pointer to it", v.Type())
	case v.IsNil():
		return fmt.Errorf("the layer is a nil %v, want one in the model that NewGraph was given", v.Type())
	}
	m := s.graph.root().model
	path, ok := m.paths[address{v.UnsafePointer(), v.Type().Elem()}]
	if !ok {
		if m.root == "" {
			return fmt.Errorf("the layer is not part of the graph's model: NewGraph was given none")
		}
		return fmt.Errorf("the layer is not part of the model %s that NewGraph was given: was it copied, or made later?", m.root)
	}
	s.path = path
	return nil
}

// Leave ends the scope.
func (s *Scope) Leave() {
	if s.graph == nil {
		return
	}
	r := s.graph.root()
	if i := slices.Index(r.scopes, s); i >= 0 {
		r.scopes = r.scopes[:i]
	}
}

// Graph returns the graph that the scope builds in; nil where no input has one.
func (s *Scope) Graph() *Graph { return s.graph }

// Path returns the layer's path in the model, such as "encoder.out".
func (s *Scope) Path() string { return s.path }

// Failed returns the failed node that the layer has to return, nil while all is well.
func (s *Scope) Failed() *Node { return s.failed }

// Fail records a mistake of the layer's user and returns a failed node.
func (s *Scope) Fail(format string, args ...any) *Node {
	if s.failed == nil {
		s.failed = s.graph.failAt(callers(), fmt.Errorf(format, args...))
	}
	return s.failed
}

// Wrong records that input n does not have the wanted shape and returns a failed node.
func (s *Scope) Wrong(n *Node, want string, args ...any) *Node {
	return s.Fail("input %s has shape %s, want %s", quoted(n), n.ShapeString(), fmt.Sprintf(want, args...))
}

// Parameter gives p, the field of that name in the layer, its type and shape, and returns its node. init is used unless p.Init is set.
func (s *Scope) Parameter(field string, p *Parameter, dtype DType, init Init, shape ...int) *Node {
	if p == nil {
		return s.missing(field)
	}
	if s.define(field, &p.Variable, dtype, init, shape) {
		return s.graph.ReadParameter(p)
	}
	return s.failed
}

// Variable does for state that is not trained what Parameter does for parameters.
func (s *Scope) Variable(field string, v *Variable, dtype DType, init Init, shape ...int) *Node {
	if v == nil {
		return s.missing(field)
	}
	if s.define(field, v, dtype, init, shape) {
		return s.graph.Read(v)
	}
	return s.failed
}

func (s *Scope) missing(field string) *Node {
	if s.failed != nil {
		return s.failed
	}
	return s.Fail("%s is nil: is the layer part of the model that NewGraph was given?", field)
}

func (s *Scope) define(field string, v *Variable, dtype DType, init Init, shape []int) bool {
	if s.failed != nil {
		return false
	}
	if err := v.Define(dtype, init, shape...); err != nil {
		s.Fail("%s %w", field, err)
		return false
	}
	return true
}

// scope returns the innermost open scope of g.
func (g *Graph) scope() *Scope {
	r := g.root()
	if len(r.scopes) == 0 {
		return nil
	}
	return r.scopes[len(r.scopes)-1]
}
