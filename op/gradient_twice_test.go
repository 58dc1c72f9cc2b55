package op_test

import (
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// slopeOf builds the gradient of f at its first inputs for an output gradient that is the last input.
func slopeOf(f func(in ...*op.Node) *op.Node, wrt int) optest.Build {
	return optest.One(func(in ...*op.Node) *op.Node {
		xs, dy := in[:len(in)-1], in[len(in)-1]
		return op.VJP([]*op.Node{f(xs...)}, []*op.Node{dy}, []*op.Node{xs[wrt]})[0]
	})
}

// Gradients of gradients: the nodes of every rule have rules of their own.
func TestGradientOfGradient(t *testing.T) {
	x, dy := optest.Between(0.5, 2, op.Batch, 3), optest.Input{Name: "dy", Shape: []op.Dim{op.Batch, 3}, Optional: true}
	for name, f := range map[string]func(*op.Node) *op.Node{
		"neg": op.Neg, "abs": op.Abs, "sign": op.Sign, "square": op.Square, "sqrt": op.Sqrt, "rsqrt": op.Rsqrt, "reciprocal": op.Reciprocal, "exp": op.Exp,
		"expm1": op.Expm1, "log": op.Log, "log1p": op.Log1p, "sin": op.Sin, "cos": op.Cos, "erf": op.Erf, "floor": op.Floor, "sigmoid": op.Sigmoid,
		"tanh": op.Tanh, "relu": op.ReLU, "gelu": op.GELU, "gelu tanh": op.GELUTanh, "silu": op.SiLU, "softplus": op.Softplus, "softsign": op.Softsign,
		"leaky relu": func(x *op.Node) *op.Node { return op.LeakyReLU(x, 0.1) },
		"elu":        func(x *op.Node) *op.Node { return op.ELU(x, 1.5) },
		"stanh":      func(x *op.Node) *op.Node { return op.STanh(x, 1.7159, 2.0/3) },
		"clip":       func(x *op.Node) *op.Node { return op.Clip(x, -0.7, 1.9) },
		"power":      func(x *op.Node) *op.Node { return op.PowConst(x, 2.5) },
		"add const":  func(x *op.Node) *op.Node { return op.AddConst(x, 2.5) },
		"mul const":  func(x *op.Node) *op.Node { return op.MulConst(x, 2.5) },
	} {
		once := slopeOf(func(in ...*op.Node) *op.Node { return f(in[0]) }, 0)
		in := optest.Input{Shape: x.Shape, Low: -2, High: 2, Avoid: []float64{-0.7, 1.9, -1, 0, 1}}
		switch name {
		case "sqrt", "rsqrt", "reciprocal", "log", "log1p", "power":
			in = x
		}
		optest.Check(t, optest.Case{Name: name, In: []optest.Input{in, dy}, Build: optest.One(func(in ...*op.Node) *op.Node {
			if d := once(in...)[0]; d != nil {
				return d
			}
			return op.Zeros(in[1])
		})})
	}
	row := optest.Input{Name: "dy", Shape: []op.Dim{op.Batch}, Optional: true}
	for name, c := range map[string]struct {
		in  []optest.Input
		f   func(in ...*op.Node) *op.Node
		wrt int
	}{
		"mul":        {[]optest.Input{x, x, dy}, func(in ...*op.Node) *op.Node { return op.Mul(in[0], in[1]) }, 0},
		"div":        {[]optest.Input{x, x, dy}, func(in ...*op.Node) *op.Node { return op.Div(in[0], in[1]) }, 1},
		"mean":       {[]optest.Input{x, row}, func(in ...*op.Node) *op.Node { return op.Mean(in[0], 1) }, 0},
		"sum":        {[]optest.Input{x, row}, func(in ...*op.Node) *op.Node { return op.Sum(in[0], 1) }, 0},
		"max":        {[]optest.Input{x, row}, func(in ...*op.Node) *op.Node { return op.Max(in[0], 1) }, 0},
		"slice":      {[]optest.Input{x, {Name: "dy", Shape: []op.Dim{op.Batch, 1}, Optional: true}}, func(in ...*op.Node) *op.Node { return op.Slice(in[0], 1, 1, 2) }, 0},
		"pad":        {[]optest.Input{x, {Name: "dy", Shape: []op.Dim{op.Batch, 5}, Optional: true}}, func(in ...*op.Node) *op.Node { return op.Pad(in[0], 1, 1, 1) }, 0},
		"concat":     {[]optest.Input{x, x, {Name: "dy", Shape: []op.Dim{op.Batch, 6}, Optional: true}}, func(in ...*op.Node) *op.Node { return op.Concat(1, in...) }, 1},
		"transpose":  {[]optest.Input{x, {Name: "dy", Shape: []op.Dim{3, op.Batch}, Optional: true}}, func(in ...*op.Node) *op.Node { return op.Transpose(in[0]) }, 0},
		"broadcast":  {[]optest.Input{optest.Float(3), dy}, func(in ...*op.Node) *op.Node { return op.BroadcastTo(in[0], op.Batch, 3) }, 0},
		"matmul, a":  {[]optest.Input{x, optest.Float(3, 4), {Name: "dy", Shape: []op.Dim{op.Batch, 4}, Optional: true}}, func(in ...*op.Node) *op.Node { return op.MatMul(in[0], in[1]) }, 0},
		"matmul, b":  {[]optest.Input{x, optest.Float(3, 4), {Name: "dy", Shape: []op.Dim{op.Batch, 4}, Optional: true}}, func(in ...*op.Node) *op.Node { return op.MatMul(in[0], in[1]) }, 1},
		"matmulT, b": {[]optest.Input{x, optest.Float(4, 3), {Name: "dy", Shape: []op.Dim{op.Batch, 4}, Optional: true}}, func(in ...*op.Node) *op.Node { return op.MatMulT(in[0], in[1]) }, 1},
		"where":      {[]optest.Input{optest.Bool(op.Batch, 1), x, x, dy}, func(in ...*op.Node) *op.Node { return op.Where(in[0], in[1], in[2]) }, 1},
		"gather": {[]optest.Input{optest.Float(5, 2), optest.Int(5, op.Batch), {Name: "dy", Shape: []op.Dim{op.Batch, 2}, Optional: true}},
			func(in ...*op.Node) *op.Node { return op.GatherRows(in[0], in[1], -1) }, 0},
	} {
		optest.Check(t, optest.Case{Name: name, In: c.in, Build: slopeOf(c.f, c.wrt)})
	}
}

func TestFLOPs(t *testing.T) {
	g := op.NewGraph(nil)
	a, b := g.Input("a", op.Float32, 3, 4, 5), g.Input("b", op.Float32, 5, 7)
	for name, c := range map[string]struct {
		n    *op.Node
		want int64
	}{
		"a product":            {op.MatMul(a, b), 2 * 3 * 4 * 5 * 7},
		"a transposed product": {op.TMatMul(op.Transpose(a, 0, 2, 1), b), 2 * 3 * 4 * 5 * 7},
		"a function":           {op.Exp(a), 60},
		"a sum":                {op.Add(a, a), 60},
		"a gradient":           {op.Gradient(op.Sum(op.Exp(b)), b)[0], 2 * 35},
	} {
		call, _ := c.n.Call()
		shapes := func(nodes []*op.Node) (out [][]int) {
			for _, n := range nodes {
				var s []int
				for _, d := range n.Shape() {
					s = append(s, int(d))
				}
				out = append(out, s)
			}
			return out
		}
		if got := call.Op.(op.Costed).FLOPs(shapes(call.In), shapes(call.Out)); got != c.want {
			t.Errorf("%s takes %d operations, want %d", name, got, c.want)
		}
	}
}
