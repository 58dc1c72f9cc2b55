package op

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// Op is one operation. A value is immutable and small; its exported fields are its attributes, by which it is printed, compared and
// exported. All state lives in Variables.
type Op interface {
	// Name is the operation's name, such as "conv2d".
	Name() string
	// Infer checks the inputs and returns the type and shape of each output. Its errors come from s.Wrong and the like, which name the
	// input, what it is and what it should be.
	Infer(s *Shapes) ([]Spec, error)
	// Run fills the outputs from the inputs. Outputs hold arbitrary bytes before. An output that nobody reads is nil if the op has the
	// trait OptionalOutputs, else it has memory all the same.
	Run(e *Env, in, out []Buffer) error
}

// Differentiable is an Op with a gradient.
type Differentiable interface {
	Op
	// Gradient builds the nodes of the gradient for each input i with want[i], from the gradients dout of the outputs. An element of
	// dout is nil where that output does not reach the loss; a nil in the result is a zero gradient.
	Gradient(c *Call, dout []*Node, want []bool) []*Node
}

// Inferencer is an Op that is something else when a model only predicts, such as dropout.
type Inferencer interface {
	Op
	// Inference returns the nodes that take the place of c's outputs, built from in, the inputs in the program being compiled.
	Inference(c *Call, in []*Node) []*Node
}

// Traited is an Op that tells the planner and the passes more of itself. An Op without it has the zero Traits.
type Traited interface {
	Op
	Traits() Traits
}

// Bodied is an Op that runs a graph of its own, such as Scan. Passes and seeds descend into it.
type Bodied interface {
	Op
	// Body returns the inner graph and the nodes of it that the op reads.
	Body() (g *Graph, outputs []*Node)
	// Rows returns the symbols of the inner graph that stand for the rows of one run of it, and the most that each may be.
	Rows() (symbols, most []Dim)
	// WithBody returns the same op on a rewritten body.
	WithBody(g *Graph, outputs []*Node, inputs func(*Node) *Node) Op
}

// Costed is an Op that knows how much arithmetic it does.
type Costed interface {
	Op
	// FLOPs returns the floating-point operations of one run, a multiply-add counting two.
	FLOPs(in, out [][]int) int64
}

// Traits describe how an Op treats memory and what passes may do with it.
type Traits struct {
	InPlace         []Pair    // the output may use the memory of the input, which has as many bytes
	Views           []Pair    // the output is the input's memory under another shape; Run does nothing for it
	Writes          []int     // inputs (variables) that Run overwrites: an update
	Random          bool      // Run reads Env.Key; never merged with an equal application
	Effect          bool      // runs although nobody reads an output; implied by Writes
	OptionalOutputs bool      // Run accepts nil for outputs that nobody reads,
	RequiredOutputs int       // except for the first RequiredOutputs of them
	Precision       Precision // what automatic mixed precision may do
}

// Pair names an input and an output by position.
type Pair struct{ In, Out int }

// Precision is an op's class under automatic mixed precision.
type Precision uint8

// The classes of precision.
const (
	Follow Precision = iota // computes in whatever type its inputs have
	Low                     // gains from low precision and bears it: products
	Keep32                  // needs float32: losses, sums over many elements, exponentials
)

func traitsOf(o Op) Traits {
	if t, ok := o.(Traited); ok {
		return t.Traits()
	}
	return Traits{}
}

// TraitsOf returns the traits of o.
func TraitsOf(o Op) Traits { return traitsOf(o) }

// Attribute is one named property of an Op.
type Attribute struct {
	Name  string
	Value any
}

// Attributes returns the exported fields of o, which are all it depends on besides its inputs.
func Attributes(o Op) []Attribute {
	v := reflect.ValueOf(o)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return nil
	}
	var out []Attribute
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() {
			out = append(out, Attribute{f.Name, v.Field(i).Interface()})
		}
	}
	return out
}

// DimsOf returns the sizes among the attributes of o, which a run of it may read.
func DimsOf(o Op) []Dim {
	var out []Dim
	for _, a := range Attributes(o) {
		switch v := a.Value.(type) {
		case Dim:
			out = append(out, v)
		case []Dim:
			out = append(out, v...)
		}
	}
	return out
}

