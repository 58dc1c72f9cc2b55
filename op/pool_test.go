package op_test

import (
	"math"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// pooling is the definition: f gets the elements of a window inside the image and how many lie in the padded image.
func pooling(p op.Pool, height, width int, f func(inside []float64, padded int) float64) func(in []optest.Array) []optest.Array {
	or := func(n, otherwise int) int {
		if n == 0 {
			return otherwise
		}
		return n
	}
	sizeW := or(p.Width, p.Size)
	strideH, strideW := or(p.Stride, p.Size), or(p.StrideWidth, or(p.Stride, sizeW))
	top, left := p.Padding+p.PadTop, p.Padding+p.PadLeft
	bottom, right := p.Padding+p.PadBottom, p.Padding+p.PadRight
	return func(in []optest.Array) []optest.Array {
		x := in[0]
		y := optest.NewArray(x.Shape[0], x.Shape[1], height, width)
		for b := range x.Shape[0] {
			for c := range x.Shape[1] {
				for i := range height {
					for j := range width {
						var inside []float64
						padded := 0
						for h := i*strideH - top; h < i*strideH-top+p.Size; h++ {
							for v := j*strideW - left; v < j*strideW-left+sizeW; v++ {
								if h < x.Shape[2]+bottom && v < x.Shape[3]+right {
									padded++
								}
								if h >= 0 && v >= 0 && h < x.Shape[2] && v < x.Shape[3] {
									inside = append(inside, x.At(b, c, h, v))
								}
							}
						}
						y.Set(f(inside, padded), b, c, i, j)
					}
				}
			}
		}
		return []optest.Array{y}
	}
}

func greatest(inside []float64, _ int) float64 {
	most := math.Inf(-1)
	for _, v := range inside {
		most = max(most, v)
	}
	return most
}

func meanOf(inside []float64, padded int, countPadding bool) float64 {
	n := len(inside)
	if countPadding {
		n = padded
	}
	sum := 0.0
	for _, v := range inside {
		sum += v
	}
	return sum / float64(n)
}

var poolings = []struct {
	name          string
	pool          op.Pool
	height, width int // of the result on 7×6
}{
	{"stride as the window", op.Pool{Size: 2}, 3, 3},
	{"overlapping", op.Pool{Size: 3, Stride: 2}, 3, 2},
	{"apart", op.Pool{Size: 2, Stride: 3, Width: 1}, 2, 2},
	{"padding", op.Pool{Size: 3, Stride: 2, Padding: 1}, 4, 3},
	{"each side of its own", op.Pool{Size: 3, Width: 2, Stride: 2, StrideWidth: 1, PadTop: 1, PadBottom: 2, PadLeft: 1}, 4, 6},
	{"ceil", op.Pool{Size: 2, Stride: 2, Ceil: true}, 4, 3},
	{"ceil and padding", op.Pool{Size: 3, Stride: 2, Padding: 1, Ceil: true}, 4, 4},
	{"ceil without a window in the padding", op.Pool{Size: 2, Stride: 3, Padding: 1, Ceil: true}, 3, 3},
}

func TestMaxPool2D(t *testing.T) {
	for _, p := range poolings {
		optest.Check(t, optest.Case{
			Name: p.name, In: []optest.Input{optest.Float(op.Batch, 2, 7, 6)},
			Build:     optest.Unary(func(x *op.Node) *op.Node { return op.MaxPool2D(x, p.pool) }),
			Reference: pooling(p.pool, p.height, p.width, greatest),
		})
	}
}

func TestAvgPool2D(t *testing.T) {
	for _, p := range poolings {
		for _, count := range []bool{false, true} {
			p.pool.CountPadding = count
			optest.Check(t, optest.Case{
				Name: p.name, In: []optest.Input{optest.Float(op.Batch, 2, 7, 6)},
				Build:     optest.Unary(func(x *op.Node) *op.Node { return op.AvgPool2D(x, p.pool) }),
				Reference: pooling(p.pool, p.height, p.width, func(in []float64, n int) float64 { return meanOf(in, n, count) }),
			})
		}
	}
}

// One graph pools images of any size, with ceil too.
func TestPoolSymbolicSize(t *testing.T) {
	for _, pool := range []op.Pool{{Size: 2, Ceil: true}, {Size: 2, Stride: 3, Padding: 1, Ceil: true}, {Size: 3, Stride: 1}} {
		optest.Check(t, optest.Case{
			In: []optest.Input{optest.Float(1, 1, optest.Length, 4)},
			Build: func(in ...*op.Node) []*op.Node {
				return []*op.Node{op.MaxPool2D(in[0], pool), op.AvgPool2D(in[0], pool)}
			},
			Batches: []int{2, 6, 7, 8, 9},
		})
	}
}

// The mean pooling's gradient has one of its own.
func TestAvgPool2DSecondDerivative(t *testing.T) {
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 1, 5, 4), optest.Float(op.Batch, 1, 3, 2)},
		Build: func(in ...*op.Node) []*op.Node {
			y := op.AvgPool2D(in[0], op.Pool{Size: 3, Stride: 2, Padding: 1})
			return op.VJP([]*op.Node{op.Mul(y, in[1])}, nil, in[:1])
		},
	})
}

