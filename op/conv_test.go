package op_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// convolution is the definition, for the attributes that do not need the size of the image to be known.
func convolution(c op.Conv, top, left, height, width int) func(in []optest.Array) []optest.Array {
	or := func(n, otherwise int) int {
		if n == 0 {
			return otherwise
		}
		return n
	}
	strideH, dilationH, groups := or(c.Stride, 1), or(c.Dilation, 1), or(c.Groups, 1)
	strideW, dilationW := or(c.StrideWidth, strideH), or(c.DilationWidth, dilationH)
	return func(in []optest.Array) []optest.Array {
		x, w := in[0], in[1]
		y := optest.NewArray(x.Shape[0], w.Shape[0], height, width)
		perGroup := w.Shape[0] / groups
		for b := range x.Shape[0] {
			for f := range w.Shape[0] {
				for i := range height {
					for j := range width {
						sum := 0.0
						for ch := range w.Shape[1] {
							for k := range w.Shape[2] {
								for l := range w.Shape[3] {
									h, v := i*strideH+k*dilationH-top, j*strideW+l*dilationW-left
									if h >= 0 && v >= 0 && h < x.Shape[2] && v < x.Shape[3] {
										sum += w.At(f, ch, k, l) * x.At(b, f/perGroup*w.Shape[1]+ch, h, v)
									}
								}
							}
						}
						y.Set(sum, b, f, i, j)
					}
				}
			}
		}
		return []optest.Array{y}
	}
}

func convCase(name string, c op.Conv, x, w []op.Dim, top, left, height, width int) optest.Case {
	return optest.Case{
		Name: name,
		In:   []optest.Input{optest.Float(x...), optest.Float(w...)},
		Build: func(in ...*op.Node) []*op.Node {
			return []*op.Node{op.Conv2D(in[0], in[1], c)}
		},
		Reference: convolution(c, top, left, height, width),
	}
}

func TestConv2D(t *testing.T) {
	image := []op.Dim{op.Batch, 2, 5, 6}
	optest.Check(t,
		convCase("plain", op.Conv{}, image, []op.Dim{3, 2, 3, 2}, 0, 0, 3, 5),
		convCase("stride and padding", op.Conv{Stride: 2, Padding: 1}, image, []op.Dim{3, 2, 3, 3}, 1, 1, 3, 3),
		convCase("each attribute of its own", op.Conv{
			Stride: 2, StrideWidth: 1, Dilation: 1, DilationWidth: 2, PadTop: 2, PadLeft: 1, PadRight: 2,
		}, image, []op.Dim{2, 2, 2, 3}, 2, 1, 3, 5),
		convCase("padding adds up", op.Conv{Padding: 1, PadBottom: 2}, image, []op.Dim{1, 2, 3, 3}, 1, 1, 7, 6),
		convCase("groups", op.Conv{Groups: 2, Dilation: 2}, []op.Dim{op.Batch, 4, 5, 6}, []op.Dim{6, 2, 2, 2}, 0, 0, 3, 4),
		convCase("depthwise", op.Conv{Groups: 3, Padding: 1}, []op.Dim{op.Batch, 3, 4, 4}, []op.Dim{3, 1, 3, 3}, 1, 1, 4, 4),
		convCase("one by one", op.Conv{Stride: 2}, image, []op.Dim{4, 2, 1, 1}, 0, 0, 3, 3),
	)
}

// The odd zero of SAME padding is at the end: a 4-wide image with stride 2 and a kernel of 3 needs one, 0 in front and 1 behind.
func TestConv2DSame(t *testing.T) {
	same := func(stride int) op.Conv { return op.Conv{Stride: stride, Same: true} }
	optest.Check(t,
		convCase("even kernel", same(1), []op.Dim{op.Batch, 1, 5, 5}, []op.Dim{2, 1, 2, 4}, 0, 1, 5, 5),
		convCase("stride 2", same(2), []op.Dim{op.Batch, 2, 4, 5}, []op.Dim{2, 2, 3, 3}, 0, 1, 2, 3),
		convCase("stride beyond the kernel", same(3), []op.Dim{op.Batch, 1, 7, 6}, []op.Dim{1, 1, 1, 2}, 0, 0, 3, 2),
		convCase("kernel beyond the image", same(1), []op.Dim{op.Batch, 1, 2, 2}, []op.Dim{1, 1, 5, 5}, 2, 2, 2, 2),
	)
	optest.Check(t, optest.Case{
		In: []optest.Input{
			optest.Given([]float64{1, 2, 3, 4}, 1, 1, 1, 4),
			optest.Given([]float64{100, 10, 1}, 1, 1, 1, 3),
		},
		Build: optest.Binary(func(x, w *op.Node) *op.Node { return op.Conv2D(x, w, same(2)) }),
		Want:  [][]float64{{123, 340}},
	})
}

