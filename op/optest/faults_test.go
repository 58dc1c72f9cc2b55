package optest_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"paddle/op"
	"paddle/op/optest"
)

// recorder is a T that keeps what is reported.
type recorder struct{ problems []string }

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// finds checks c and looks for a problem whose text has all the wanted parts.
func finds(t *testing.T, c optest.Case, want ...string) {
	t.Helper()
	r := &recorder{}
	optest.Check(r, c)
	for _, p := range r.problems {
		all := true
		for _, w := range want {
			all = all && strings.Contains(p, w)
		}
		if all {
			return
		}
	}
	t.Errorf("no problem says %q; found were %d:\n%s", want, len(r.problems), strings.Join(r.problems, "\n"))
}

var x = []optest.Input{optest.Float(op.Batch, 3)}

func unary(o custom) optest.Case {
	return optest.Case{In: x, Build: optest.Unary(o.apply)}
}

func TestSoundOpPasses(t *testing.T) {
	c := unary(custom{traits: op.Traits{InPlace: []op.Pair{{In: 0, Out: 0}}}})
	c.Reference = func(in []optest.Array) []optest.Array {
		return []optest.Array{in[0].Map(func(x float64) float64 { return x * x * x })}
	}
	c.Misuse = []optest.Misuse{{
		In: []optest.Input{{Name: "ids", DType: op.Int32, Shape: []op.Dim{2}}}, Build: c.Build,
		Want: `custom: input "ids" has type int32, want a floating-point type`,
	}}
	optest.Check(t, c)
}

func TestFindsWrongGradient(t *testing.T) {
	c := unary(custom{gradient: func(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
		return []*op.Node{op.Mul(dout[0], op.MulConst(op.Square(c.In[0]), 2))}
	}})
	finds(t, c, "float64: the gradient of input 0 (x0) at [", "by differences", "x0 = [3 3]")
}

// One wrong element among many is found, and named.
func TestFindsWrongElementOfGradient(t *testing.T) {
	c := optest.Case{In: []optest.Input{optest.Float(40, 10)}, Build: optest.Unary(custom{gradient: func(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
		d := op.Mul(dout[0], op.MulConst(op.Square(c.In[0]), 3))
		hole := op.Pad(op.Pad(op.Ones(op.Slice(op.Slice(d, 0, 0, 1), 1, 0, 1)), 0, 17, 22), 1, 4, 5)
		return []*op.Node{op.Mul(d, op.AddConst(op.MulConst(hole, -1), 1))}
	}}.apply)}
	finds(t, c, "the gradient of input 0 (x0) at [17 4] is", ", by differences")
}

func TestFindsMissingGradient(t *testing.T) {
	finds(t, unary(custom{gradient: func(*op.Call, []*op.Node, []bool) []*op.Node { return []*op.Node{nil} }}),
		"the gradient of input 0 (x0) at [", "is 0, by differences")
}

func TestFindsGradientWrongInFloat32(t *testing.T) {
	c := unary(custom{gradient: func(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
		factor := 3.0
		if c.In[0].DType() == op.Float32 {
			factor = 3.01
		}
		return []*op.Node{op.Mul(dout[0], op.MulConst(op.Square(c.In[0]), factor))}
	}})
	finds(t, c, "float32: the gradient of input 0 (x0)")
}

func TestFindsGradientOfWrongShape(t *testing.T) {
	finds(t, unary(custom{gradient: func(_ *op.Call, dout []*op.Node, _ []bool) []*op.Node { return []*op.Node{op.Sum(dout[0], 1)} }}),
		"the gradient of", "is float64 (batch,), want float64 (batch, 3)")
}

func TestFindsWrongValues(t *testing.T) {
	c := unary(custom{})
	c.In = []optest.Input{optest.Given([]float64{1, 2}, 2)}
	c.Want = [][]float64{{1, 9}}
	finds(t, c, "float64: output 0 at [1]: got 8, want 9; x0 = [2][1 2]")
	c.Want = [][]float64{{1, 8, 27}}
	finds(t, c, "output 0 has shape [2], want 3 elements")
	c.Want = nil
	c.WantGrad = [][]float64{{3, 13}}
	finds(t, c, "the gradient of input 0 (x0) at [1]: got 12, want 13")
	c.WantGrad = nil
	c.Reference = func(in []optest.Array) []optest.Array {
		return []optest.Array{in[0].Map(func(x float64) float64 { return x * x })}
	}
	finds(t, c, "output 0 at [1]: got 8, want 4")
	c.Reference = func([]optest.Array) []optest.Array { return []optest.Array{optest.NewArray(2, 1)} }
	finds(t, c, "output 0 has shape [2], the reference [2 1]")
	c.Reference = nil
	c.Property = func(_, out []optest.Array) error {
		if out[0].Data[0] < 2 {
			return errors.New("too small")
		}
		return nil
	}
	finds(t, c, "too small", "x0 = ")
}

