package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// recurrentTasks are the tasks of the recurrent layers.
type recurrentTasks struct {
	recurrent32 recurrentKernels[float32]
	recurrent64 recurrentKernels[float64]
}

// recurrentKernels are the kernels for one type of elements.
type recurrentKernels[T kernel.Float] struct {
	lstm     kernel.LSTM[T]
	lstmGrad kernel.LSTMGrad[T]
	gru      kernel.GRU[T]
	gruGrad  kernel.GRUGrad[T]
	rnn      kernel.RNN[T]
	rnnGrad  kernel.RNNGrad[T]
	previous kernel.PreviousRows[T]
	kept     keptWeight[T]
}

// LSTM implements op.Backend.
func (b *Backend) LSTM(a op.LSTMArgs) {
	if a.W.DType == op.Float32 {
		lstm(b, &b.recurrent32, &a)
	} else {
		lstm(b, &b.recurrent64, &a)
	}
}

func lstm[T kernel.Float](b *Backend, k *recurrentKernels[T], a *op.LSTMArgs) {
	t := &k.lstm
	t.Keeper = k.kept.keeper(b, a.W)
	t.Timeline = kernel.Timeline{Steps: a.Steps, Reverse: a.Reverse}
	t.LSTMOperands = kernel.LSTMOperands[T]{
		Gates: elements[T](a.Gates), W: elements[T](a.W), Peephole: elements[T](a.Peephole),
		H0: elements[T](a.H0), C0: elements[T](a.C0),
		H: elements[T](a.H), C: elements[T](a.C),
		HLast: elements[T](a.HLast), CLast: elements[T](a.CLast),
	}
	t.Begin(a.W.Shape[0], max(len(t.HLast), len(t.CLast)), elements[T](a.Mask))
	t.Run(b.team, b.threads)
	t.LSTMOperands = kernel.LSTMOperands[T]{}
	t.End()
}

// LSTMGrad implements op.Backend.
func (b *Backend) LSTMGrad(a op.LSTMGradArgs) {
	if a.W.DType == op.Float32 {
		lstmGrad(b, &b.recurrent32.lstmGrad, &a)
	} else {
		lstmGrad(b, &b.recurrent64.lstmGrad, &a)
	}
}

func lstmGrad[T kernel.Float](b *Backend, t *kernel.LSTMGrad[T], a *op.LSTMGradArgs) {
	t.Timeline = kernel.Timeline{Steps: a.Steps, Reverse: a.Reverse}
	t.LSTMGradOperands = kernel.LSTMGradOperands[T]{
		Gates: elements[T](a.Gates), W: elements[T](a.W), Peephole: elements[T](a.Peephole),
		C0: elements[T](a.C0), C: elements[T](a.C),
		DH: elements[T](a.DH), DC: elements[T](a.DC),
		DHLast: elements[T](a.DHLast), DCLast: elements[T](a.DCLast),
		DH0: elements[T](a.DH0), DC0: elements[T](a.DC0), DPeephole: elements[T](a.DPeephole),
	}
	t.Begin(a.W.Shape[0], len(t.DH0), elements[T](a.Mask))
	t.Run(b.team, b.threads)
	t.LSTMGradOperands = kernel.LSTMGradOperands[T]{}
	t.End()
}

// GRU implements op.Backend.
func (b *Backend) GRU(a op.GRUArgs) {
	if a.W.DType == op.Float32 {
		gru(b, &b.recurrent32, &a)
	} else {
		gru(b, &b.recurrent64, &a)
	}
}

func gru[T kernel.Float](b *Backend, k *recurrentKernels[T], a *op.GRUArgs) {
	t := &k.gru
	t.Keeper = k.kept.keeper(b, a.W)
	t.Timeline = kernel.Timeline{Steps: a.Steps, Reverse: a.Reverse}
	t.GRUOperands = kernel.GRUOperands[T]{
		ResetAfter: a.ResetAfter,
		Gates:      elements[T](a.Gates), W: elements[T](a.W), Bias: elements[T](a.Bias),
		H0: elements[T](a.H0), H: elements[T](a.H), HLast: elements[T](a.HLast), Inner: elements[T](a.Inner),
	}
	t.Begin(a.W.Shape[0], len(t.HLast), elements[T](a.Mask))
	t.Run(b.team, b.threads)
	t.GRUOperands = kernel.GRUOperands[T]{}
	t.End()
}

// GRUGrad implements op.Backend.
func (b *Backend) GRUGrad(a op.GRUGradArgs) {
	if a.W.DType == op.Float32 {
		gruGrad(b, &b.recurrent32.gruGrad, &a)
	} else {
		gruGrad(b, &b.recurrent64.gruGrad, &a)
	}
}

func gruGrad[T kernel.Float](b *Backend, t *kernel.GRUGrad[T], a *op.GRUGradArgs) {
	t.Timeline = kernel.Timeline{Steps: a.Steps, Reverse: a.Reverse}
	t.GRUGradOperands = kernel.GRUGradOperands[T]{
		ResetAfter: a.ResetAfter,
		Gates:      elements[T](a.Gates), W: elements[T](a.W),
		H0: elements[T](a.H0), H: elements[T](a.H), Inner: elements[T](a.Inner),
		DH: elements[T](a.DH), DHLast: elements[T](a.DHLast), DH0: elements[T](a.DH0), DInner: elements[T](a.DInner),
	}
	t.Begin(a.W.Shape[0], len(t.DH0), elements[T](a.Mask))
	t.Run(b.team, b.threads)
	t.GRUGradOperands = kernel.GRUGradOperands[T]{}
	t.End()
}

// PreviousRows implements op.Backend.
func (b *Backend) PreviousRows(steps []int32, reverse bool, x, first, mask, y op.Buffer) {
	l := kernel.Timeline{Steps: steps, Reverse: reverse}
	if y.DType == op.Float32 {
		previousRows(b, &b.recurrent32.previous, l, x, first, mask, y)
	} else {
		previousRows(b, &b.recurrent64.previous, l, x, first, mask, y)
	}
}

func previousRows[T kernel.Float](b *Backend, t *kernel.PreviousRows[T], l kernel.Timeline, x, first, mask, y op.Buffer) {
	t.Timeline = l
	t.X, t.First, t.Y = elements[T](x), elements[T](first), elements[T](y)
	_, width := lastAxis(y)
	t.Begin(width, 0, elements[T](mask))
	t.Run(b.team, b.threads)
	t.X, t.First, t.Y = nil, nil, nil
	t.End()
}
