package cpu

import (
	"errors"
	"math"
	"testing"

	"paddle/op"
)

func TestCrossEntropy(t *testing.T) {
	r, b := newRand(1), New()
	const ignore = -100
	for round, c := range []struct{ rows, classes int }{{1, 1}, {5, 3}, {700, 10}, {3, 5000}, {0, 4}} {
		b.SetThreads(1 + round%3)
		for _, d := range bothFloats {
			for _, ints := range []op.DType{op.Int32, op.Int64} {
				logits, dloss := random(r, d, c.rows, c.classes), random(r, d, c.rows)
				labels := op.NewBuffer(ints, c.rows)
				var wantLoss, wantLSE, wantDX []float64
				wantCount := 0
				const scale = 0.25
				for i := range c.rows {
					label := r.IntN(c.classes)
					lse, p, logp := softmaxReference(values(logits)[i*c.classes:][:c.classes])
					wantLSE = append(wantLSE, lse)
					if r.IntN(4) == 0 {
						set(labels, i, ignore)
						wantLoss, wantDX = append(wantLoss, 0), append(wantDX, make([]float64, c.classes)...)
						continue
					}
					set(labels, i, float64(label))
					wantCount++
					wantLoss = append(wantLoss, -logp[label])
					for j := range p {
						wantDX = append(wantDX, (p[j]-truth(j == label))*(scale+get(dloss, i)))
					}
				}
				loss, lse, dx := like(dloss), like(dloss), like(logits)
				count, err := b.CrossEntropy(ignore, logits, labels, loss, lse)
				if err != nil || count != wantCount {
					t.Fatalf("CrossEntropy counts %d rows, error %v, want %d", count, err, wantCount)
				}
				tol := 10 * tolerance(d)
				check(t, name("loss ", c), loss, wantLoss, tol)
				check(t, name("log-sum-exp ", c), lse, wantLSE, tol)
				b.CrossEntropyGrad(ignore, scale, logits, labels, lse, dloss, dx)
				check(t, name("gradient ", c), dx, wantDX, tol)

				logp, nll, dlogp := like(logits), like(loss), like(logits)
				b.Softmax(true, logits, logp)
				if count, err = b.NLL(ignore, logp, labels, nll); err != nil || count != wantCount {
					t.Fatalf("NLL counts %d rows, error %v, want %d", count, err, wantCount)
				}
				if string(nll.Bytes()) != string(loss.Bytes()) {
					t.Fatalf("%v: NLL of log Softmax is not bit for bit CrossEntropy", c)
				}
				b.NLLGrad(ignore, scale, labels, dloss, dlogp)
				b.SoftmaxGrad(true, logp, dlogp, dlogp)
				check(t, name("gradient in two steps ", c), dlogp, values(dx), tol)
				b.CrossEntropyGrad(ignore, scale, logits, labels, lse, dloss, logits)
				check(t, "gradient in place", logits, values(dx), 0)
			}
		}
	}
}

func TestCrossEntropyFarApart(t *testing.T) {
	b := New()
	for _, shift := range []float64{0, 1e4} {
		logits, labels := buffer(op.Float32, shift-500, shift+300, shift+450).Reshaped([]int{1, 3}), buffer(op.Int32, 0)
		loss, lse, dx := garbage(op.Float32, 1), garbage(op.Float32, 1), like(logits)
		if _, err := b.CrossEntropy(-1, logits, labels, loss, lse); err != nil {
			t.Fatal(err)
		}
		b.CrossEntropyGrad(-1, 1, logits, labels, lse, op.Buffer{}, dx)
		check(t, "loss", loss, []float64{950}, 0)
		check(t, "gradient", dx, []float64{-1, 0, 1}, 0)
	}
}

// TestCrossEntropyOfLargeLogits: the loss does not go through a rounded log-sum-exp.
func TestCrossEntropyOfLargeLogits(t *testing.T) {
	b := New()
	for d, v := range map[op.DType]float64{op.Float32: 1e6, op.Float64: 1e15} {
		logits, labels := buffer(d, v, v).Reshaped([]int{1, 2}), buffer(op.Int64, 1)
		loss, lse := garbage(d, 1), garbage(d, 1)
		if _, err := b.CrossEntropy(-1, logits, labels, loss, lse); err != nil {
			t.Fatal(err)
		}
		check(t, "loss", loss, []float64{math.Ln2}, 1e-7)
	}
}

func TestBadLabels(t *testing.T) {
	b := New()
	for _, ints := range []op.DType{op.Int32, op.Int64} {
		for _, c := range []struct {
			labels      []float64
			ignore      int64
			row, counts int
		}{
			{[]float64{0, 3, 1}, -1, 1, 0},
			{[]float64{0, -1, 3}, -1, 2, 0},
			{[]float64{-2, 1, 1}, -1, 0, 0},
			{[]float64{0, -1, 2}, -1, -1, 2},
			{[]float64{1, 255, 1}, 255, -1, 2},
			{[]float64{1, 0, 1}, 0, -1, 2},
		} {
			logits, labels := random(newRand(2), op.Float32, 3, 3), buffer(ints, c.labels...)
			loss, lse := op.NewBuffer(op.Float32, 3), op.NewBuffer(op.Float32, 3)
			count, err := b.CrossEntropy(c.ignore, logits, labels, loss, lse)
			again, errNLL := b.NLL(c.ignore, logits, labels, loss)
			var e, eNLL *op.RangeError
			if bad := errors.As(err, &e) && errors.As(errNLL, &eNLL); bad != (c.row >= 0) {
				t.Fatalf("labels %v: errors %v and %v", c.labels, err, errNLL)
			}
			if c.row < 0 {
				if count != c.counts || again != c.counts {
					t.Errorf("labels %v: counts %d and %d, want %d", c.labels, count, again, c.counts)
				}
				continue
			}
			if want := (op.RangeError{Row: c.row, Value: int64(c.labels[c.row]), Limit: 3}); *e != want || *eNLL != want {
				t.Errorf("labels %v: errors %+v and %+v, want %+v", c.labels, *e, *eNLL, want)
			}
			check(t, "loss after an error", loss, []float64{0, 0, 0}, 0)
			check(t, "log-sum-exp after an error", lse, []float64{0, 0, 0}, 0)
		}
	}
}

func TestCrossEntropyOfImpossibleRow(t *testing.T) {
	b, inf := New(), math.Inf(1)
	logits, labels := buffer(op.Float32, -inf, -inf).Reshaped([]int{1, 2}), buffer(op.Int32, 0)
	loss, lse, dx := garbage(op.Float32, 1), garbage(op.Float32, 1), like(logits)
	if _, err := b.CrossEntropy(-1, logits, labels, loss, lse); err != nil {
		t.Fatal(err)
	}
	b.CrossEntropyGrad(-1, 1, logits, labels, lse, op.Buffer{}, dx)
	check(t, "loss", loss, []float64{inf}, 0)
	check(t, "log-sum-exp", lse, []float64{-inf}, 0)
	check(t, "gradient", dx, []float64{0, 0}, 0)
}