// The shape that Infer promises and the one that Run fills differ.
func TestFindsWrongShape(t *testing.T) {
	short := custom{
		infer: func(s *op.Shapes) ([]op.Spec, error) {
			return []op.Spec{{DType: s.In[0].DType, Shape: []op.Dim{s.In[0].Shape[0], 4}}}, nil
		},
		run: func(_ *op.Env, in, out []op.Buffer) error {
			cube(in[0], out[0]) // leaves the last elements as they were
			return nil
		},
	}
	c := unary(short)
	c.NoGradient = true
	finds(t, c, "custom: output 0 at [", "the element is not written")

	long := custom{run: func(_ *op.Env, in, out []op.Buffer) error {
		cube(in[0], out[0])
		set(out[0].Reshaped([]int{out[0].Len() + 1}), out[0].Len(), 1)
		return nil
	}}
	finds(t, unary(long), "custom writes beside its output 0 of shape [3 3]: 72 bytes from its start")
}

func TestFindsChangedInput(t *testing.T) {
	spoil := custom{run: func(_ *op.Env, in, out []op.Buffer) error {
		cube(in[0], out[0])
		set(in[0], 1, 7)
		return nil
	}}
	finds(t, unary(spoil), "input x0 was changed by the run: element 1 was")

	// A value between two ops, which no feed shows.
	inner := unary(spoil)
	inner.Build = optest.Unary(func(x *op.Node) *op.Node { return spoil.apply(op.Neg(x)) })
	finds(t, inner, "custom changes its input 0: element [0 1] was", "and is 7")

	backward := custom{gradient: func(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
		return []*op.Node{op.Mul(spoilSecond(c.In[0], dout[0]), op.MulConst(op.Square(c.In[0]), 3))}
	}}
	finds(t, unary(backward), "x0 was changed by the run")
}

// spoilSecond returns dy, and changes x.
func spoilSecond(x, dy *op.Node) *op.Node {
	return op.Apply(custom{
		infer: func(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[1]}, nil },
		run: func(_ *op.Env, in, out []op.Buffer) error {
			copy(out[0].Bytes(), in[1].Bytes())
			set(in[0], 0, -1)
			return nil
		},
	}, x, dy)[0]
}

func TestFindsFalseInPlace(t *testing.T) {
	reverse := custom{
		traits: op.Traits{InPlace: []op.Pair{{In: 0, Out: 0}}},
		run: func(_ *op.Env, in, out []op.Buffer) error {
			for i := range in[0].Len() {
				set(out[0], i, get(in[0], in[0].Len()-1-i))
			}
			return nil
		},
	}
	c := unary(reverse)
	c.NoGradient = true
	c.Build = optest.Unary(func(x *op.Node) *op.Node { return reverse.apply(op.Neg(x)) })
	finds(t, c, "custom: output 0 at [", "is another when the op runs in place")
}

// The sum is taken in the order in which parts end.
func TestFindsSumThatDependsOnThreads(t *testing.T) {
	old := runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
	defer runtime.GOMAXPROCS(old)
	sum := custom{
		infer: func(s *op.Shapes) ([]op.Spec, error) {
			return []op.Spec{{DType: s.In[0].DType, Shape: []op.Dim{}}}, nil
		},
		run: func(e *op.Env, in, out []op.Buffer) error {
			var mu sync.Mutex
			total := 0.0
			e.Parallel(in[0].Len(), 512, func(lo, hi int) {
				part := 0.0
				for i := lo; i < hi; i++ {
					part += get(in[0], i) * get(in[0], i) / 3
				}
				if lo == 0 {
					time.Sleep(2 * time.Millisecond) // with a second thread the first part ends last
				}
				mu.Lock()
				total += part
				mu.Unlock()
			})
			set(out[0], 0, total)
			return nil
		},
		gradient: func(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
			return []*op.Node{op.Mul(op.BroadcastTo(dout[0], c.In[0].Shape()...), op.MulConst(c.In[0], 2.0/3))}
		},
	}
	finds(t, unary(sum), "two threads")
}

