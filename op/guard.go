package op

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// guard calls f, which calls code of an op, an optimizer or a pass that may be the user's own, and turns a panic into an error that
// says where it began.
func guard(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Recovered(r)
		}
	}()
	f()
	return nil
}

// Recovered returns the error for a panic with the value r, with the file and line where it began. It is called by the deferred function
// that recovers.
func Recovered(r any) error { return fmt.Errorf("panic: %v, at %s", r, panicPosition()) }

// panicPosition returns the file and line of the code that panicked, seen from a function that a deferred function calls.
func panicPosition() string {
	var pcs [maxFrames]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(4, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") && f.Line > 0 && !strings.HasPrefix(f.File, "<") {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}

// infer calls o.Infer and checks what it and the op's traits say, so that everything built on them can trust it.
func (g *Graph) infer(o Op, s *Shapes) (specs []Spec, err error) {
	failure := guard(func() {
		_ = o.Name() // from here on it is trusted too
		if specs, err = o.Infer(s); err == nil {
			err = g.checkSpecs(o, specs)
		}
		if err == nil {
			err = s.checkTraits(traitsOf(o), specs)
		}
	})
	if failure != nil {
		return nil, failure
	}
	return specs, err
}

// checkTraits returns an error unless the traits of an op with these inputs and outputs name inputs and outputs that it has, views have
// the size of what they show, and what is written are variables.
func (s *Shapes) checkTraits(t Traits, specs []Spec) error {
	for _, p := range t.InPlace {
		if p.In < 0 || p.Out < 0 {
			return fmt.Errorf("trait InPlace names input %d and output %d", p.In, p.Out)
		}
	}
	for _, p := range t.Views {
		if p.In < 0 || p.In >= len(s.In) || p.Out < 0 || p.Out >= len(specs) {
			return fmt.Errorf("trait Views names input %d of %d and output %d of %d", p.In, len(s.In), p.Out, len(specs))
		}
		in, out := s.In[p.In], specs[p.Out]
		if in.DType.Size() != out.DType.Size() || s.Product(in.Shape) != s.Product(out.Shape) {
			return fmt.Errorf("output %d, %v %s, cannot be a view of input %s, %v %s", p.Out, out.DType, s.String(out.Shape), s.input(p.In), in.DType, s.String(in.Shape))
		}
	}
	for _, i := range t.Writes {
		if i < 0 || i >= len(s.In) {
			return fmt.Errorf("trait Writes names input %d of %d", i, len(s.In))
		}
		if err := s.written(i); err != nil {
			return err
		}
	}
	if len(specs) == 0 && !t.Effect && len(t.Writes) == 0 {
		return fmt.Errorf("the op has neither an output nor an effect")
	}
	return nil
}