// describe returns o as text: its name and its attributes that are not zero.
func describe(o Op) string {
	var parts []string
	for _, a := range Attributes(o) {
		if v := reflect.ValueOf(a.Value); v.IsValid() && !v.IsZero() && v.Kind() != reflect.Pointer && v.Kind() != reflect.Func {
			if text := fmt.Sprint(a.Value); text != o.Name() {
				parts = append(parts, lowerFirst(a.Name)+"="+text)
			}
		}
	}
	if len(parts) == 0 {
		return o.Name()
	}
	return o.Name() + "{" + strings.Join(parts, " ") + "}"
}

func lowerFirst(s string) string {
	r := []rune(s)
	r[0] = unicode.ToLower(r[0])
	return string(r)
}

// Phase is a part of a training step.
type Phase uint8

// The phases of a training step.
const (
	Forward Phase = iota
	Backward
	Update
)

// String returns "forward", "backward" or "update".
func (p Phase) String() string { return [...]string{"forward", "backward", "update"}[p] }

// Call is one application of an Op to nodes. Passes may read its fields; they change a graph through Graph.Substitute.
type Call struct {
	Op      Op
	In, Out []*Node
	Deps    []*Call // run before this one, besides the producers of In
	Phase   Phase
	Segment int    // recompute segment: applications of different segments are never merged; 0 is none
	Seed    uint64 // stream of random numbers; copies keep it
	Layer   string // path of the layer that built it

	graph  *Graph
	id     int   // order of creation
	order  int64 // place in the schedule, as far as the inputs permit
	origin []uintptr
	scope  *Scope
}

// Name returns the layer's path and the op's name, such as "conv1.conv2d".
func (c *Call) Name() string {
	if c.Layer == "" {
		return c.Op.Name()
	}
	return c.Layer + "." + c.Op.Name()
}

// Graph returns the graph that c belongs to.
func (c *Call) Graph() *Graph { return c.graph }

// Order returns the place that c would like in a schedule: ascending, as far as the inputs permit.
func (c *Call) Order() int64 { return c.order }

// Effect reports whether c has to run although nobody reads its outputs.
func (c *Call) Effect() bool {
	t := traitsOf(c.Op)
	return t.Effect || len(t.Writes) > 0
}

// Env is what an Op sees of the program that runs it: the kernels, the random stream, the run-time counts.
type Env struct {
	Backend
	// Context is the run's context; an op that takes long looks at it.
	Context context.Context
	// Key selects this application's random numbers in this step.
	Key Key
	// Sizes are the numbers behind the dimensions. An op with a run-time count sets it with Rebind.
	Sizes *Sizes
	// Body runs the inner graph of a Bodied op; nil for others.
	Body BodyRunner
	// Call is the application that runs.
	Call *Call
}

// SetCount sets the run-time count that is the first dimension of the output to n. It fails if there is no such count or n is not from 0 to
// its bound.
func (e *Env) SetCount(output, n int) error {
	if output < 0 || output >= len(e.Call.Out) || e.Call.Out[output].Rank() == 0 {
		return fmt.Errorf("SetCount: output %d has no count", output)
	}
	d := e.Call.Out[output].shape[0]
	entry := e.Call.graph.dims.entry(d)
	if entry == nil || entry.kind != dimCount {
		return fmt.Errorf("SetCount: output %d has no count", output)
	}
	if most := e.Sizes.Of(entry.bound); n < 0 || n > most {
		return fmt.Errorf("SetCount: %d rows in output %d, want 0 to %d", n, output, most)
	}
	e.Sizes.Rebind(d, n)
	return nil
}

// Size returns the number behind a dimension in this run.
func (e *Env) Size(d Dim) int { return e.Sizes.Of(d) }

// BodyRunner runs the inner graph of a Bodied op.
type BodyRunner interface {
	// Args returns room for the arguments of Run.
	Args() *BodyArgs
	// Reserve plans memory for runs with up to Args().Rows rows.
	Reserve() error
	// Run computes the body from its arguments.
	Run(e *Env) error
	// Result returns the value of output i, valid until the next Run.
	Result(i int) Buffer
}

// BodyArgs are the arguments of a run of a body. Buffers count from their first element on, their shapes are ignored: a value lies there
// in the shape that the body's graph gives it.
type BodyArgs struct {
	Rows []int    // the number behind each of the symbols that Bodied.Rows returns
	From []int    // as many, for the op's own use
	In   []Buffer // the body's inputs and captured values, in the order of Graph.Inputs
	Out  []Buffer // where each output is to be written; nil where Result is enough. It must not overlap In.
}