// Images of any size go through one graph.
func TestConv2DSymbolicSize(t *testing.T) {
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Float(2, 1, optest.Length, 6), optest.Float(2, 1, 3, 3)},
		Build: func(in ...*op.Node) []*op.Node {
			y := op.Conv2D(in[0], in[1], op.Conv{Stride: 2, Padding: 1})
			return []*op.Node{op.Conv2D(y, in[1], op.Conv{Same: true, Groups: 2, Stride: 2})}
		},
		Batches: []int{4, 7},
	})
}

// Where the size of the image is known to the run only, the run says that it is too small.
func TestV04KernelLargerThanFedImage(t *testing.T) {
	g := op.NewGraph(nil)
	x, w := g.Input("image", op.Float32, 1, 1, g.Dim("height"), 4), g.Input("w", op.Float32, 1, 1, 3, 3)
	y := op.Conv2D(x, w, op.Conv{})
	for n, want := range map[*op.Node]string{
		y:                                 "height 2 with padding 0 and 0 is less than the 3 that kernel 3 with dilation 1 covers",
		op.Gradient(op.Sum(y), x)[0]:      "height 2 with padding 0 and 0 is less than the 3 that kernel 3 with dilation 1 covers",
		op.MaxPool2D(x, op.Pool{Size: 3}): "height 2 with padding 0 and 0 is less than the window's 3",
		op.AvgPool2D(x, op.Pool{Size: 3}): "height 2 with padding 0 and 0 is less than the window's 3",
	} {
		r := compile(t, op.Training, nil, n, w)
		_, err := r.try(op.Feeds{"image": tensorOf(make([]float32, 8), 1, 1, 2, 4), "w": tensorOf(make([]float32, 9), 1, 1, 3, 3)})
		if err == nil || !strings.HasSuffix(err.Error(), ": "+want) || !strings.HasPrefix(err.Error(), "conv_test.go:") {
			t.Errorf("error %v, want conv_test.go:*: %s", err, want)
		}
	}
}

// The gradients are convolutions too and have gradients of their own.
func TestConv2DSecondDerivative(t *testing.T) {
	c := op.Conv{Stride: 2, Padding: 1, DilationWidth: 2}
	in := []optest.Input{optest.Float(op.Batch, 2, 4, 5), optest.Float(3, 2, 3, 2), optest.Float(op.Batch, 3, 2, 3)}
	grad := func(i int) optest.Build {
		return func(in ...*op.Node) []*op.Node {
			y := op.Conv2D(in[0], in[1], c)
			return op.VJP([]*op.Node{op.Mul(y, in[2])}, nil, in[i:i+1])
		}
	}
	optest.Check(t,
		optest.Case{Name: "input", In: in, Build: grad(0)},
		optest.Case{Name: "filter", In: in, Build: grad(1)},
	)
}

func TestConv2DMisuse(t *testing.T) {
	misuse := func(c op.Conv, x, w []op.Dim, want string) optest.Misuse {
		return optest.Misuse{
			In:    []optest.Input{{Name: "image", Shape: x}, {Name: "w", Shape: w}},
			Build: optest.Binary(func(x, w *op.Node) *op.Node { return op.Conv2D(x, w, c) }),
			Want:  "op.Conv2D: " + want,
		}
	}
	image, filters := []op.Dim{op.Batch, 4, 5, 5}, []op.Dim{6, 4, 3, 3}
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		misuse(op.Conv{}, image[1:], filters, `input "image" has shape (4, 5, 5), want (batch, channels, height, width)`),
		misuse(op.Conv{}, image, filters[1:], `input "w" has shape (4, 3, 3), want (filters, channels/groups, height, width)`),
		misuse(op.Conv{Groups: 2}, image, filters, `input "image" has shape (batch, 4, 5, 5), want 8 channels: 2 groups of the 4 that the filters have`),
		misuse(op.Conv{Groups: 4}, image, []op.Dim{6, 1, 3, 3}, `input "w" has shape (6, 1, 3, 3), want a multiple of 4 filters, one part for each group`),
		misuse(op.Conv{Groups: -1}, image, filters, `-1 groups, want 1 or more`),
		misuse(op.Conv{Stride: -2}, image, filters, `input "image" has shape (batch, 4, 5, 5): stride -2, want 1 or more`),
		misuse(op.Conv{Dilation: -2}, image, filters, `input "image" has shape (batch, 4, 5, 5): dilation -2, want 1 or more`),
		misuse(op.Conv{PadLeft: -1}, image, filters, `input "image" has shape (batch, 4, 5, 5): padding -1 and 0, want 0 or more`),
		misuse(op.Conv{Padding: 1, Same: true}, image, filters, `input "image" has shape (batch, 4, 5, 5): padding 1 and 1 besides Same, which finds the padding itself`),
		misuse(op.Conv{}, image, []op.Dim{6, 4, op.Batch, 3}, `input "w" has shape (6, 4, batch, 3), want known sizes, and at least 1 high and wide`),
	}})
}

