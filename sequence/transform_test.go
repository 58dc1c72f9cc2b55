package sequence_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"paddle/op"
	"paddle/sequence"
)

// rowsOf cuts the elements of one sequence into rows.
func rowsOf(x []float64, width int) [][]float64 {
	rows := make([][]float64, len(x)/width)
	for i := range rows {
		rows[i] = x[i*width:][:width]
	}
	return rows
}

// unary is a loop over one input.
func unary(name string, width int, build func(x *sequence.Node) *op.Node, alone func(rows [][]float64) []float64) loop {
	return loop{name, []int{width}, func(xs []*sequence.Node, _ []*op.Node) *op.Node { return build(xs[0]) },
		func(_ int, s sample) []float64 { return alone(rowsOf(s[0], width)) }}
}

func TestPoolWindows(t *testing.T) {
	for p := sequence.PoolMax; p <= sequence.PoolFirst; p++ {
		for _, stride := range []int{1, 2, 5} {
			unary(fmt.Sprint(p, " by ", stride), 3, func(x *sequence.Node) *op.Node { return sequence.PoolWindows(p, x, stride).Rows() },
				func(rows [][]float64) (out []float64) {
					for i := 0; i < len(rows); i += stride {
						var window []float64
						for _, r := range rows[i:min(i+stride, len(rows))] {
							window = append(window, r...)
						}
						out = append(out, poolAlone(p, 3, window, 0)...)
					}
					return out
				}).check(t)
		}
	}
}

func TestExpand(t *testing.T) {
	loop{"expand", []int{2, -3}, func(xs []*sequence.Node, rows []*op.Node) *op.Node { return sequence.Expand(rows[0], xs[0]).Rows() },
		func(n int, s sample) (out []float64) {
			for range n {
				out = append(out, s[1]...)
			}
			return out
		}}.check(t)
}

// TestExpandNested expands a row for each sub-sequence, and one for each sample, to the rows of two-level sequences.
func TestExpandNested(t *testing.T) {
	g := op.NewGraph(nil)
	x := sequence.NestedInput(g, "x", op.Float32)
	units := x.Outer(sequence.Sum(x.Inner()))
	toWords := x.Of(sequence.Expand(units.Rows(), x.Inner()))
	samples := sequence.Expand(sequence.Sum(x.Flat()), x.Flat())
	toUnits := sequence.Expand(sequence.Sum(units), units)
	b, err := sequence.NewNestedBatch([][][]float32{{{1, 2}, {3}}, {}, {{}, {4}}})
	if err != nil {
		t.Fatal(err)
	}
	out := predict(t, b.Feeds("x"), toWords.Flat().Rows(), samples.Rows(), toUnits.Rows())
	for i, want := range [][]float32{{3, 3, 3, 4}, {6, 6, 6, 4}, {6, 6, 4, 4}} {
		if got := data[float32](t, out[i]); !slices.Equal(got, want) {
			t.Errorf("output %d is %v, want %v", i, got, want)
		}
	}
}

// TestCounted chains operations on rows whose number is found in the run.
func TestCounted(t *testing.T) {
	unary("chain", 2, func(x *sequence.Node) *op.Node {
		y := sequence.PoolWindows(sequence.PoolMean, x, 2)
		p := y.Pack()
		y = sequence.Reverse(p.Of(op.MulConst(p.Rows, 3)))
		y = sequence.Slice(y, part(y, 1, 2), nil)
		y = sequence.Concat(y, sequence.Windows(y, 1), sequence.Softmax(y))
		best := sequence.KMax(y.Map(func(rows *op.Node) *op.Node { return op.Sum(rows, 1) }), 2)
		z := sequence.Slices(y, best, best.Map(func(rows *op.Node) *op.Node { return op.AddConst(rows, 1) }), y.Dim(0)).Flat()
		return sequence.Reshape(sequence.Concat(y, z), 1).Rows()
	}, func(rows [][]float64) []float64 {
		var y [][]float64
		for i := 0; i < len(rows); i += 2 {
			y = append([][]float64{poolAlone(sequence.PoolMean, 2, slices.Concat(rows[i:min(i+2, len(rows))]...), 0)}, y...)
		}
		y = y[len(y)/2:]
		soft, sum := make([][]float64, len(y)), make([]float64, 2)
		for i := range y {
			y[i] = []float64{3 * y[i][0], 3 * y[i][1]}
			sum[0] += math.Exp(y[i][0])
			sum[1] += math.Exp(y[i][1])
		}
		for i := range y {
			soft[i] = []float64{math.Exp(y[i][0]) / sum[0], math.Exp(y[i][1]) / sum[1]}
		}
		y = slices.Concat(y, y, soft)
		order := make([]int, len(y))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(y[b][0]+y[b][1], y[a][0]+y[a][1]) })
		for _, i := range order[:min(2, len(order))] {
			y = append(y, y[i])
		}
		return slices.Concat(y...)
	}).check(t)
}

