package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// convTasks are the tasks of convolutions.
type convTasks struct {
	conv32       kernel.Conv[float32]
	conv64       kernel.Conv[float64]
	gradInput32  kernel.ConvGradInput[float32]
	gradInput64  kernel.ConvGradInput[float64]
	gradFilter32 kernel.ConvGradFilter[float32]
	gradFilter64 kernel.ConvGradFilter[float64]
	depthwise32  kernel.Depthwise[float32]
	depthwise64  kernel.Depthwise[float64]

	winograd           kernel.Winograd
	winogradGradFilter kernel.WinogradGradFilter
}

// Conv2D implements op.Backend.
func (b *Backend) Conv2D(c op.ConvSpec, x, w, bias, y op.Buffer) {
	switch shape := convShape(&c); {
	case y.DType == op.Float32 && shape.IsWinograd():
		b.winogradForward(&c, x, w, bias, y)
	case y.DType == op.Float32:
		convolve(b, &b.conv32, &b.depthwise32, &unary32, c, x, w, bias, y)
	default:
		convolve(b, &b.conv64, &b.depthwise64, &unary64, c, x, w, bias, y)
	}
}

func convolve[T kernel.Float](b *Backend, t *kernel.Conv[T], deep *kernel.Depthwise[T], functions *unaryTable[T], c op.ConvSpec, x, w, bias, y op.Buffer) {
	t.ConvShape = convShape(&c)
	if t.IsDepthwise() {
		deep.ConvShape = t.ConvShape
		deep.X, deep.W, deep.Bias, deep.Y = elements[T](x), elements[T](w), elements[T](bias), elements[T](y)
		deep.ReLU, deep.Act = activation(c.Act, functions)
		depthwise(b, deep)
		return
	}
	t.X, t.W, t.Bias, t.Y = elements[T](x), elements[T](w), elements[T](bias), elements[T](y)
	t.ReLU, t.Act = activation(c.Act, functions)
	t.Run(b.team, b.threads)
	t.X, t.W, t.Bias, t.Y = nil, nil, nil, nil
}

// Conv2DGradInput implements op.Backend.
func (b *Backend) Conv2DGradInput(c op.ConvSpec, w, dy, dx op.Buffer) {
	switch shape, direct := convShape(&c), pointwise(&c); {
	case dx.DType == op.Float32 && shape.IsWinograd():
		b.winogradGradInput(&c, w, dy, dx)
	case direct && dx.DType == op.Float32:
		pointwiseGradInput(b, &b.product32, &b.turned32, c, w, dy, dx)
	case direct:
		pointwiseGradInput(b, &b.product64, &b.turned64, c, w, dy, dx)
	case dx.DType == op.Float32:
		convolveGradInput(b, &b.gradInput32, &b.depthwise32, c, w, dy, dx)
	default:
		convolveGradInput(b, &b.gradInput64, &b.depthwise64, c, w, dy, dx)
	}
}

func convolveGradInput[T kernel.Float](b *Backend, t *kernel.ConvGradInput[T], deep *kernel.Depthwise[T], c op.ConvSpec, w, dy, dx op.Buffer) {
	t.ConvShape = convShape(&c)
	if t.IsDepthwise() {
		deep.ConvShape = t.ConvShape
		deep.W, deep.DY, deep.DX = elements[T](w), elements[T](dy), elements[T](dx)
		depthwise(b, deep)
		return
	}
	t.W, t.DY, t.DX = elements[T](w), elements[T](dy), elements[T](dx)
	t.Run(b.team, b.threads)
	t.W, t.DY, t.DX = nil, nil, nil
}

// Conv2DGradFilter implements op.Backend.
func (b *Backend) Conv2DGradFilter(c op.ConvSpec, x, dy, dw op.Buffer) {
	switch shape := convShape(&c); {
	case dw.DType == op.Float32 && shape.IsWinogradGradFilter():
		b.winogradFilterGradient(shape, x, dy, dw)
	case dw.DType == op.Float32:
		convolveGradFilter(b, &b.gradFilter32, &b.depthwise32, c, x, dy, dw)
	default:
		convolveGradFilter(b, &b.gradFilter64, &b.depthwise64, c, x, dy, dw)
	}
}

func convolveGradFilter[T kernel.Float](b *Backend, t *kernel.ConvGradFilter[T], deep *kernel.Depthwise[T], c op.ConvSpec, x, dy, dw op.Buffer) {
	t.ConvShape = convShape(&c)
	if t.IsDepthwise() {
		deep.ConvShape = t.ConvShape
		deep.X, deep.DY, deep.DW = elements[T](x), elements[T](dy), elements[T](dw)
		depthwise(b, deep)
		return
	}
	t.X, t.DY, t.DW = elements[T](x), elements[T](dy), elements[T](dw)
	t.Run(b.team, b.threads)
	t.X, t.DY, t.DW = nil, nil, nil
}

// convShape returns the sizes that the kernels want.
func convShape(c *op.ConvSpec) kernel.ConvShape {
	return kernel.ConvShape{
		Batch: c.Batch, Channels: c.Channels, Height: c.Height, Width: c.Width,
		Filters: c.Filters, OutHeight: c.OutHeight, OutWidth: c.OutWidth,
		KernelHeight: c.KernelHeight, KernelWidth: c.KernelWidth,
		StrideHeight: c.StrideHeight, StrideWidth: c.StrideWidth,
		DilationHeight: c.DilationHeight, DilationWidth: c.DilationWidth,
		PadTop: c.PadTop, PadBottom: c.PadBottom, PadLeft: c.PadLeft, PadRight: c.PadRight,
		Groups: c.Groups,
	}
}