// V01: ceil drops a window that starts behind the input and the padding in front.
func TestV01CeilDropsWindowBeyondInput(t *testing.T) {
	g := op.NewGraph(nil)
	y := op.MaxPool2D(g.Input("image", op.Float32, 1, 1, 7, 7), op.Pool{Size: 2, Stride: 3, Padding: 1, Ceil: true})
	if y.ShapeString() != "(1, 1, 3, 3)" {
		t.Errorf("length 7, window 2, stride 3, padding 1: got %s, want (1, 1, 3, 3)", y.ShapeString())
	}
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Given([]float64{1, 2, 3, 4}, 1, 1, 1, 4)},
		Build: optest.Unary(func(x *op.Node) *op.Node {
			return op.MaxPool2D(x, op.Pool{Size: 1, Stride: 2, Ceil: true})
		}),
		Want: [][]float64{{1, 3}},
	})
}

// V02: an element that wins in several windows gets the sum of their gradients.
func TestV02OverlappingWindowsAddGradients(t *testing.T) {
	optest.Check(t, optest.Case{
		In:       []optest.Input{optest.Given([]float64{0, 0, 0, 0, 9, 0, 0, 0, 0}, 1, 1, 3, 3)},
		Build:    optest.Unary(func(x *op.Node) *op.Node { return op.MaxPool2D(x, op.Pool{Size: 2, Stride: 1}) }),
		Want:     [][]float64{{9, 9, 9, 9}},
		WantGrad: [][]float64{{0, 0, 0, 0, 4, 0, 0, 0, 0}},
	})
}

// V03: padding never wins against negative elements.
func TestV03PaddingIsMinusInfinity(t *testing.T) {
	optest.Check(t,
		optest.Case{
			In: []optest.Input{optest.Given([]float64{-1, -1, -1, -1}, 1, 1, 2, 2)},
			Build: optest.Unary(func(x *op.Node) *op.Node {
				return op.MaxPool2D(x, op.Pool{Size: 3, Stride: 1, Padding: 1})
			}),
			Want: [][]float64{{-1, -1, -1, -1}}, WantGrad: [][]float64{{4, 0, 0, 0}}, OnKink: true,
		},
		optest.Case{
			Name: "sides", In: []optest.Input{optest.Given([]float64{-1, -2, -3, -4}, 1, 1, 2, 2)},
			Build: optest.Unary(func(x *op.Node) *op.Node {
				return op.MaxPool2D(x, op.Pool{Size: 2, Stride: 1, PadTop: 1, PadRight: 1})
			}),
			Want: [][]float64{{-1, -2, -1, -2}},
		},
		optest.Case{
			Name: "NaN wins", In: []optest.Input{optest.Given([]float64{1, math.NaN(), 3, math.Inf(1)}, 1, 1, 1, 4)},
			Build: optest.Unary(func(x *op.Node) *op.Node {
				return op.MaxPool2D(x, op.Pool{Size: 1, Width: 2})
			}),
			Want: [][]float64{{math.NaN(), math.Inf(1)}}, WantGrad: [][]float64{{0, 1, 0, 1}}, OnKink: true,
		},
	)
}

func TestPoolMisuse(t *testing.T) {
	misuse := func(p op.Pool, x []op.Dim, want string) []optest.Misuse {
		in := []optest.Input{{Name: "image", Shape: x}}
		return []optest.Misuse{
			{In: in, Build: optest.Unary(func(x *op.Node) *op.Node { return op.MaxPool2D(x, p) }), Want: "op.MaxPool2D: " + want},
			{In: in, Build: optest.Unary(func(x *op.Node) *op.Node { return op.AvgPool2D(x, p) }), Want: "op.AvgPool2D: " + want},
		}
	}
	image := []op.Dim{op.Batch, 1, 2, 5}
	for _, m := range [][]optest.Misuse{
		misuse(op.Pool{Size: 2}, image[1:], `input "image" has shape (1, 2, 5), want (batch, channels, height, width)`),
		misuse(op.Pool{Size: 3}, image, `input "image" has shape (batch, 1, 2, 5): height 2 with padding 0 and 0 is less than the window's 3`),
		misuse(op.Pool{}, image, `input "image" has shape (batch, 1, 2, 5): size 0 of the window, want 1 or more`),
		misuse(op.Pool{Size: 2, Stride: -1}, image, `input "image" has shape (batch, 1, 2, 5): stride -1, want 1 or more`),
		misuse(op.Pool{Size: 2, PadTop: 2}, image, `input "image" has shape (batch, 1, 2, 5): padding 2 and 0, want less than the window's 2`),
	} {
		optest.Check(t, optest.Case{Misuse: m})
	}
}
