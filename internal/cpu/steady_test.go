package cpu

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"paddle/op"
)

// steadyCall is a call of one primitive on sizes that are divided into several parts. prepare makes its buffers; out are those written.
type steadyCall struct {
	name    string
	prepare func(r *rand.Rand, d op.DType) (run func(b *Backend), out []op.Buffer)
}

func steadyCalls() []steadyCall {
	key := op.Key{Seed: 1, Node: 2, Step: 3}
	adam := op.AdamSpec{LearningRate: 0.1, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8, Step: 2}
	channels := []op.ChannelSpec{{Outer: 9, Channels: 7, Inner: 601}, {Outer: 4001, Channels: 9, Inner: 1}, {Outer: 1, Channels: 1, Inner: 50001}}
	outs := func(b ...op.Buffer) []op.Buffer { return b }
	var calls []steadyCall
	add := func(name string, prepare func(r *rand.Rand, d op.DType) (func(b *Backend), []op.Buffer)) {
		calls = append(calls, steadyCall{name, prepare})
	}
	var xs, zs [op.Float64 + 1]op.Buffer
	for _, d := range bothFloats {
		xs[d], zs[d] = random(newRand(1), d, 203, 101), random(newRand(2), d, 203, 101)
	}
	simple := func(name string, run func(b *Backend, x, z, y op.Buffer)) {
		add(name, func(r *rand.Rand, d op.DType) (func(b *Backend), []op.Buffer) {
			x, z, y := clone(xs[d]), clone(zs[d]), garbage(d, 203, 101)
			return func(b *Backend) { run(b, x, z, y) }, outs(y)
		})
	}
	simple("Fill", func(b *Backend, x, z, y op.Buffer) { b.Fill(y, 1.5) })
	simple("Copy", func(b *Backend, x, z, y op.Buffer) {
		b.Copy(op.Move{Rank: 2, Shape: [8]int{101, 203}, From: [8]int{1, 101}, To: [8]int{203, 1}}, x, y)
	})
	for f := range op.UnaryIsFinite {
		simple(name("Unary ", f), func(b *Backend, x, z, y op.Buffer) { b.Unary(f, 0.5, 0.7, x, y) })
		simple(name("UnaryGrad ", f), func(b *Backend, x, z, y op.Buffer) { b.UnaryGrad(f, 0.5, 0.7, x, x, z, y) })
	}
	for f := range op.BinaryEqual {
		simple(name("Binary ", f), func(b *Backend, x, z, y op.Buffer) { b.Binary(f, x, z, y) })
	}
	simple("Softmax", func(b *Backend, x, z, y op.Buffer) { b.Softmax(false, x, y) })
	simple("log Softmax", func(b *Backend, x, z, y op.Buffer) { b.Softmax(true, x, y) })
	simple("SoftmaxGrad", func(b *Backend, x, z, y op.Buffer) { b.SoftmaxGrad(false, x, z, y) })
	simple("log SoftmaxGrad", func(b *Backend, x, z, y op.Buffer) { b.SoftmaxGrad(true, x, z, y) })
	simple("Uniform", func(b *Backend, x, z, y op.Buffer) { b.Uniform(key, 0, 1, y) })
	simple("Normal", func(b *Backend, x, z, y op.Buffer) { b.Normal(key, 0, 1, y) })
	simple("Dropout", func(b *Backend, x, z, y op.Buffer) { b.Dropout(key, 0.3, x, y) })
	simple("UpdateSGD", func(b *Backend, x, z, y op.Buffer) { b.UpdateSGD(y, op.Buffer{}, x, 0.1) })
	simple("UpdateAdam", func(b *Backend, x, z, y op.Buffer) {
		b.Unary(op.UnarySquare, 0, 0, z, z)
		b.UpdateAdam(y, op.Buffer{}, x, z, z, adam)
	})
	simple("UpdateAdaGrad", func(b *Backend, x, z, y op.Buffer) {
		b.Unary(op.UnarySquare, 0, 0, z, z)
		b.UpdateAdaGrad(y, op.Buffer{}, x, z, 0.1, 1e-6)
	})
	simple("UpdateMomentum", func(b *Backend, x, z, y op.Buffer) {
		b.UpdateMomentum(y, op.Buffer{}, x, z, op.MomentumSpec{LearningRate: 0.1, Momentum: 0.9})
	})
	add("Cast", func(r *rand.Rand, d op.DType) (func(b *Backend), []op.Buffer) {
		x, y, z := random(r, d, 30011), garbage(op.BFloat16, 30011), garbage(op.Int32, 30011)
		back := garbage(d, 30011)
		return func(b *Backend) {
			b.Cast(x, y)
			b.Cast(x, z)
			b.Cast(z, y)
			b.Cast(y, back)
		}, outs(y, z, back)
	})
	add("broadcasting and Where", func(r *rand.Rand, d op.DType) (func(b *Backend), []op.Buffer) {
		x, row, column := random(r, d, 203, 101), random(r, d, 101), random(r, d, 203, 1)
		y, z, less := garbage(d, 203, 101), garbage(d, 203, 101), garbage(op.Bool, 203, 101)
		return func(b *Backend) {
			b.Binary(op.BinaryAdd, x, row, y)
			b.Binary(op.BinaryMul, column, y, y)
			b.Binary(op.BinaryLess, x, column, less)
			b.Where(less, x, row, z)
		}, outs(y, z, less)
	})
	for axes := range uint32(8) {
		add(name("Reduce ", axes), func(r *rand.Rand, d op.DType) (func(b *Backend), []op.Buffer) {
			x := random(r, d, 61, 33, 29)
			var shape []int
			for k, n := range x.Shape {
				if axes>>k&1 == 0 {
					shape = append(shape, n)
				}
			}
			var y [op.ReduceAll]op.Buffer
			for f := range y {
				y[f] = garbage(d, shape...)
			}
			return func(b *Backend) {
				for f := range y {
					b.Reduce(op.ReduceFunc(f), axes, x, y[f])
				}
			}, y[:]
		})
	}
	add("Arg, SumSquares, LogSumExp", func(r *rand.Rand, d op.DType) (func(b *Backend), []op.Buffer) {
		x, places, lse, sum := random(r, d, 203, 301), garbage(op.Int32, 203), garbage(d, 203), op.NewBuffer(op.Float64)
		return func(b *Backend) {
			b.Arg(true, 1, x, places)
			b.LogSumExp(x, lse)
			sum.Float64s()[0] = b.SumSquares(x)
		}, outs(places, lse, sum)
	})
	for _, c := range channels {
		add(name("channels ", c), func(r *rand.Rand, d op.DType) (func(b *Backend), []op.Buffer) {
			x, dy := random(r, d, c.Outer, c.Channels, c.Inner), random(r, d, c.Outer, c.Channels, c.Inner)
			gamma, y, dx := random(r, d, c.Channels), like(x), like(x)
			mean, variance, dgamma, dbeta := like(gamma), like(gamma), like(gamma), like(gamma)
			return func(b *Backend) {
				n := op.NormSpec{ChannelSpec: c, Epsilon: 1e-5}
				b.BatchNorm(n, x, gamma, gamma, mean, variance, y)
				b.NormalizeGrad(n, x, mean, variance, gamma, gamma, dy, dx, dgamma, dbeta)
			}, outs(mean, variance, y, dx, dgamma, dbeta)
		})
	}
	add("CrossEntropy and NLL", func(r *rand.Rand, d op.DType) (func(b *Backend), []op.Buffer) {
		x, labels := random(r, d, 303, 51), someIDs(r, op.Int64, 303, 51, 60)
		loss, nll, lse, dx, dlogp := garbage(d, 303), garbage(d, 303), garbage(d, 303), like(x), like(x)
		return func(b *Backend) {
			b.CrossEntropy(60, x, labels, loss, lse)
			b.CrossEntropyGrad(60, 0.1, x, labels, lse, loss, dx)
			b.NLL(60, x, labels, nll)
			b.NLLGrad(60, 0.1, labels, op.Buffer{}, dlogp)
		}, outs(loss, nll, lse, dx, dlogp)
	})
	add("rows by id", func(r *rand.Rand, d op.DType) (func(b *Backend), []op.Buffer) {
		table, ids, w, m := random(r, d, 500, 24), someIDs(r, op.Int32, 2001, 500, 3), random(r, d, 500, 24), random(r, d, 500, 24)
		rows, sums, merged, mergedRows := garbage(d, 2001, 24), op.NewBuffer(d, 500, 24), op.NewBuffer(op.Int32, 2001), op.NewBuffer(d, 2001, 24)
		idShape, rowShape := []int{0}, []int{0, 0}
		return func(b *Backend) {
			b.Gather(3, table, ids, rows)
			b.ScatterAdd(3, ids, rows, sums)
			n := b.MergeRows(3, ids, rows, merged, mergedRows)
			b.UpdateMomentum(w, merged.Rows(0, n, idShape), mergedRows.Rows(0, n, rowShape), m, op.MomentumSpec{LearningRate: 0.1, Momentum: 0.9})
		}, outs(rows, sums, merged, mergedRows, w, m)
	})
	return calls
}

