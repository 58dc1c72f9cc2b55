package op

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// errNilNode is the error of a nil *Node.
var errNilNode = errors.New("the node is nil")

// errNilOp is the error of a nil Op.
var errNilOp = errors.New("the op is nil")

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

// Error says which element has which value, and which values are allowed.
func (e *RangeError) Error() string {
	return fmt.Sprintf("element %d is %d, want 0 to %d", e.Row, e.Value, e.Limit-1)
}

// buildingPackages are the packages whose frames are passed over when a mistake is traced to the user's code: their directories in
// the module.
var buildingPackages = []string{"", "op/", "op/gorgop/", "layer/", "sequence/", "recompute/", "amp/", "internal/exec/"}

// moduleRoot is the module's directory as the compiler wrote it into frames.
var moduleRoot = func() string {
	_, file, _, _ := runtime.Caller(0)
	return strings.TrimSuffix(file, "op/errors.go")
}()

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

// inside reports whether a frame lies in a building package. It goes by the file: a closure of an inlined function has the name of the
// package that it was inlined into.
func inside(f runtime.Frame) bool {
	file, ok := strings.CutPrefix(f.File, moduleRoot)
	if !ok || strings.HasSuffix(file, "_test.go") {
		return false
	}
	dir, _ := path.Split(file)
	return slices.Contains(buildingPackages, dir)
}

// publicName turns "paddle/layer.(*FC).Forward" into "layer.FC" and "paddle/op.MatMul" into "op.MatMul"; "" for unexported ones and those
// of other modules.
func publicName(function string) string {
	if !strings.HasPrefix(function, "paddle/") && !strings.HasPrefix(function, "paddle.") {
		return ""
	}
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
	if who != "" && who != "op.Apply" && who != "op.Graph.Apply" {
		return who
	}
	if o == nil {
		return "op.Apply"
	}
	name := fmt.Sprintf("%T", o)
	_ = guard(func() { name = o.Name() })
	return name
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

// Position returns the line of the user's code that c was built for, such as "main.go:31"; "" if unknown.
func (c *Call) Position() string {
	pos, _ := locate(c.origin)
	return pos
}

// Kind returns the type of the layer that built c, such as "layer.FC", or outside of layers the function that was called, such as
// "op.MaxPool2D".
func (c *Call) Kind() string {
	if c.scope != nil {
		return c.scope.kind
	}
	if _, who := locate(c.origin); who != "" {
		return who
	}
	return c.Op.Name()
}

// RunError wraps an error of c's op during a run with the place where the application was built.
func (c *Call) RunError(err error) error {
	pos, who := locate(c.origin)
	inner := (*Error)(nil) // of an application in a body, which has named its own input
	if r := (*RangeError)(nil); errors.As(err, &r) && !errors.As(err, &inner) {
		if i := slices.IndexFunc(c.In, func(n *Node) bool { return n.dtype.IsInteger() }); i >= 0 {
			err = fmt.Errorf("input %s: %w", quoted(c.In[i]), err)
		}
	}
	e := &Error{Pos: pos, Op: builder(who, c.Op), Layer: c.Layer, Err: err}
	if c.scope != nil && c.scope.library {
		e.Op = c.scope.kind
	}
	return e
}
