package cpu

import (
	"bytes"
	"sync"
	"testing"

	"paddle/op"
)

// newWeight returns a variable with random values, and a buffer of it beside which a Backend may keep what it makes of it.
func newWeight(t *testing.T, d op.DType, shape ...int) (*op.Variable, op.Buffer) {
	t.Helper()
	v := new(op.Variable)
	if err := v.Define(d, nil, shape...); err != nil {
		t.Fatal(err)
	}
	if err := v.Allocate(New(), 0, "weight"); err != nil {
		t.Fatal(err)
	}
	if err := v.Assign(random(newRand(3), d, shape...)); err != nil {
		t.Fatal(err)
	}
	return v, v.Memory().WithDerived(op.NewDerived(v))
}

// A weight gives the same bits packed as it is, for all rows and epilogues, and after it has changed.
func TestMatMulByAWeight(t *testing.T) {
	r := newRand(5)
	b := New()
	b.SetThreads(2)
	for _, d := range bothFloats {
		for _, trans := range []bool{false, true} {
			v, weight := newWeight(t, d, 130, 130)
			bias := random(r, d, 130)
			for round := range 3 {
				for _, m := range []int{1, 2, 3, 7, 40} {
					for call := range 4 {
						g := op.MatMulSpec{M: m, N: 130, K: 130, Batch: 1 + call%2, SharedB: true, TransB: trans, Act: op.ActTanh}
						x, got := random(r, d, g.Batch, m, 130), garbage(d, g.Batch, m, 130)
						want := like(got)
						b.MatMul(g, x, v.Memory(), bias, want)
						b.MatMul(g, x, weight, bias, got)
						if !bytes.Equal(got.Bytes(), want.Bytes()) {
							t.Errorf("%v %+v, round %d: call %d gives other bits than with the weight alone", d, g, round, call)
						}
					}
				}
				if err := v.Assign(random(r, d, 130, 130)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// A weight that holds a matrix for each product of a batch is used as it is.
func TestMatMulByABatchOfWeights(t *testing.T) {
	_, weight := newWeight(t, op.Float32, 3, 20, 30)
	x, got, want := random(newRand(1), op.Float32, 3, 5, 20), garbage(op.Float32, 3, 5, 30), garbage(op.Float32, 3, 5, 30)
	b, g := New(), op.MatMulSpec{M: 5, N: 30, K: 20, Batch: 3}
	b.MatMul(g, x, weight.WithDerived(nil), op.Buffer{}, want)
	for range 3 {
		if b.MatMul(g, x, weight, op.Buffer{}, got); !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Error("other numbers than by the matrices alone")
		}
	}
}

// Once a weight is packed its own memory is not read: nothing else can be what makes a call quicker.
func TestMatMulReadsThePackedWeight(t *testing.T) {
	_, weight := newWeight(t, op.Float32, 64, 64)
	x, y := random(newRand(1), op.Float32, 1, 64), garbage(op.Float32, 1, 64)
	b, g := New(), op.MatMulSpec{M: 1, N: 64, K: 64, Batch: 1}
	for range 3 {
		b.MatMul(g, x, weight, op.Buffer{}, y)
	}
	want := clone(y)
	clear(weight.Bytes()) // without a lock, so that nobody knows
	if b.MatMul(g, x, weight, op.Buffer{}, y); !bytes.Equal(y.Bytes(), want.Bytes()) {
		t.Error("a product reads the weight, which it has packed before")
	}
}

// Backends of many runs share what is packed of a weight, and pack it anew when it has changed, without allocating.
func TestMatMulByAWeightThatChanges(t *testing.T) {
	v, weight := newWeight(t, op.Float32, 100, 70)
	var runs sync.WaitGroup
	for k := range 8 {
		runs.Go(func() {
			b, m := New(), 1+k%4*3
			g := op.MatMulSpec{M: m, N: 70, K: 100, Batch: 1}
			x, got, want := random(newRand(uint64(k)), op.Float32, m, 100), garbage(op.Float32, m, 70), garbage(op.Float32, m, 70)
			for range 300 {
				v.RLock()
				b.MatMul(g, x, v.Memory(), op.Buffer{}, want)
				b.MatMul(g, x, weight, op.Buffer{}, got)
				v.RUnlock()
				if !bytes.Equal(got.Bytes(), want.Bytes()) {
					t.Errorf("%d rows: other bits than by the weight as it was during the call", m)
					return
				}
			}
		})
	}
	for range 100 {
		if err := v.Assign(random(newRand(7), op.Float32, 100, 70)); err != nil {
			t.Error(err)
		}
	}
	runs.Wait()
}

func TestMatMulByAWeightAllocatesNothing(t *testing.T) {
	v, weight := newWeight(t, op.Float32, 100, 70)
	b := New()
	var calls []func()
	for _, m := range []int{1, 9, 2, 30} {
		g := op.MatMulSpec{M: m, N: 70, K: 100, Batch: 1}
		x, y := random(newRand(1), op.Float32, m, 100), garbage(op.Float32, m, 70)
		calls = append(calls, func() { b.MatMul(g, x, weight, op.Buffer{}, y) })
	}
	if n := allocations(func() {
		for range 3 {
			v.Lock()
			v.Unlock() //lint:ignore SA2001 that it was locked says that it may have changed
			for range 3 {
				for _, call := range calls {
					call()
				}
			}
		}
	}); n != 0 {
		t.Errorf("products by a weight that changes allocate %d times", n)
	}
}