// TestSameBitsAtAnyThreads runs every call at several numbers of threads, with as many processors as threads.
func TestSameBitsAtAnyThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	b := New()
	for _, c := range steadyCalls() {
		for _, d := range bothFloats {
			var want []op.Buffer
			for _, threads := range []int{1, 2, 3, 8} {
				b.SetThreads(threads)
				run, out := c.prepare(newRand(1), d)
				run(b)
				for i := range want {
					if string(out[i].Bytes()) != string(want[i].Bytes()) {
						t.Errorf("%s of %v: output %d differs at %d threads", c.name, d, i, threads)
					}
				}
				if want == nil {
					want = out
				}
			}
		}
	}
}

func TestNoAllocations(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := New()
	for _, c := range steadyCalls() {
		for _, d := range bothFloats {
			run, _ := c.prepare(newRand(1), d)
			for _, threads := range []int{1, 2} {
				b.SetThreads(threads)
				if n := allocations(func() { run(b) }); n != 0 {
					t.Errorf("%s of %v allocates %d times at %d threads", c.name, d, n, threads)
				}
			}
		}
	}
}

// allocations returns how many allocations a call of f makes once it has been called: the least of many tries, for the runtime allocates
// too, when it starts threads and when goroutines wait. testing.AllocsPerRun would do it on one processor only, where no helper runs.
func allocations(f func()) uint64 {
	f()
	least := uint64(1000)
	for range 200 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		if least = min(least, after.Mallocs-before.Mallocs); least == 0 {
			break
		}
	}
	return least
}
