package sequence_test

import (
	"math"
	"reflect"
	"testing"

	"paddle/op"
	"paddle/sequence"
)

// poolAlone pools the rows of one sequence.
func poolAlone(p sequence.Pooling, width int, x []float64, empty float64) []float64 {
	y := make([]float64, width)
	n := len(x) / width
	for j := range y {
		if n == 0 {
			y[j] = empty
			continue
		}
		sum, most := 0.0, math.Inf(-1)
		for i := range n {
			sum += x[i*width+j]
			most = max(most, x[i*width+j])
		}
		y[j] = [...]float64{most, sum / float64(n), sum, sum / math.Sqrt(float64(n)), x[(n-1)*width+j], x[j]}[p]
	}
	return y
}

func TestPool(t *testing.T) {
	for p := sequence.PoolMax; p <= sequence.PoolFirst; p++ {
		for _, width := range []int{1, 3, 70} {
			loop{p.String(), []int{width},
				func(xs []*sequence.Node, _ []*op.Node) *op.Node { return sequence.Pool(p, xs[0], -0.5) },
				func(n int, s sample) []float64 { return poolAlone(p, width, s[0], -0.5) },
			}.check(t)
		}
	}
}

// TestR04EmptySequence: a sequence without rows gives the declared value with a gradient of zero, and leaves the others alone.
func TestR04EmptySequence(t *testing.T) {
	for p, want := range map[sequence.Pooling][]float64{
		sequence.PoolMean: {3, 0, 6}, sequence.PoolMax: {4, 0, 6}, sequence.PoolLast: {4, 0, 6}, sequence.PoolFirst: {2, 0, 6},
		sequence.PoolSum: {6, 0, 6}, sequence.PoolRootMean: {6 / math.Sqrt2, 0, 6},
	} {
		g := op.NewGraph(nil)
		x := sequence.Input(g, "x", op.Float64)
		y, other := sequence.Pool(p, x, 0), sequence.Pool(p, x, -7)
		slope := op.Gradient(op.Sum(y), x.Rows())[0]
		out := predict(t, batch(t, [][]float64{{2, 4}, {}, {6}}).Feeds("x"), y, other, slope)
		if got := data[float64](t, out[0]); differ(got, want, 1e-15) != "" {
			t.Errorf("%v is %v, want %v", p, got, want)
		}
		if got := data[float64](t, out[1]); got[1] != -7 || got[0] != data[float64](t, out[0])[0] {
			t.Errorf("%v with -7 for no rows is %v", p, got)
		}
		for i, d := range data[float64](t, out[2]) {
			if math.IsNaN(d) || math.IsInf(d, 0) {
				t.Errorf("%v: gradient %d is %v", p, i, d)
			}
		}
	}
}

// TestR04NaN: a NaN stays in its sequence and column.
func TestR04NaN(t *testing.T) {
	nan := math.NaN()
	for p := sequence.PoolMax; p <= sequence.PoolFirst; p++ {
		g := op.NewGraph(nil)
		x := sequence.Input(g, "x", op.Float64, 2)
		out := predict(t, batch(t, [][]float64{{1, 2}, {nan, 3, 4, 5, nan, 6}, {}, {7, 8}}, 2).Feeds("x"), sequence.Pool(p, x, 0))
		got := data[float64](t, out[0])
		if !math.IsNaN(got[2]) || !reflect.DeepEqual(append(got[:2:2], got[4:]...), []float64{1, 2, 0, 0, 7, 8}) || math.IsNaN(got[3]) {
			t.Errorf("%v: %v", p, got)
		}
	}
}

func TestPoolMaxTies(t *testing.T) {
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Float32)
	slope := op.Gradient(op.Sum(sequence.Max(x)), x.Rows())[0]
	out := predict(t, batch(t, [][]float32{{1, 5, 5, 2}, {3, 3, 3}}).Feeds("x"), slope)
	if got, want := data[float32](t, out[0]), []float32{0, 1, 0, 0, 1, 0, 0}; !reflect.DeepEqual(got, want) {
		t.Errorf("gradient %v, want %v", got, want)
	}
}

func TestPoolIDs(t *testing.T) {
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Int32)
	p := x.Pack()
	out := predict(t, batch(t, [][]int32{{1, 2}, {}, {3, 4, 5}}).Feeds("x"), sequence.Pool(sequence.PoolLast, x, -1), sequence.Pool(sequence.PoolFirst, p.Of(p.Rows), -1))
	for i, want := range [][]int32{{2, -1, 5}, {1, -1, 3}} {
		if got := data[int32](t, out[i]); !reflect.DeepEqual(got, want) {
			t.Errorf("output %d is %v, want %v", i, got, want)
		}
	}
}

// TestPoolTypes: what only copies works on every type.
func TestPoolTypes(t *testing.T) {
	for _, d := range []op.DType{op.Int32, op.Int64, op.Uint8, op.Bool, op.BFloat16, op.Float16, op.Float64} {
		g := op.NewGraph(nil)
		x := sequence.Input(g, "x", op.Float32)
		y := x.Map(func(rows *op.Node) *op.Node { return op.Cast(rows, d) })
		p := y.Pack()
		last := sequence.Pool(sequence.PoolLast, y, 1)
		first := sequence.Expand(sequence.First(p.Of(p.Rows)), y)
		out := predict(t, batch(t, [][]float32{{1, 0}, {}, {0, 1, 1}}).Feeds("x"), op.Cast(last, op.Float32), op.Cast(first.Rows(), op.Float32))
		for i, want := range [][]float32{{0, 1, 1}, {1, 1, 0, 0, 0}} {
			if got := data[float32](t, out[i]); !reflect.DeepEqual(got, want) {
				t.Errorf("%v: output %d is %v, want %v", d, i, got, want)
			}
		}
	}
}

// TestPoolNested pools two-level sequences by level.
func TestPoolNested(t *testing.T) {
	b, err := sequence.NewNestedBatch([][][]float32{{{1, 2}, {3}}, {}, {{}, {4, 5, 6}}})
	if err != nil {
		t.Fatal(err)
	}
	g := op.NewGraph(nil)
	x := sequence.NestedInput(g, "x", op.Float32)
	perUnit := x.Outer(sequence.Sum(x.Inner()))
	out := predict(t, b.Feeds("x"), perUnit.Rows(), perUnit.Lengths(), sequence.Max(perUnit), sequence.Mean(x.Flat()))
	for i, want := range []any{[]float32{3, 3, 0, 15}, []int32{2, 0, 2}, []float32{3, 0, 15}, []float32{2, 0, 5}} {
		if got := out[i].Data(); !reflect.DeepEqual(got, want) {
			t.Errorf("output %d is %v, want %v", i, got, want)
		}
	}
}
