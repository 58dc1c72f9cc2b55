package cpu

import (
	"bytes"
	"math"
	"runtime"
	"testing"

	"paddle/op"
)

// unevenLengths are lengths of which no division among threads is even: one is long, many are short, some are nothing.
var unevenLengths = []int{61, 30, 30, 29, 20, 11, 11, 11, 10, 9, 9, 8, 7, 7, 5, 5, 5, 5, 4, 3, 3, 2, 2, 1, 1, 1, 1, 1, 0, 0}

// eachUneven calls f with a batch that is divided among threads, of every cell.
func eachUneven(f func(c *recurrentCase, d op.DType)) {
	for _, cell := range recurrentCells {
		for _, reverse := range []bool{false, true} {
			for _, d := range bothFloats {
				f(newRecurrentCase(cell, 84, reverse, unevenLengths, "peephole", "bias", "mask", "h0", "c0", "dh", "dcLast"), d)
			}
		}
	}
}

// prepared returns the operands of a case for runs that allocate nothing, and what both runs write.
func (c *recurrentCase) prepared(d op.DType) (x *recurrentBuffers, before op.Buffer, run func(b *Backend)) {
	x = c.buffers(newRand(5), d)
	c.gradients(x)
	before = like(x.out["h"])
	return x, before, func(b *Backend) {
		c.forward(b, x)
		copy(x.grad["gates"].Bytes(), x.out["gates"].Bytes())
		c.cell.grad(b, c, x)
		b.PreviousRows(c.steps, c.reverse, x.out["h"], x.in["h0"], x.in["mask"], before)
	}
}

// written returns the results by name.
func (x *recurrentBuffers) written(before op.Buffer) map[string]op.Buffer {
	all := map[string]op.Buffer{"before": before}
	for name, b := range x.out {
		all[name] = b
	}
	for _, name := range []string{"gates", "h0", "c0", "inner", "peephole"} {
		all["gradient of "+name] = x.grad[name]
	}
	return all
}

func TestRecurrentSameBitsAtAnyThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	b := New()
	eachUneven(func(c *recurrentCase, d op.DType) {
		var want map[string]op.Buffer
		for _, threads := range []int{1, 2, 3, 8} {
			b.SetThreads(threads)
			x, before, run := c.prepared(d)
			run(b)
			got := x.written(before)
			if want == nil {
				want = got
			}
			for name := range want {
				if !bytes.Equal(got[name].Bytes(), want[name].Bytes()) {
					t.Errorf("%s of %v: %s differs at %d threads", c.name(), d, name, threads)
				}
			}
		}
	})
}

func TestRecurrentAllocatesNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := New()
	eachUneven(func(c *recurrentCase, d op.DType) {
		_, _, run := c.prepared(d)
		for _, threads := range []int{1, 2} {
			b.SetThreads(threads)
			if n := allocations(func() { run(b) }); n != 0 {
				t.Errorf("%s of %v allocates %d times at %d threads", c.name(), d, n, threads)
			}
		}
	})
}

// NaN and infinities of one sequence do not reach any other.
func TestRecurrentKeepsNaNToItsSequence(t *testing.T) {
	b := New()
	eachRecurrent(func(c *recurrentCase) {
		if c.batch() < 3 || c.lengths[1] == 0 {
			return
		}
		for _, d := range bothFloats {
			clean, dirty := c.buffers(newRand(6), d), c.buffers(newRand(6), d)
			for rank, v := range []float64{math.NaN(), math.Inf(1)} {
				rows := sequenceRows(c.steps, c.reverse, rank)
				row := rows[len(rows)/2]
				for j := range c.width() {
					set(dirty.in["gates"], row*c.width()+j, v)
				}
				if dh := dirty.grad["h"]; !dh.IsNil() {
					set(dh, row*c.hidden, v)
				}
			}
			for _, x := range []*recurrentBuffers{clean, dirty} {
				c.forward(b, x)
				c.backward(b, x)
			}
			for rank := 2; rank < c.batch(); rank++ {
				for _, name := range []string{"h", "hLast", "c", "cLast"} {
					if !bytes.Equal(c.rowsOf(clean.out[name], name, rank).Bytes(), c.rowsOf(dirty.out[name], name, rank).Bytes()) {
						t.Fatalf("%s of %v: %s of rank %d saw another sequence", c.name(), d, name, rank)
					}
				}
				for _, name := range []string{"gates", "h0", "c0"} {
					if !bytes.Equal(c.rowsOf(clean.grad[name], name, rank).Bytes(), c.rowsOf(dirty.grad[name], name, rank).Bytes()) {
						t.Fatalf("%s of %v: gradient of %s of rank %d saw another sequence", c.name(), d, name, rank)
					}
				}
			}
			rows := sequenceRows(c.steps, c.reverse, 0)
			if got := get(dirty.out["h"], rows[len(rows)/2]*c.hidden); !math.IsNaN(got) {
				t.Fatalf("%s of %v: NaN became %v", c.name(), d, got)
			}
		}
	})
}

// The running gradient may begin in place of the last one, and the gradients of a simple cell's gates may replace those of its states.
func TestRecurrentGradInPlace(t *testing.T) {
	b := New()
	for _, cell := range recurrentCells {
		c := newRecurrentCase(cell, 5, true, []int{4, 2, 0}, "dh", "dhLast", "dcLast")
		apart, shared := c.buffers(newRand(7), op.Float64), c.buffers(newRand(7), op.Float64)
		for _, x := range []*recurrentBuffers{apart, shared} {
			c.forward(b, x)
			c.gradients(x)
		}
		shared.grad["h0"], shared.grad["c0"] = shared.grad["hLast"], shared.grad["cLast"]
		if cell.gates == 1 {
			shared.grad["gates"] = shared.grad["h"]
		}
		cell.grad(b, c, apart)
		cell.grad(b, c, shared)
		for _, name := range []string{"gates", "h0", "c0"} {
			if !bytes.Equal(shared.grad[name].Bytes(), apart.grad[name].Bytes()) {
				t.Errorf("%s: gradient of %s differs in place", c.name(), name)
			}
		}
	}
}

// Steps of more rows than are computed at a time give each row the bits that it has alone.
func TestRecurrentManyRows(t *testing.T) {
	b := New()
	lengths := make([]int, 450)
	for i := range lengths {
		lengths[i] = 1 + (len(lengths)-i)/300
	}
	for _, cell := range recurrentCells {
		for _, reverse := range []bool{false, true} {
			c := newRecurrentCase(cell, 84, reverse, lengths, "mask", "h0", "dh")
			x := c.buffers(newRand(8), op.Float32)
			for _, rank := range []int{0, 151, 230, 449} {
				alone, y := c.alone(x, rank)
				for _, p := range []struct {
					c *recurrentCase
					x *recurrentBuffers
				}{{c, x}, {alone, y}} {
					p.c.forward(b, p.x)
					p.c.gradients(p.x)
					p.c.cell.grad(b, p.c, p.x)
				}
				for _, name := range []string{"gates", "h0"} {
					if !bytes.Equal(y.grad[name].Bytes(), c.rowsOf(x.grad[name], name, rank).Bytes()) {
						t.Errorf("%s of %d sequences: gradient of %s of rank %d has other bits alone", cell.name, len(lengths), name, rank)
					}
				}
				if !bytes.Equal(y.out["h"].Bytes(), c.rowsOf(x.out["h"], "h", rank).Bytes()) {
					t.Errorf("%s of %d sequences: h of rank %d has other bits alone", cell.name, len(lengths), rank)
				}
			}
		}
	}
}
