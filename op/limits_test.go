package op_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"paddle/internal/exec"
	"paddle/op"
)

// Sizes that overflow are mistakes with a place, when the graph is built or when a run learns the sizes; none reaches a kernel.
func TestSizesThatOverflow(t *testing.T) {
	const huge = math.MaxInt
	g := op.NewGraph(nil)
	x, image := g.Input("x", op.Float32, 3), g.Input("image", op.Float32, op.Batch, 2, 5, 5)
	ids, filter := g.Input("ids", op.Int32, op.Batch), g.Input("filter", op.Float32, 2, 2, 3, 3)
	for name, n := range map[string]*op.Node{
		"broadcast":         op.BroadcastTo(op.Sum(x), huge/2, huge/2),
		"product wraps":     op.Reshape(x, huge/2+1, 4, op.Auto),
		"pad":               op.Pad(x, 0, huge, huge),
		"input":             g.Input("large", op.Float32, op.Batch, huge),
		"one hot":           op.OneHot(ids, huge, op.Float32),
		"dilation":          op.Conv2D(image, filter, op.Conv{Dilation: huge/2 + 1}),
		"dilation, padded":  op.Conv2D(image, filter, op.Conv{Dilation: huge / 4, Padding: huge / 4}),
		"dilation and same": op.Conv2D(image, filter, op.Conv{Dilation: huge/2 + 1, Same: true}),
		"stride":            op.Conv2D(image, filter, op.Conv{Stride: huge}),
		"padding":           op.Conv2D(image, filter, op.Conv{Padding: huge, PadTop: 1}),
		"window":            op.MaxPool2D(image, op.Pool{Size: huge, Padding: huge - 1}),
		"ceil":              op.MaxPool2D(image, op.Pool{Size: 2, Stride: huge, Ceil: true}),
	} {
		if err := n.Err(); err == nil || !strings.Contains(err.Error(), "limits_test.go:") {
			t.Errorf("%s: error %v, want one with its line", name, err)
		}
	}
	p := new(op.Parameter)
	if err := p.Define(op.Float32, nil, huge/2, 16); err == nil {
		t.Error("a parameter may have any size")
	}
}

func TestSizesThatOverflowInARun(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 2)
	y := op.Sum(op.Pad(x, 0, math.MaxInt-1, 0))
	p, err := exec.Compile(g, []*op.Node{y}, exec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, batch := range []int{0, 1, 3} {
		feeds := op.Feeds{"x": op.NewBuffer(op.Float32, batch, 2).Dense()}
		err := p.Run(context.Background(), feeds, 0, func([]op.Buffer) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "limits_test.go:") || !strings.Contains(err.Error(), "the result would have shape") {
			t.Errorf("batch %d: error %v, want one with its line", batch, err)
		}
	}
}

// The short floating-point types are for storage: what would compute on them says so.
func TestShortTypesAreOnlyStored(t *testing.T) {
	for _, d := range []op.DType{op.BFloat16, op.Float16} {
		for name, build := range map[string]func(h *op.Node) *op.Node{
			"unary": op.ReLU, "negation": op.Neg, "softmax": op.Softmax, "sum": func(h *op.Node) *op.Node { return op.Sum(h) },
			"max": func(h *op.Node) *op.Node { return op.Max(h) }, "argmax": func(h *op.Node) *op.Node { return op.ArgMax(h, 0) },
			"add": func(h *op.Node) *op.Node { return op.Add(h, h) }, "equal": func(h *op.Node) *op.Node { return op.Equal(h, h) },
			"loss":    func(h *op.Node) *op.Node { return op.SquareError(h, h) },
			"product": func(h *op.Node) *op.Node { return op.MatMulT(h, h) }, "dropout": func(h *op.Node) *op.Node { return op.Dropout(h, 0.5) },
		} {
			g := op.NewGraph(nil)
			err := build(op.Cast(g.Input("x", op.Float32, op.Batch, 2), d)).Err()
			if err == nil || !strings.HasSuffix(err.Error(), "want float32 or float64 to compute with: cast it") {
				t.Errorf("%s of %v has the error %v, want that it is to be cast", name, d, err)
			}
		}
	}
}
