package sequence_test

import (
	"fmt"
	"math"
	"testing"

	"paddle/op"
	"paddle/sequence"
)

// neighbours returns the rows around row i, side by side, with those of padding outside.
func neighbours(rows, padding [][]float64, i, length, start, width int) (out []float64) {
	before := max(0, -start)
	for k := i + start; k < i+start+length; k++ {
		switch {
		case k >= 0 && k < len(rows):
			out = append(out, rows[k]...)
		case padding == nil:
			out = append(out, make([]float64, width)...)
		case k < 0:
			out = append(out, padding[before+k]...)
		default:
			out = append(out, padding[before+k-len(rows)]...)
		}
	}
	return out
}

// product returns x·w for w (len(x), columns).
func product(x []float64, w [][]float64) []float64 {
	y := make([]float64, len(w[0]))
	for i, v := range x {
		for j := range y {
			y[j] += v * w[i][j]
		}
	}
	return y
}

// matrix returns numbers that look random, as rows and as a constant of g.
func matrix(g *op.Graph, rows, columns int) ([][]float64, *op.Node) {
	out := make([]float64, rows*columns)
	for i := range out {
		out[i] = math.Sin(float64(7 * (i + 1)))
	}
	var node *op.Node
	if g != nil {
		node = g.Constant(tensorOf(out, rows, columns))
	}
	return rowsOf(out, columns), node
}

func TestContextProjection(t *testing.T) {
	for _, c := range []sequence.Context{sequence.Centred(1), sequence.Centred(3), sequence.Centred(4), {Length: 2, Start: 1}, {Length: 2, Start: -4}, {Length: 9, Start: -3}} {
		for _, padded := range []bool{false, true} {
			n := max(0, -c.Start) + max(0, c.Start+c.Length-1)
			var padding [][]float64
			if padded {
				padding, _ = matrix(nil, n, 2)
			}
			with := func(g *op.Graph) sequence.Context {
				d := c
				if padded && n > 0 {
					_, d.Padding = matrix(g, n, 2)
				}
				return d
			}
			name := fmt.Sprint("context ", c.Length, " from ", c.Start, " padded ", padded)
			unary(name, 2, func(x *sequence.Node) *op.Node { return sequence.ContextProjection(x, with(x.Graph())).Rows() },
				func(rows [][]float64) (out []float64) {
					for i := range rows {
						out = append(out, neighbours(rows, padding, i, c.Length, c.Start, 2)...)
					}
					return out
				}).check(t)
			unary("conv "+name, 2, func(x *sequence.Node) *op.Node {
				_, w := matrix(x.Graph(), 2*c.Length, 3)
				return sequence.Conv(x, w, with(x.Graph())).Rows()
			}, func(rows [][]float64) (out []float64) {
				w, _ := matrix(nil, 2*c.Length, 3)
				for i := range rows {
					out = append(out, product(neighbours(rows, padding, i, c.Length, c.Start, 2), w)...)
				}
				return out
			}).check(t)
		}
	}
}

func TestWindows(t *testing.T) {
	for _, length := range []int{1, 2, 4} {
		windows := func(rows [][]float64) (out [][]float64) {
			for i := range max(0, len(rows)-length+1) {
				out = append(out, neighbours(rows, nil, i, length, 0, 2))
			}
			return out
		}
		unary("windows", 2, func(x *sequence.Node) *op.Node { return sequence.Windows(x, length).Rows() }, func(rows [][]float64) (out []float64) {
			for _, w := range windows(rows) {
				out = append(out, w...)
			}
			return out
		}).check(t)
		unary("valid convolution and mean", 2, func(x *sequence.Node) *op.Node {
			_, w := matrix(x.Graph(), 2*length, 5)
			return sequence.Mean(sequence.ConvValid(x, w, length))
		}, func(rows [][]float64) (out []float64) {
			w, _ := matrix(nil, 2*length, 5)
			var products []float64
			for _, v := range windows(rows) {
				products = append(products, product(v, w)...)
			}
			return poolAlone(sequence.PoolMean, 5, products, 0)
		}).check(t)
	}
}

func TestRowConv(t *testing.T) {
	for _, future := range []int{1, 3, 8} {
		unary("row convolution", 2, func(x *sequence.Node) *op.Node {
			_, w := matrix(x.Graph(), future, 2)
			return sequence.RowConv(x, w).Rows()
		}, func(rows [][]float64) (out []float64) {
			w, _ := matrix(nil, future, 2)
			for i := range rows {
				y := make([]float64, 2)
				for j := 0; j < future && i+j < len(rows); j++ {
					for k := range y {
						y[k] += w[j][k] * rows[i+j][k]
					}
				}
				out = append(out, y...)
			}
			return out
		}).check(t)
	}
}
