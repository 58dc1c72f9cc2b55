package golden

import (
	"encoding/json"

	"paddle/op"
)

// operations maps the names that ops.py uses to ours, with the attributes in JSON.
var operations = map[string]func(in []*op.Node, attrs json.RawMessage) *op.Node{
	"conv2d": func(in []*op.Node, a json.RawMessage) *op.Node {
		return op.Conv2D(in[0], in[1], attributes[op.Conv](a))
	},
	"max_pool2d": func(in []*op.Node, a json.RawMessage) *op.Node { return op.MaxPool2D(in[0], attributes[op.Pool](a)) },
	"avg_pool2d": func(in []*op.Node, a json.RawMessage) *op.Node { return op.AvgPool2D(in[0], attributes[op.Pool](a)) },
	"batch_norm": batchNorm,

	"relu": one(op.ReLU), "sigmoid": one(op.Sigmoid), "tanh": one(op.Tanh), "gelu": one(op.GELU), "gelu_tanh": one(op.GELUTanh),
	"silu": one(op.SiLU), "softplus": one(op.Softplus), "softsign": one(op.Softsign), "neg": one(op.Neg), "abs": one(op.Abs),
	"sign": one(op.Sign), "square": one(op.Square), "sqrt": one(op.Sqrt), "rsqrt": one(op.Rsqrt), "reciprocal": one(op.Reciprocal),
	"exp": one(op.Exp), "expm1": one(op.Expm1), "log": one(op.Log), "log1p": one(op.Log1p), "sin": one(op.Sin), "cos": one(op.Cos),
	"erf": one(op.Erf), "floor": one(op.Floor), "ceil": one(op.Ceil), "round": one(op.Round),
	"leaky_relu": oneA(op.LeakyReLU), "elu": oneA(op.ELU), "add_const": oneA(op.AddConst), "mul_const": oneA(op.MulConst), "pow_const": oneA(op.PowConst),
	"stanh": oneAB(op.STanh), "clip": oneAB(op.Clip),

	"add": two(op.Add), "sub": two(op.Sub), "mul": two(op.Mul), "div": two(op.Div), "pow": two(op.Pow), "maximum": two(op.Maximum),
	"minimum": two(op.Minimum), "matmul": two(op.MatMul), "matmul_t": two(op.MatMulT), "t_matmul": two(op.TMatMul),

	"softmax": one(op.Softmax), "log_softmax": one(op.LogSoftmax), "log_sum_exp": one(op.LogSumExp),
	"cross_entropy": two(op.CrossEntropy), "cross_entropy_rows": two(op.CrossEntropyRows), "nll": two(op.NLL),
	"binary_cross_entropy": two(op.BinaryCrossEntropy), "soft_cross_entropy": two(op.SoftCrossEntropy),
	"square_error": two(op.SquareError), "mean_square_error": two(op.MeanSquareError),

	"gather": func(in []*op.Node, a json.RawMessage) *op.Node {
		return op.GatherRows(in[0], in[1], attributes[struct{ Padding int64 }](a).Padding)
	},
	"sum": reduction(op.Sum), "mean": reduction(op.Mean), "max": reduction(op.Max), "min": reduction(op.Min),
}

// attributes reads attributes; ops.py names them as the fields of the struct.
func attributes[T any](text json.RawMessage) (a T) {
	if err := json.Unmarshal(text, &a); err != nil {
		panic("testdata/ops.json: " + err.Error())
	}
	return a
}

// constants are the attributes of a function of one number.
type constants struct{ A, B float64 }

func one(f func(x *op.Node) *op.Node) func([]*op.Node, json.RawMessage) *op.Node {
	return func(in []*op.Node, _ json.RawMessage) *op.Node { return f(in[0]) }
}

func oneA(f func(x *op.Node, a float64) *op.Node) func([]*op.Node, json.RawMessage) *op.Node {
	return func(in []*op.Node, a json.RawMessage) *op.Node { return f(in[0], attributes[constants](a).A) }
}

func oneAB(f func(x *op.Node, a, b float64) *op.Node) func([]*op.Node, json.RawMessage) *op.Node {
	return func(in []*op.Node, a json.RawMessage) *op.Node {
		c := attributes[constants](a)
		return f(in[0], c.A, c.B)
	}
}

func two(f func(a, b *op.Node) *op.Node) func([]*op.Node, json.RawMessage) *op.Node {
	return func(in []*op.Node, _ json.RawMessage) *op.Node { return f(in[0], in[1]) }
}

func reduction(f func(x *op.Node, axes ...int) *op.Node) func([]*op.Node, json.RawMessage) *op.Node {
	return func(in []*op.Node, a json.RawMessage) *op.Node {
		return f(in[0], attributes[struct{ Axes []int }](a).Axes...)
	}
}

// batchNorm is the op with running statistics of its own.
func batchNorm(in []*op.Node, a json.RawMessage) *op.Node {
	x := in[0]
	statistic := func(start float64) *op.Node {
		v := new(op.Variable)
		if err := v.Define(x.DType(), op.InitConstant(start), int(x.Dim(1))); err != nil {
			return x.Graph().Fail("%v", err)
		}
		return x.Graph().Read(v)
	}
	return op.BatchNorm(x, op.Norm{
		Weight: in[1], Bias: in[2], Mean: statistic(0), Variance: statistic(1), Momentum: 0.9,
		Epsilon: attributes[struct{ Epsilon float64 }](a).Epsilon,
	})
}