func TestFindsHiddenState(t *testing.T) {
	runs := 0
	counts := custom{run: func(_ *op.Env, in, out []op.Buffer) error {
		runs++
		each(in[0], out[0], func(x float64) float64 { return x*x*x + float64(runs) })
		return nil
	}}
	finds(t, unary(counts), "a second run differs", "output 0 at [0 0] is")

	rows := 0 // of the first run
	sized := custom{run: func(_ *op.Env, in, out []op.Buffer) error {
		if rows == 0 {
			rows = in[0].Shape[0]
		}
		scale := float64(in[0].Shape[0]) / float64(rows)
		each(in[0], out[0], func(x float64) float64 { return scale * x * x * x })
		return nil
	}}
	c := unary(sized)
	c.Reference = func(in []optest.Array) []optest.Array {
		return []optest.Array{in[0].Map(func(x float64) float64 { return x * x * x })}
	}
	finds(t, c, "output 0 at [", "x0 = [5 3]")
}

func TestFindsRandomnessWithoutTrait(t *testing.T) {
	noisy := custom{run: func(e *op.Env, in, out []op.Buffer) error {
		e.Uniform(e.Key, 0, 1, out[0])
		return nil
	}, gradient: func(*op.Call, []*op.Node, []bool) []*op.Node { return []*op.Node{nil} }}
	finds(t, unary(noisy), "does not have the trait Random")

	constant := custom{traits: op.Traits{Random: true}}
	finds(t, unary(constant), "the op is random and gives the same numbers in two steps")
}

// pair has two outputs, x³ and x².
var pair = custom{
	infer: func(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0], s.In[0]}, s.Arity(1) },
	run: func(_ *op.Env, in, out []op.Buffer) error {
		cube(in[0], out[0])
		each(in[0], out[1], func(x float64) float64 { return x * x })
		return nil
	},
	gradient: func(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
		var dx *op.Node
		if dout[0] != nil {
			dx = op.Mul(dout[0], op.MulConst(op.Square(c.In[0]), 3))
		}
		if dout[1] != nil {
			second := op.Mul(dout[1], op.MulConst(c.In[0], 2))
			if dx == nil {
				return []*op.Node{second}
			}
			dx = op.Add(dx, second)
		}
		return []*op.Node{dx}
	},
}

func both(o custom) optest.Case {
	return optest.Case{In: x, Build: func(in ...*op.Node) []*op.Node { return op.Apply(o, in...)[:2] }}
}

func TestFindsUnusedOutput(t *testing.T) {
	optest.Check(t, both(pair))

	needsBoth := pair
	needsBoth.gradient = func(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
		return []*op.Node{op.Add(op.Mul(dout[0], op.MulConst(op.Square(c.In[0]), 3)), op.Mul(dout[1], op.MulConst(c.In[0], 2)))}
	}
	finds(t, both(needsBoth), "gradient of output 0 alone", "is nil")

	forgets := pair
	forgets.gradient = func(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
		if dout[0] == nil {
			return []*op.Node{nil}
		}
		return pair.gradient(c, dout, want)
	}
	finds(t, both(forgets), "the gradient of input 0 (x0) at [", "is 0, by differences")

	optional := pair
	optional.traits.OptionalOutputs = true
	optional.run = func(e *op.Env, in, out []op.Buffer) error {
		if out[1].IsNil() {
			each(in[0], out[0], func(float64) float64 { return 0 })
			return nil
		}
		if out[0].IsNil() {
			out[0] = op.NewBuffer(in[0].DType, in[0].Shape...)
		}
		return pair.run(e, in, out)
	}
	finds(t, both(optional), "output 0 differs when no other output is used")
}

// product is a·b with a gradient rule that a test breaks.
func product(gradient func(c *op.Call, dy *op.Node, want []bool) []*op.Node) optest.Case {
	o := custom{
		infer: func(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0]}, s.Arity(2) },
		run: func(_ *op.Env, in, out []op.Buffer) error {
			for i := range in[0].Len() {
				set(out[0], i, get(in[0], i)*get(in[1], i))
			}
			return nil
		},
		gradient: func(c *op.Call, dout []*op.Node, want []bool) []*op.Node { return gradient(c, dout[0], want) },
	}
	return optest.Case{
		In:    []optest.Input{optest.Float(op.Batch, 3), optest.Float(op.Batch, 3)},
		Build: optest.One(func(in ...*op.Node) *op.Node { return op.Apply(o, in...)[0] }),
	}
}

