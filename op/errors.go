package op

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// errNilNode is the error of a nil *Node.
var errNilNode = errors.New("the node is nil")

// Error is a mistake in the building or the running of a graph. Its text is one line: where in the user's code, who found it, where
// in the model, and what was wrong.
type Error struct {
	Pos   string // file:line of the first frame outside of this module's building packages; empty if unknown
	Op    string // who: the function or layer that was called, such as "op.MatMul"
	Layer string // path in the model, such as "encoder.out"
	Err   error  // what was wrong
}

// Error returns "pos: op layer: what".
func (e *Error) Error() string {
	var b strings.Builder
	if e.Pos != "" {
		b.WriteString(e.Pos + ": ")
	}
	b.WriteString(e.Op)
	if e.Layer != "" {
		b.WriteString(" " + e.Layer)
	}
	return b.String() + ": " + e.Err.Error()
}

// Unwrap returns what was wrong.
func (e *Error) Unwrap() error { return e.Err }

// Error says which row has which value, and which values are allowed.
func (e *RangeError) Error() string {
	return fmt.Sprintf("row %d has %d, want 0 to %d", e.Row, e.Value, e.Limit-1)
}

// buildingPackages are the packages whose frames are passed over when a mistake is traced to the user's code.
var buildingPackages = []string{"paddle.", "paddle/op.", "paddle/layer.", "paddle/sequence.", "paddle/recompute.", "paddle/amp.", "paddle/internal/exec."}

const maxFrames = 48

// callers returns the program counters of the stack above its caller.
func callers() []uintptr {
	var pcs [maxFrames]uintptr
	n := runtime.Callers(3, pcs[:])
	return append([]uintptr(nil), pcs[:n]...)
}

// locate returns the position of the first frame outside the building packages, and the name of the function called there.
func locate(pcs []uintptr) (pos, who string) {
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.Function == "" {
			return "", who
		}
		if !inside(f) {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line), who
		}
		if name := publicName(f.Function); name != "" {
			who = name
		}
		if !more {
			return "", who
		}
	}
}

func inside(f runtime.Frame) bool {
	if strings.HasSuffix(f.File, "_test.go") {
		return false
	}
	for _, p := range buildingPackages {
		if strings.HasPrefix(f.Function, p) {
			return true
		}
	}
	return false
}

// publicName turns "paddle/layer.(*FC).Forward" into "layer.FC" and "paddle/op.MatMul" into "op.MatMul"; "" for unexported ones.
func publicName(function string) string {
	name := function[strings.LastIndexByte(function, '/')+1:]
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i]
	}
	parts := strings.Split(name, ".")
	if len(parts) < 2 {
		return ""
	}
	if recv, ok := strings.CutPrefix(parts[1], "(*"); ok {
		parts[1] = strings.TrimSuffix(recv, ")")
		if len(parts) > 2 && parts[2] != "Forward" {
			parts[1] += "." + parts[2]
		}
	}
	if c := parts[1][0]; c < 'A' || c > 'Z' {
		return ""
	}
	return parts[0] + "." + parts[1]
}

// fail keeps err as g's first mistake, with the position of the caller, and returns a failed node.
func (g *Graph) fail(err error) *Node { return g.failAt(callers(), err) }

func (g *Graph) failAt(pcs []uintptr, err error) *Node { return g.failOp(nil, pcs, err) }

// failOp is failAt for a mistake in applying o, whose name is given where no function built the application.
func (g *Graph) failOp(o Op, pcs []uintptr, err error) *Node {
	pos, who := locate(pcs)
	e := &Error{Pos: pos, Op: builder(who, o), Err: err}
	if g != nil {
		if s := g.scope(); s != nil {
			e.Layer = s.path
			if s.library {
				e.Op = s.kind
			}
		}
		g.keep(e)
	}
	return &Node{graph: g, err: e}
}

// builder returns who, or the name of o where the user's code applied it directly.
func builder(who string, o Op) string {
	if o != nil && (who == "" || who == "op.Apply" || who == "op.Graph.Apply") {
		return o.Name()
	}
	return who
}

// keep records the first mistake of the whole graph.
func (g *Graph) keep(err error) {
	if r := g.root(); r.err == nil {
		r.err = err
	}
}

// Fail records a mistake in g, at the position of the user's code that is being run, and returns a failed node to go on with. It is for
// layers and for functions that build nodes.
func (g *Graph) Fail(format string, args ...any) *Node {
	return g.failAt(callers(), fmt.Errorf(format, args...))
}

// RunError wraps an error of c's op during a run with the place where the application was built.
func (c *Call) RunError(err error) error {
	pos, who := locate(c.origin)
	e := &Error{Pos: pos, Op: builder(who, c.Op), Layer: c.Layer, Err: err}
	if c.scope != nil && c.scope.library {
		e.Op = c.scope.kind
	}
	return e
}