// V04: a kernel that is larger than the padded image.
func TestV04KernelLargerThanImage(t *testing.T) {
	build := func(size, kernel op.Dim, c op.Conv) *op.Node {
		g := op.NewGraph(nil)
		return op.Conv2D(g.Input("image", op.Float32, 1, 1, size, size), g.Input("w", op.Float32, 1, 1, kernel, kernel), c)
	}
	wantError(t, build(2, 3, op.Conv{}), `op.Conv2D: input "image" has shape (1, 1, 2, 2): height 2 with padding 0 and 0 is less than the 3 that kernel 3 with dilation 1 covers`)
	wantError(t, build(5, 3, op.Conv{Dilation: 3}), `op.Conv2D: input "image" has shape (1, 1, 5, 5): height 5 with padding 0 and 0 is less than the 7 that kernel 3 with dilation 3 covers`)
	if y := build(5, 3, op.Conv{Dilation: 2}); y.ShapeString() != "(1, 1, 1, 1)" {
		t.Errorf("size 5, kernel 3, dilation 2: got %s, %v, want (1, 1, 1, 1)", y.ShapeString(), y.Err())
	}
	if y := build(2, 3, op.Conv{PadTop: 1, PadRight: 1}); y.ShapeString() != "(1, 1, 1, 1)" {
		t.Errorf("size 2, kernel 3, padding 1: got %s, %v, want (1, 1, 1, 1)", y.ShapeString(), y.Err())
	}
}

// wantError fails unless n failed in this test's package with the given text after the position.
func wantError(t *testing.T, n *op.Node, want string) {
	t.Helper()
	if n.Err() == nil {
		t.Errorf("no error, want %q", want)
		return
	}
	if pos, text, _ := strings.Cut(n.Err().Error(), ": "); text != want || !strings.Contains(pos, "_test.go:") {
		t.Errorf("error\n\t%v\nwant\n\t*_test.go:*: %s", n.Err(), want)
	}
}

// The bias and the activation after a convolution become part of it, to the same bits.
func TestConv2DTakesBiasAndActivation(t *testing.T) {
	for name, act := range map[string]func(*op.Node) *op.Node{"relu": op.ReLU, "sigmoid": op.Sigmoid, "tanh": op.Tanh} {
		g := op.NewGraph(nil)
		x, w, b := g.Input("x", op.Float32, op.Batch, 3, 6, 5), g.Input("w", op.Float32, 4, 3, 3, 3), g.Input("b", op.Float32, 4)
		y := act(op.Add(op.Conv2D(x, w, op.Conv{Padding: 1}), op.Reshape(b, 4, 1, 1)))
		rng := rand.New(rand.NewPCG(5, 6))
		feeds := op.Feeds{
			"x": tensorIn(op.Float32, random(rng, 2*3*6*5), 2, 3, 6, 5), "w": tensorIn(op.Float32, random(rng, 4*27), 4, 3, 3, 3),
			"b": tensorIn(op.Float32, random(rng, 4)),
		}
		want := evaluate(t, feeds, y)[0]
		fused, find := op.Copy(g, op.Training, y)
		out := op.Optimize(fused, []*op.Node{find(y)})
		if c, _ := out[0].Call(); c.Op.Name() != "conv2d" || len(c.In) != 3 {
			t.Errorf("%s: the result comes from %s with %d inputs", name, c.Op.Name(), len(c.In))
		}
		err := compileEffects(t, fused, out...).Run(context.Background(), feeds, 0, func(out []op.Buffer) error {
			wantNear(t, name, numbers(out[0]), want, 0)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestConv2DFLOPs(t *testing.T) {
	g := op.NewGraph(nil)
	x, w := g.Input("x", op.Float32, 2, 4, 5, 5), g.Input("w", op.Float32, 6, 2, 3, 3)
	y := op.Conv2D(x, w, op.Conv{Groups: 2})
	op.Gradient(op.Sum(y), x, w)
	const want = 2 * (2 * 6 * 3 * 3) * (2 * 3 * 3) // a multiply-add for each element of the result and of its window
	for _, c := range g.Calls() {
		if o, ok := c.Op.(op.Costed); ok && strings.HasPrefix(c.Op.Name(), "conv2d") {
			if got := o.FLOPs(sizesOf(c.In), sizesOf(c.Out)); got != want {
				t.Errorf("%s: %d FLOPs, want %d", c.Op.Name(), got, want)
			}
		}
	}
}

func sizesOf(nodes []*op.Node) [][]int {
	var out [][]int
	for _, n := range nodes {
		shape := make([]int, n.Rank())
		for i, d := range n.Shape() {
			shape[i] = int(d)
		}
		out = append(out, shape)
	}
	return out
}