func TestFindsNeedlessWork(t *testing.T) {
	always := product(func(c *op.Call, dy *op.Node, _ []bool) []*op.Node {
		return []*op.Node{op.Mul(dy, c.In[1]), op.Mul(dy, c.In[0])}
	})
	finds(t, always, "custom, asked for the gradient of input 0 only, builds one for input 1")

	dead := product(func(c *op.Call, dy *op.Node, want []bool) []*op.Node {
		da, db := op.Mul(dy, c.In[1]), op.Mul(dy, c.In[0])
		if !want[0] {
			da = nil
		}
		if !want[1] {
			db = nil
		}
		return []*op.Node{da, db}
	})
	finds(t, dead, "custom, asked for the gradient of input 1 only, builds mul, which that does not need")

	joint := product(func(c *op.Call, dy *op.Node, want []bool) []*op.Node {
		d := op.Apply(custom{
			infer: func(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0], s.In[0]}, nil },
			run: func(_ *op.Env, in, out []op.Buffer) error {
				for i := range in[0].Len() {
					set(out[0], i, get(in[0], i)*get(in[2], i))
					set(out[1], i, get(in[0], i)*get(in[1], i))
				}
				return nil
			},
		}, dy, c.In[0], c.In[1])
		out := make([]*op.Node, 2)
		for i := range out {
			if want[i] {
				out[i] = d[i]
			}
		}
		return out
	})
	finds(t, joint, "makes custom compute output 1, which nobody reads: give it the trait OptionalOutputs")
}

func TestFindsSharedApplication(t *testing.T) {
	known := map[*op.Node]*op.Node{}
	c := unary(custom{})
	c.Build = optest.Unary(func(x *op.Node) *op.Node {
		if known[x] == nil {
			known[x] = op.Neg(x)
		}
		return known[x]
	})
	finds(t, c, "output 0 of a second application is the node of the first")
}

func TestFindsInferenceThatDiffers(t *testing.T) {
	// An op that is no Inferencer cannot differ; one that is may, and its replacement has to compile.
	c := unary(custom{})
	c.Build = optest.Unary(func(x *op.Node) *op.Node { return op.Apply(broken{}, x)[0] })
	finds(t, c, "compiled for inference: ", "broken for good")
}

// broken is an op whose replacement at inference fails.
type broken struct{ custom }

func (broken) Inference(c *op.Call, in []*op.Node) []*op.Node {
	return []*op.Node{in[0].Graph().Fail("broken for good")}
}

func TestFindsPanicOnMisuse(t *testing.T) {
	c := unary(custom{})
	c.Build = optest.Unary(func(x *op.Node) *op.Node {
		if x.DType() == op.InvalidDType {
			panic("no type")
		}
		return custom{}.apply(x)
	})
	finds(t, c, "a nil input 0 panics: no type")

	c.Build = optest.Unary(func(x *op.Node) *op.Node {
		if x.Err() != nil {
			return nil
		}
		return custom{}.apply(x)
	})
	finds(t, c, "with a failed input 0 output 0 is nil, want a failed node")

	c.Build = optest.Unary(func(x *op.Node) *op.Node {
		if x.Err() != nil {
			return op.NewGraph(nil).Full(op.Float32, 0, 3)
		}
		return custom{}.apply(x)
	})
	finds(t, c, "with a nil input 0 output 0 is sound, want a failed node")
}

func TestFindsWrongErrors(t *testing.T) {
	ids := []optest.Input{{Name: "ids", DType: op.Int32, Shape: []op.Dim{2}}}
	misuse := func(in []optest.Input, build optest.Build, want string) optest.Case {
		return optest.Case{Name: "words", Misuse: []optest.Misuse{{In: in, Build: build, Want: want}}}
	}
	finds(t, misuse(ids, optest.Unary(custom{}.apply), "custom: wrong type"), "words: misuse 0 has the error", `custom: input "ids" has type int32`, "want\n\tcustom: wrong type")
	finds(t, misuse(x, optest.Unary(custom{}.apply), "custom: wrong type"), `misuse 0 goes through, want the error "custom: wrong type"`)
	finds(t, misuse(x, optest.Unary(func(*op.Node) *op.Node { panic("oh") }), "custom: wrong type"), `misuse 0 panics: oh, want the error "custom: wrong type"`)
}

func TestFindsPanics(t *testing.T) {
	finds(t, unary(custom{run: func(*op.Env, []op.Buffer, []op.Buffer) error { panic("no kernel") }}), "panic: no kernel")
	finds(t, unary(custom{run: func(*op.Env, []op.Buffer, []op.Buffer) error { return errors.New("no kernel") }}), "custom_test.go", "custom: no kernel")
	finds(t, unary(custom{infer: func(*op.Shapes) ([]op.Spec, error) { return nil, errors.New("no shape") }}), "custom: no shape")
	finds(t, unary(custom{infer: func(*op.Shapes) ([]op.Spec, error) { panic("no shape") }}), "panic: no shape")
}

func TestFindsGradientWhereNoneIsClaimed(t *testing.T) {
	c := unary(custom{})
	c.NoGradient = true
	finds(t, c, "the case says that there is no gradient, and there is one")
}