func TestReverse(t *testing.T) {
	unary("reverse", 3, func(x *sequence.Node) *op.Node { return sequence.Reverse(x).Rows() }, func(rows [][]float64) (out []float64) {
		for i := range rows {
			out = append(out, rows[len(rows)-1-i]...)
		}
		return out
	}).check(t)
}

func TestConcat(t *testing.T) {
	loop{"concat", []int{2, 2}, func(xs []*sequence.Node, _ []*op.Node) *op.Node {
		return sequence.Concat(xs[0], sequence.Repeat(xs[1], 2), xs[0]).Rows()
	}, func(n int, s sample) (out []float64) {
		for _, i := range []int{0, 1, 1, 0} {
			out = append(out, s[i]...)
		}
		return out
	}}.check(t)
}

func TestReshape(t *testing.T) {
	unary("reshape", 6, func(x *sequence.Node) *op.Node {
		y := sequence.Reshape(x, 4)                            // needs an even number of rows
		return sequence.Reshape(sequence.Reverse(y), 3).Rows() // groups of 4 in the opposite order
	}, func(rows [][]float64) (out []float64) {
		var all []float64
		for _, r := range rows {
			all = append(all, r...)
		}
		for i := len(all); i >= 4; i -= 4 {
			out = append(out, all[i-4:i]...)
		}
		return out
	}).even().check(t)
}

// even returns the loop on sequences of twice the lengths.
func (l loop) even() loop {
	build, alone := l.build, l.alone
	l.build = func(xs []*sequence.Node, rows []*op.Node) *op.Node {
		return build([]*sequence.Node{sequence.Repeat(xs[0], 2)}, rows)
	}
	l.alone = func(n int, s sample) []float64 {
		return alone(2*n, sample{append(append([]float64{}, s[0]...), s[0]...)})
	}
	return l
}

func TestSoftmax(t *testing.T) {
	for _, width := range []int{1, 3} {
		unary("softmax", width, func(x *sequence.Node) *op.Node { return sequence.Softmax(x).Rows() }, func(rows [][]float64) []float64 {
			out := make([]float64, len(rows)*width)
			for j := range width {
				sum := 0.0
				for _, r := range rows {
					sum += math.Exp(r[j])
				}
				for i, r := range rows {
					out[i*width+j] = math.Exp(r[j]) / sum
				}
			}
			return out
		}).check(t)
	}
}

func TestSoftmaxExtremes(t *testing.T) {
	inf := math.Inf(1)
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Float64, 2)
	out := predict(t, batch(t, [][]float64{{-inf, 1000, -inf, 1000}, {math.NaN(), -inf, 0, 3}}, 2).Feeds("x"), sequence.Softmax(x).Rows())
	got := data[float64](t, out[0])
	if d := differ(got, []float64{0, 0.5, 0, 0.5, got[4], 0, got[6], 1}, 0); d != "" || !math.IsNaN(got[4]) || !math.IsNaN(got[6]) {
		t.Errorf("%v: %s", got, d)
	}
}

func TestAdditiveAttention(t *testing.T) {
	v, _ := matrix(nil, 3, 1)
	loop{"attention", []int{2, 3, -3}, func(xs []*sequence.Node, rows []*op.Node) *op.Node {
		_, v := matrix(xs[0].Graph(), 3, 1)
		context, weights := sequence.AdditiveAttention(xs[0], xs[1], rows[0], op.Reshape(v, 3))
		return op.Concat(1, context, op.Reshape(sequence.Sum(weights), op.Batch, 1))
	}, func(n int, s sample) []float64 {
		values, keys := rowsOf(s[0], 2), rowsOf(s[1], 3)
		scores, sum := make([]float64, n), 0.0
		for i, key := range keys {
			for j, k := range key {
				scores[i] += v[j][0] * math.Tanh(k+s[2][j])
			}
			sum += math.Exp(scores[i])
		}
		out := make([]float64, 3)
		for i, row := range values {
			weight := math.Exp(scores[i]) / sum
			out[0] += weight * row[0]
			out[1] += weight * row[1]
			out[2] += weight
		}
		return out
	}}.check(t)
}
