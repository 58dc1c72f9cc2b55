package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// winogradForward computes a convolution for which IsWinograd holds.
func (b *Backend) winogradForward(c *op.ConvSpec, x, w, bias, y op.Buffer) {
	t := &b.winograd
	t.ReLU, t.Act = activation(c.Act, &unary32)
	t.Bias, t.Transformed = elements[float32](bias), b.winogradFilters(c, w)
	b.runWinograd(c, x, w, y)
}

// winogradFilters returns the filters as they are kept transformed, nil where they are not.
func (b *Backend) winogradFilters(c *op.ConvSpec, w op.Buffer) *kernel.WinogradFilters {
	d := w.Derived()
	if d == nil {
		return nil
	}
	f := d.Form(op.FormKey{Name: "Winograd filters", Rows: c.Filters, Columns: c.Channels / c.Groups})
	if !f.Ready() {
		if !f.Begin() {
			return nil
		}
		if f.Value == nil {
			f.Value = new(kernel.WinogradFilters)
		}
		f.Value.(*kernel.WinogradFilters).Transform(convShape(c), elements[float32](w), b.team, b.threads)
		f.End()
	}
	t, _ := f.Value.(*kernel.WinogradFilters)
	return t
}

// winogradGradInput computes the gradient for its input.
func (b *Backend) winogradGradInput(c *op.ConvSpec, w, dy, dx op.Buffer) {
	b.winograd.GradInput = true
	b.runWinograd(c, dy, w, dx)
}

// runWinograd computes b.winograd, whose options have been set, and lets go of its operands.
func (b *Backend) runWinograd(c *op.ConvSpec, x, w, y op.Buffer) {
	t := &b.winograd
	t.ConvShape = convShape(c)
	t.X, t.W, t.Y = elements[float32](x), elements[float32](w), elements[float32](y)
	t.Run(b.team, b.threads)
	t.X, t.W, t.Bias, t.Y = nil, nil, nil, nil
	t.Transformed, t.ReLU, t.Act, t.GradInput = nil, false, nil, false
}

// winogradFilterGradient computes the gradient for the filters of a convolution for which IsWinogradGradFilter holds.
func (b *Backend) winogradFilterGradient(shape kernel.ConvShape, x, dy, dw op.Buffer) {
	t := &b.winogradGradFilter
	t.ConvShape, t.X, t.DY, t.DW = shape, elements[float32](x), elements[float32](dy), elements[float32](dw)
	t.Run(b.team, b.threads)
	t.X, t.DY, t.DW = nil, nil, nil
}
