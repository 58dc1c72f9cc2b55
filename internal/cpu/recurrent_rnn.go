package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// RNN implements op.Backend.
func (b *Backend) RNN(a op.RNNArgs) {
	if a.W.DType == op.Float32 {
		rnn(b, &b.recurrent32, &unary32, &a)
	} else {
		rnn(b, &b.recurrent64, &unary64, &a)
	}
}

func rnn[T kernel.Float](b *Backend, k *recurrentKernels[T], functions *unaryTable[T], a *op.RNNArgs) {
	t := &k.rnn
	t.Keeper = k.kept.keeper(b, a.W)
	t.Timeline = kernel.Timeline{Steps: a.Steps, Reverse: a.Reverse}
	t.RNNOperands = kernel.RNNOperands[T]{
		H: elements[T](a.H), W: elements[T](a.W), H0: elements[T](a.H0), HLast: elements[T](a.HLast),
	}
	t.ReLU, t.Act = activation(a.Act, functions)
	t.Begin(a.W.Shape[0], len(t.HLast), elements[T](a.Mask))
	t.Run(b.team, b.threads)
	t.RNNOperands = kernel.RNNOperands[T]{}
	t.End()
}

// RNNGrad implements op.Backend.
func (b *Backend) RNNGrad(a op.RNNGradArgs) {
	if a.W.DType == op.Float32 {
		rnnGrad(b, &b.recurrent32.rnnGrad, &unaryGrad32, &a)
	} else {
		rnnGrad(b, &b.recurrent64.rnnGrad, &unaryGrad64, &a)
	}
}

func rnnGrad[T kernel.Float](b *Backend, t *kernel.RNNGrad[T], functions *unaryGradTable[T], a *op.RNNGradArgs) {
	t.Timeline = kernel.Timeline{Steps: a.Steps, Reverse: a.Reverse}
	t.RNNGradOperands = kernel.RNNGradOperands[T]{
		W: elements[T](a.W), H: elements[T](a.H),
		DH: elements[T](a.DH), DHLast: elements[T](a.DHLast), DH0: elements[T](a.DH0), DGates: elements[T](a.DGates),
		ActGrad: activationGrad(a.Act, functions),
	}
	t.Begin(a.W.Shape[0], len(t.DH0), elements[T](a.Mask))
	t.Run(b.team, b.threads)
	t.RNNGradOperands = kernel.RNNGradOperands[T]{}
	t.End()
}

// activationGrad returns the gradient of an activation, from its result; nil for none.
func activationGrad[T kernel.Float](a op.Activation, functions *unaryGradTable[T]) kernel.UnaryGrad[T] {
	switch a {
	case op.ActReLU:
		return functions[op.UnaryReLU]
	case op.ActSigmoid:
		return functions[op.UnarySigmoid]
	case op.ActTanh:
		return functions[op.UnaryTanh]
	}
	return nil
}
