package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// pointwise reports whether a pixel of a convolution's result is a product of the same pixel of its input, in the whole image.
func pointwise(c *op.ConvSpec) bool {
	return c.KernelHeight == 1 && c.KernelWidth == 1 && c.StrideHeight == 1 && c.StrideWidth == 1 && c.Groups == 1 &&
		c.PadTop == 0 && c.PadBottom == 0 && c.PadLeft == 0 && c.PadRight == 0
}

// pointwiseGradInput computes the gradient of a pointwise convolution for its input: the product of the transposed filters, which are
// transposed once, and the gradient of each image.
func pointwiseGradInput[T kernel.Float, U any](b *Backend, t *kernel.Gemm[T], turned *turnTask[T, U], c op.ConvSpec, w, dy, dx op.Buffer) {
	pixels := c.Height * c.Width
	t.M, t.N, t.K, t.Batch = c.Channels, pixels, c.Filters, c.Batch
	t.A = turned.run(b, w, c.Filters, c.Channels)
	t.B = kernel.Operand[T]{Data: elements[T](dy), Row: pixels, Next: c.Filters * pixels}
	t.C, t.CRow, t.CNext = elements[T](dx), pixels, c.Channels*pixels
	t.Bias, t.Accumulate, t.ReLU, t.Act = nil, false, false, nil
	t.Run(b.team, b.threads)
	t.A, t.B, t.C = kernel.Operand[T]{}, kernel.Operand[T]{}, nil
}
