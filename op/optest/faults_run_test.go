package optest_test

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"paddle/op"
	"paddle/op/optest"
)

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
				if lo == 0 && in[0].Len() > 1024 {
					time.Sleep(20 * time.Millisecond) // with a second thread the first part ends last
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
