package exec

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"paddle/internal/cpu"
	"paddle/op"
)

// workspace is what one run needs for itself.
type workspace struct {
	program *Program
	frame   *frame
	sizes   *op.Sizes
	backend *cpu.Backend
	env     op.Env
	out     []op.Buffer
}

func newBackend() *cpu.Backend {
	b := cpu.New()
	b.SetThreads(runtime.GOMAXPROCS(0))
	return b
}

func newWorkspace(p *Program) *workspace {
	w := &workspace{program: p, sizes: p.graph.NewSizes(), backend: cpu.New()}
	w.frame = newFrame(p.unit, w.sizes)
	w.derive()
	w.env = op.Env{Backend: w.backend, Sizes: w.sizes}
	w.out = make([]op.Buffer, len(p.unit.outputs))
	return w
}

// derive shows the backend where it may keep what it makes of variables.
func (w *workspace) derive() {
	for i, s := range w.frame.unit.slots {
		for _, a := range w.program.variables {
			if a.derived != nil && a.variable == s.node.Variable() {
				w.frame.buffers[i] = w.frame.buffers[i].WithDerived(a.derived)
			}
		}
	}
}

// bind points the inputs at feeds, binds the symbols to their shapes and plans the memory.
func (w *workspace) bind(feeds op.Feeds) error {
	w.sizes.Reset()
	for _, f := range w.program.feeds {
		if err := w.feed(f, feeds); err != nil {
			return err
		}
	}
	w.sizes.Update()
	for _, f := range w.program.feeds {
		if err := w.check(f); err != nil {
			return err
		}
	}
	w.frame.shape()
	if err := w.frame.possible(); err != nil {
		return err
	}
	w.frame.plan()
	w.frame.link()
	return nil
}

func (w *workspace) feed(f feed, feeds op.Feeds) error {
	t, fed := feeds[f.node.Name()]
	switch {
	case !fed:
		return fmt.Errorf("input %q is not fed; fed are %s", f.node.Name(), names(feeds))
	case t == nil:
		return fmt.Errorf("input %q is fed a nil tensor", f.node.Name())
	case t.Dtype().Type == nil:
		return fmt.Errorf("input %q is fed a tensor without a type, want %v", f.node.Name(), f.node.DType())
	case op.DTypeOf(t.Dtype()) != f.node.DType():
		return fmt.Errorf("input %q has type %v, want %v", f.node.Name(), t.Dtype(), f.node.DType())
	}
	b, err := op.Contiguous(t)
	if err != nil {
		return fmt.Errorf("input %q: %w", f.node.Name(), err)
	}
	shape := f.node.Shape()
	if len(b.Shape) != len(shape) {
		return fmt.Errorf("input %q has shape %s, want %s", f.node.Name(), shapeText(b.Shape), f.node.ShapeString())
	}
	for i, d := range shape {
		if w.program.graph.IsSymbol(d) && !w.sizes.Bind(d, b.Shape[i]) {
			return fmt.Errorf("input %q has %d as %s, and another input has %d", f.node.Name(), b.Shape[i], w.program.graph.DimString(d), w.sizes.Of(d))
		}
	}
	own := w.frame.buffers[f.slot].Shape
	copy(own, b.Shape)
	w.frame.buffers[f.slot] = b.Reshaped(own)
	return nil
}

// check compares what was fed with the sizes that are known now.
func (w *workspace) check(f feed) error {
	got := w.frame.buffers[f.slot].Shape
	for i, d := range f.node.Shape() {
		if w.sizes.Of(d) != got[i] {
			return fmt.Errorf("input %q has shape %s, want %s", f.node.Name(), shapeText(got), f.node.ShapeString())
		}
	}
	return nil
}

// shapeText returns a shape as the graph prints it, such as "(2, 3)" and "(2,)".
func shapeText(shape []int) string {
	var out []string
	for _, n := range shape {
		out = append(out, strconv.Itoa(n))
	}
	if len(out) == 1 {
		return "(" + out[0] + ",)"
	}
	return "(" + strings.Join(out, ", ") + ")"
}

func names(feeds op.Feeds) string {
	var out []string
	for n := range feeds {
		out = append(out, fmt.Sprintf("%q", n))
	}
	if len(out) == 0 {
		return "none"
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
