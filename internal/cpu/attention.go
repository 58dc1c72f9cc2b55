package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// attentionTasks are the tasks of Attention and AttentionGrad.
type attentionTasks struct {
	attention32     kernel.Attention[float32]
	attention64     kernel.Attention[float64]
	attentionGrad32 kernel.AttentionGrad[float32]
	attentionGrad64 kernel.AttentionGrad[float64]
}

// Attention implements op.Backend.
func (b *Backend) Attention(s op.AttentionSpec, in, weights, y op.Buffer) {
	if y.DType == op.Float32 {
		attend(b, &b.attention32, s, in, weights, y)
	} else {
		attend(b, &b.attention64, s, in, weights, y)
	}
}

func attend[T kernel.Float](b *Backend, t *kernel.Attention[T], s op.AttentionSpec, in, weights, y op.Buffer) {
	t.AttentionShape = kernel.AttentionShape(s)
	t.In, t.Weights, t.Y = elements[T](in), elements[T](weights), elements[T](y)
	t.Run(b.team, b.threads)
	t.In, t.Weights, t.Y = nil, nil, nil
}

// AttentionGrad implements op.Backend.
func (b *Backend) AttentionGrad(s op.AttentionSpec, in, weights, dy, din, dscores op.Buffer) {
	if dy.DType == op.Float32 {
		attendGrad(b, &b.attentionGrad32, s, in, weights, dy, din, dscores)
	} else {
		attendGrad(b, &b.attentionGrad64, s, in, weights, dy, din, dscores)
	}
}

func attendGrad[T kernel.Float](b *Backend, t *kernel.AttentionGrad[T], s op.AttentionSpec, in, weights, dy, din, dscores op.Buffer) {
	t.AttentionShape = kernel.AttentionShape(s)
	t.In, t.Weights, t.DY = elements[T](in), elements[T](weights), elements[T](dy)
	t.DIn, t.DScores = elements[T](din), elements[T](dscores)
	t.Run(b.team, b.threads)
	t.In, t.Weights, t.DY, t.DIn, t.DScores = nil, nil, nil, nil, nil
}
