package op

import (
	"fmt"
	"math/bits"
)

var reduceNames = [...]string{
	ReduceSum: "sum", ReduceMean: "mean", ReduceMax: "max", ReduceMin: "min", ReduceProd: "prod", ReduceAll: "all", ReduceAny: "any",
}

// String returns the reduction's name, such as "sum".
func (f ReduceFunc) String() string { return reduceNames[f] }

// reduce reduces the axes whose bits are set.
type reduce struct {
	Func ReduceFunc
	Axes uint32
}

func (o reduce) Name() string { return o.Func.String() }

func (o reduce) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	logical := o.Func == ReduceAll || o.Func == ReduceAny
	if d := s.In[0].DType; logical && d != Bool {
		return nil, s.WrongType(0, "bool")
	} else if !logical {
		if err := s.Number(0); err != nil {
			return nil, err
		}
	}
	shape := []Dim{}
	for i, d := range s.In[0].Shape {
		if o.Axes>>i&1 == 0 {
			shape = append(shape, d)
		}
	}
	if bits.Len32(o.Axes) > len(s.In[0].Shape) {
		return nil, s.Wrong(0, "at least %d axes", bits.Len32(o.Axes))
	}
	return []Spec{{s.In[0].DType, shape}}, nil
}

func (o reduce) Run(e *Env, in, out []Buffer) error {
	e.Reduce(o.Func, o.Axes, in[0], out[0])
	return nil
}

func (o reduce) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	x, y, dy := c.In[0], c.Out[0], dout[0]
	back := func(n *Node) *Node { return Reshape(n, keptShape(x.shape, o.Axes)...) }
	switch o.Func {
	case ReduceSum:
		return []*Node{BroadcastTo(back(dy), x.shape...)}
	case ReduceMean:
		return []*Node{apply1(spread{x.shape}, back(dy))}
	case ReduceMax, ReduceMin:
		best := Cast(Equal(x, BroadcastTo(back(y), x.shape...)), x.dtype)
		share := Div(back(dy), back(apply1(reduce{ReduceSum, o.Axes}, best)))
		return []*Node{Mul(best, share)}
	}
	return []*Node{nil}
}

func (o reduce) Traits() Traits {
	if o.Func == ReduceMax || o.Func == ReduceMin || o.Func == ReduceAll || o.Func == ReduceAny {
		return Traits{}
	}
	return Traits{Precision: Keep32}
}

// keptShape returns shape with size 1 in the reduced axes.
func keptShape(shape []Dim, axes uint32) []Dim {
	out := make([]Dim, len(shape))
	for i, d := range shape {
		if out[i] = d; axes>>i&1 == 1 {
			out[i] = 1
		}
	}
	return out
}

// spread broadcasts x to Shape and divides by how often each element occurs: the gradient of a mean.
type spread struct{ Shape []Dim }

func (spread) Name() string { return "mean_grad" }

func (o spread) Infer(s *Shapes) ([]Spec, error) { return []Spec{{s.In[0].DType, o.Shape}}, s.Arity(1) }

func (o spread) Run(e *Env, in, out []Buffer) error {
	e.Copy(broadcastMove(in[0].Shape, out[0].Shape), in[0], out[0])
	if n := out[0].Len(); n > 0 {
		e.Unary(UnaryMulConst, float64(in[0].Len())/float64(n), 0, out[0], out[0])
	}
	return nil
}

func (o spread) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	x := c.In[0]
	var axes uint32
	for i := range x.shape {
		if x.shape[i] != o.Shape[i] {
			axes |= 1 << i
		}
	}
	return []*Node{Reshape(apply1(reduce{ReduceMean, axes}, dout[0]), x.shape...)}
}

// axesMask turns a list of axes, negative ones counting from the last, into bits; no axes means all.
func axesMask(x *Node, axes []int) (uint32, error) {
	rank := x.Rank()
	if len(axes) == 0 {
		return 1<<rank - 1, nil
	}
	var mask uint32
	for _, a := range axes {
		i := a
		if i < 0 {
			i += rank
		}
		if i < 0 || i >= rank {
			return 0, fmt.Errorf("axis %d of input %s, which has shape %s", a, quoted(x), x.ShapeString())
		}
		if mask>>i&1 == 1 {
			return 0, fmt.Errorf("axis %d is named twice", a)
		}
		mask |= 1 << i
	}
	return mask, nil
}

func reduceOf(f ReduceFunc, x *Node, axes []int) *Node {
	if x.Err() != nil {
		return failedFrom(x)
	}
	mask, err := axesMask(x, axes)
	if err != nil {
		return x.graph.fail(err)
	}
	return apply1(reduce{f, mask}, x)
}

// Sum returns the sum of x over the given axes, all of them if none is named; the result lacks those axes. A negative axis counts from
// the last. Sums are taken in a fixed order, the same at any number of threads.
func Sum(x *Node, axes ...int) *Node { return reduceOf(ReduceSum, x, axes) }

// Mean returns the mean of x over axes as Sum does the sum; the mean of no elements is 0.
func Mean(x *Node, axes ...int) *Node { return reduceOf(ReduceMean, x, axes) }

// Max returns the greatest element of x over axes, NaN if there is one; the gradient is shared evenly by all that are greatest.
func Max(x *Node, axes ...int) *Node { return reduceOf(ReduceMax, x, axes) }

// Min returns the least element of x over axes, as Max the greatest.
func Min(x *Node, axes ...int) *Node { return reduceOf(ReduceMin, x, axes) }

// All returns whether all Bools of x over axes are true; of none, true.
func All(x *Node, axes ...int) *Node { return reduceOf(ReduceAll, x, axes) }

// Any returns whether a Bool of x over axes is true; of none, false.
func Any(x *Node, axes ...int) *Node { return reduceOf(ReduceAny, x, axes) }

// ArgMax returns the index (Int32) of the greatest element along axis, the first of equals; the result lacks the axis.
func ArgMax(x *Node, axis int) *Node { return argOf(true, x, axis) }

// ArgMin returns the index (Int32) of the least element along axis, the first of equals; the result lacks the axis.
func ArgMin(x *Node, axis int) *Node { return argOf(false, x, axis) }

func argOf(most bool, x *Node, axis int) *Node {
	if x.Err() != nil {
		return failedFrom(x)
	}
	mask, err := axesMask(x, []int{axis})
	if err != nil {
		return x.graph.fail(err)
	}
	return apply1(arg{most, bits.TrailingZeros32(mask)}, x)
}

type arg struct {
	Max  bool
	Axis int
}

func (o arg) Name() string {
	if o.Max {
		return "argmax"
	}
	return "argmin"
}

func (o arg) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Float(0); err != nil {
		return nil, err
	}
	shape := s.In[0].Shape
	if shape[o.Axis] == 0 {
		return nil, s.Wrong(0, "one with elements along axis %d", o.Axis)
	}
	return []Spec{{Int32, append(append([]Dim{}, shape[:o.Axis]...), shape[o.Axis+1:]...)}}, nil
}

func (o arg) Run(e *Env, in, out []Buffer) error {
	if in[0].Shape[o.Axis] == 0 && out[0].Len() > 0 {
		return fmt.Errorf("no element along axis %d", o.Axis)
	}
	e.Arg(o.Max, o.Axis, in[0], out[0])
	return nil
}
