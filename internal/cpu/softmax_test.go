package cpu

import (
	"math"
	"testing"

	"paddle/op"
)

// softmaxReference computes the log-sum-exp, the softmax and its logarithm of a row, in float64.
func softmaxReference(x []float64) (lse float64, y, logy []float64) {
	m := math.Inf(-1)
	for _, v := range x {
		m = math.Max(m, v)
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(v - m)
	}
	lse = m + math.Log(sum)
	for _, v := range x {
		y = append(y, math.Exp(v-lse))
		logy = append(logy, v-lse)
	}
	return lse, y, logy
}

func TestSoftmax(t *testing.T) {
	r, b := newRand(1), New()
	for round, shape := range [][]int{{1, 1}, {3, 7}, {2, 3, 10}, {0, 4}, {5, 3000}, {1000, 3}, {9}} {
		b.SetThreads(1 + round%3)
		for _, d := range bothFloats {
			x, dy := random(r, d, shape...), random(r, d, shape...)
			b.Unary(op.UnaryMulConst, 5, 0, x, x)
			rows, width := lastAxis(x)
			var wantLSE, wantY, wantLog, wantDX, wantLogDX []float64
			for i := range rows {
				row, drow := values(x)[i*width:][:width], values(dy)[i*width:][:width]
				lse, y, logy := softmaxReference(row)
				wantLSE, wantY, wantLog = append(wantLSE, lse), append(wantY, y...), append(wantLog, logy...)
				dot, sum := 0.0, 0.0
				for j := range y {
					dot += y[j] * drow[j]
					sum += drow[j]
				}
				for j := range y {
					wantDX = append(wantDX, y[j]*(drow[j]-dot))
					wantLogDX = append(wantLogDX, drow[j]-y[j]*sum)
				}
			}
			lse, y, logy, dx := garbage(d, rows), like(x), like(x), like(x)
			tol := 20 * tolerance(d)
			b.LogSumExp(x, lse)
			check(t, name("LogSumExp of ", shape), lse, wantLSE, tol)
			b.Softmax(false, x, y)
			check(t, name("Softmax of ", shape), y, wantY, tol)
			b.Softmax(true, x, logy)
			check(t, name("log Softmax of ", shape), logy, wantLog, tol)
			b.SoftmaxGrad(false, y, dy, dx)
			check(t, name("SoftmaxGrad of ", shape), dx, wantDX, tol)
			b.SoftmaxGrad(true, logy, dy, dx)
			check(t, name("log SoftmaxGrad of ", shape), dx, wantLogDX, 5*tol)
			b.Softmax(false, x, x)
			check(t, "Softmax in place", x, values(y), 0)
			b.SoftmaxGrad(true, logy, dy, dy)
			check(t, "log SoftmaxGrad in place", dy, values(dx), 0)
		}
	}
}

func TestSoftmaxOfInfinities(t *testing.T) {
	b, inf := New(), math.Inf(1)
	for _, d := range bothFloats {
		x := buffer(d, -inf, -inf, -inf, 2, 1e4, 1e4+1, -inf, 1e30).Reshaped([]int{4, 2})
		lse, y := garbage(d, 4), like(x)
		b.LogSumExp(x, lse)
		check(t, "LogSumExp", lse, []float64{-inf, 2, 1e4 + 1.3132617, 1e30}, 1e-7)
		p := logistic(1)
		b.Softmax(false, x, y)
		check(t, "Softmax", y, []float64{0, 0, 0, 1, 1 - p, p, 0, 1}, 1e-6)
		dx := like(x)
		b.SoftmaxGrad(false, y, buffer(d, 1, 2, 3, 4, 5, 5, 6, 7).Reshaped([]int{4, 2}), dx)
		check(t, "SoftmaxGrad", dx, make([]float64, 8), 1e-6)
		b.Softmax(true, x, y)
		check(t, "log Softmax", y, []float64{-inf, -inf, -inf, 0, math.Log(1 - p), math.Log(p), -inf, 0}, 1e-6)
		b.SoftmaxGrad(true, y, buffer(d, 1, 2, 0, 4, 1, 1, 0, 7).Reshaped([]int{4, 2}), dx)
		check(t, "log SoftmaxGrad", dx, []float64{0, 0, 0, 0, 1 - 2*(1-p), 1 - 2*p, 0, 0}, 1e-6)
	}
	x := buffer(op.Float32, 1, math.Inf(1))
	lse := garbage(op.Float32, 1)
	b.LogSumExp(x, lse)
	check(t, "LogSumExp of +Inf", lse, []float64{inf}, 0)
	b.LogSumExp(op.NewBuffer(op.Float32, 2, 0), garbage(op.Float32, 2))
}
