package cpu

import (
	"bytes"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"paddle/op"
)

// recurrentCase is a batch of sequences for a cell.
type recurrentCase struct {
	cell    *recurrentCell
	lengths []int // longest first
	steps   []int32
	hidden  int
	reverse bool
	with    map[string]bool // the optional inputs, and the gradients going in, that are there
}

// newRecurrentCase lays out sequences.
func newRecurrentCase(cell *recurrentCell, hidden int, reverse bool, lengths []int, with ...string) *recurrentCase {
	c := &recurrentCase{cell: cell, lengths: lengths, steps: []int32{0}, hidden: hidden, reverse: reverse, with: map[string]bool{}}
	for t := 0; len(lengths) > 0 && t < lengths[0]; t++ {
		width := int32(0)
		for _, n := range lengths {
			if n > t {
				width++
			}
		}
		c.steps = append(c.steps, c.steps[t]+width)
	}
	for _, name := range with {
		c.with[name] = true
	}
	return c
}

func (c *recurrentCase) rows() int  { return int(c.steps[len(c.steps)-1]) }
func (c *recurrentCase) batch() int { return len(c.lengths) }
func (c *recurrentCase) width() int { return c.cell.gates * c.hidden }

// shape returns the shape of an operand or a result.
func (c *recurrentCase) shape(name string) []int {
	n := c.hidden
	switch name {
	case "gates":
		return []int{c.rows(), c.width()}
	case "w":
		return []int{n, c.width()}
	case "peephole":
		return []int{3, n}
	case "bias":
		return []int{n}
	case "mask", "h0", "c0", "hLast", "cLast":
		return []int{c.batch(), n}
	}
	return []int{c.rows(), n} // h, c, inner
}

// buffers makes the operands of a case: the forward run has yet to come.
func (c *recurrentCase) buffers(r *rand.Rand, d op.DType) *recurrentBuffers {
	x := &recurrentBuffers{in: map[string]op.Buffer{}, out: map[string]op.Buffer{}, grad: map[string]op.Buffer{}}
	x.in["gates"], x.in["w"] = random(r, d, c.shape("gates")...), random(r, d, c.shape("w")...)
	scale := min(0.3, 1/math.Sqrt(float64(c.hidden))) // a linear cell must not grow without bounds
	for i := range x.in["w"].Len() {
		set(x.in["w"], i, get(x.in["w"], i)*scale)
	}
	for _, name := range c.cell.inputs {
		if c.with[name] {
			x.in[name] = random(r, d, c.shape(name)...)
		}
	}
	for _, name := range c.cell.results {
		x.out[name] = garbage(d, c.shape(name)...)
		if name != "gates" && name != "inner" && c.with["d"+name] {
			x.grad[name] = random(r, d, c.shape(name)...)
		}
	}
	x.out["gates"] = clone(x.in["gates"])
	return x
}

// forward runs the cell.
func (c *recurrentCase) forward(b *Backend, x *recurrentBuffers) {
	copy(x.out["gates"].Bytes(), x.in["gates"].Bytes())
	c.cell.run(b, c, x)
}

// backward runs the gradient of the cell, after forward.
func (c *recurrentCase) backward(b *Backend, x *recurrentBuffers) {
	c.gradients(x)
	c.cell.grad(b, c, x)
	c.cell.gradW(b, c, x)
}

// gradients makes the results of a gradient.
func (c *recurrentCase) gradients(x *recurrentBuffers) {
	d := x.in["w"].DType
	x.grad["gates"], x.grad["inner"] = clone(x.out["gates"]), like(x.in["gates"])
	x.grad["w"] = op.NewBuffer(d, c.shape("w")...)
	for _, name := range c.cell.inputs {
		switch {
		case name == "h0" || name == "c0":
			x.grad[name] = garbage(d, c.shape(name)...)
		case name != "mask" && c.with[name]:
			x.grad[name] = op.NewBuffer(d, c.shape(name)...)
		}
	}
}

// previous returns the states before every step.
func (c *recurrentCase) previous(b *Backend, x *recurrentBuffers) op.Buffer {
	before := like(x.out["h"])
	b.PreviousRows(c.steps, c.reverse, x.out["h"], x.in["h0"], x.in["mask"], before)
	return before
}

// addOuter computes y += aᵀ·b for columns lo to hi.
func addOuter(y, a, b op.Buffer, lo, hi int) {
	n, width := a.Shape[1], b.Shape[1]
	for row := range a.Shape[0] {
		for k := range n {
			for j := lo; j < hi; j++ {
				set(y, k*width+j, get(y, k*width+j)+get(a, row*n+k)*get(b, row*width+j))
			}
		}
	}
}

func tanhReference(x complex128) complex128 { return cmplx.Tanh(x) }

// complexes returns the inputs of a case for the reference.
func complexes(x map[string]op.Buffer) numbersByName {
	in := numbersByName{}
	for name, b := range x {
		for _, v := range values(b) {
			in[name] = append(in[name], complex(v, 0))
		}
	}
	return in
}

// eachRecurrent calls f with many cases of all cells.
func eachRecurrent(f func(c *recurrentCase)) {
	all := []string{"peephole", "bias", "mask", "h0", "c0", "dh", "dc", "dhLast", "dcLast"}
	for _, cell := range recurrentCells {
		for _, reverse := range []bool{false, true} {
			for hidden := 1; hidden <= 9; hidden++ {
				f(newRecurrentCase(cell, hidden, reverse, []int{4, 3, 3, 1, 0}, all...))
			}
			f(newRecurrentCase(cell, 3, reverse, []int{4, 3, 3, 1, 0}, "dh"))
			f(newRecurrentCase(cell, 3, reverse, []int{2, 2}, "dhLast", "c0"))
			f(newRecurrentCase(cell, 3, reverse, []int{5, 2, 1}, "dh", "mask"))
			f(newRecurrentCase(cell, 3, reverse, []int{3, 1, 0}, "dh", "h0", "dcLast"))
			f(newRecurrentCase(cell, 3, reverse, []int{2, 1}, "dc", "peephole", "bias"))
			f(newRecurrentCase(cell, 17, reverse, []int{3, 3, 2, 2, 2, 1, 1, 1}, all...))
			f(newRecurrentCase(cell, 5, reverse, []int{40, 2, 2, 1}, all...))
			f(newRecurrentCase(cell, 3, reverse, []int{0, 0}, all...))
			f(newRecurrentCase(cell, 3, reverse, nil, all...))
			f(newRecurrentCase(cell, 3, reverse, []int{1}, all...))
			if cell.gates == 4 && !reverse {
				f(newRecurrentCase(cell, 84, reverse, []int{6, 1, 1}, all...)) // the sums of gradients come in more than one block
			}
		}
	}
}

// name describes a case in failures.
func (c *recurrentCase) name() string {
	return name(c.cell.name, " of ", c.hidden, ", lengths ", c.lengths, ", reverse ", c.reverse, ", with ", c.with)
}

// recurrentTolerance is what the rounding of a few steps leaves.
func recurrentTolerance(d op.DType) float64 {
	if d == op.Float32 {
		return 3e-5
	}
	return 1e-12
}

func TestRecurrentForward(t *testing.T) {
	b := New()
	b.SetThreads(2)
	eachRecurrent(func(c *recurrentCase) {
		for _, d := range bothFloats {
			x := c.buffers(newRand(1), d)
			want := recurrentReference(c, complexes(x.in))
			c.forward(b, x)
			for _, result := range c.cell.results {
				check(t, c.name()+": "+result, x.out[result], reals(want[result]), recurrentTolerance(d))
			}
		}
	})
}

func reals(x []complex128) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = real(v)
	}
	return y
}

// TestRecurrentGrad compares the gradient of Σ results⊙random numbers to that of the reference.
func TestRecurrentGrad(t *testing.T) {
	b := New()
	b.SetThreads(2)
	eachRecurrent(func(c *recurrentCase) {
		for _, d := range bothFloats {
			x := c.buffers(newRand(2), d)
			c.forward(b, x)
			weights := map[string]op.Buffer{}
			for _, result := range c.cell.results {
				if g := x.grad[result]; !g.IsNil() {
					weights[result] = clone(g)
				}
			}
			c.backward(b, x)
			in := complexes(x.in)
			for _, input := range append([]string{"gates", "w"}, c.cell.inputs...) {
				if input != "mask" && c.with[input] || input == "gates" || input == "w" {
					want := exactGrad(c, in, in[input], weights)
					checkKnown(t, c.name()+": gradient of "+input, x.grad[input], want, 3*recurrentTolerance(d))
				}
			}
		}
	})
}

// checkKnown is check, but for elements that are not known.
func checkKnown(t *testing.T, what string, got op.Buffer, want []float64, tolerance float64) {
	t.Helper()
	for i, w := range want {
		if w != w {
			want[i] = get(got, i)
		}
	}
	check(t, what, got, want, tolerance)
}

// exactGrad returns the gradient of Σ weights⊙results for x, one of the inputs in, by complex steps. Of many elements some are left NaN, which
// means unknown.
func exactGrad(c *recurrentCase, in numbersByName, x []complex128, weights map[string]op.Buffer) []float64 {
	const step = 1e-100
	grad := make([]float64, len(x))
	every := 1 + c.rows()*c.hidden*c.width()/400
	for i := range x {
		if i%every != 0 {
			grad[i] = math.NaN()
			continue
		}
		x[i] += step * 1i
		for result, y := range recurrentReference(c, in) {
			if w := weights[result]; !w.IsNil() {
				for k, v := range y {
					grad[i] += get(w, k) * imag(v) / step
				}
			}
		}
		x[i] = complex(real(x[i]), 0)
	}
	return grad
}

// Rows do not depend on the other sequences: each gives the bits of a batch of its own.
func TestRecurrentAlone(t *testing.T) {
	b := New()
	b.SetThreads(2)
	eachRecurrent(func(c *recurrentCase) {
		for _, d := range bothFloats {
			x := c.buffers(newRand(3), d)
			c.forward(b, x)
			c.backward(b, x)
			for rank := range c.batch() {
				alone, y := c.alone(x, rank)
				alone.forward(b, y)
				alone.backward(b, y)
				for _, part := range []struct {
					name     string
					all, own map[string]op.Buffer
					names    []string
				}{{"result", x.out, y.out, c.cell.results}, {"gradient", x.grad, y.grad, []string{"gates", "h0", "c0"}}} {
					for _, n := range part.names {
						if want := c.rowsOf(part.all[n], n, rank); !bytes.Equal(part.own[n].Bytes(), want.Bytes()) {
							t.Fatalf("%s of %v: %s %s of rank %d has other bits alone: %v, not %v", c.name(), d, part.name, n, rank, values(part.own[n]), values(want))
						}
					}
				}
			}
		}
	})
}

// alone returns the case of one sequence.
func (c *recurrentCase) alone(x *recurrentBuffers, rank int) (*recurrentCase, *recurrentBuffers) {
	a := newRecurrentCase(c.cell, c.hidden, c.reverse, c.lengths[rank:rank+1])
	a.with = c.with
	y := a.buffers(newRand(4), x.in["w"].DType)
	for name, b := range x.in {
		y.in[name] = c.rowsOf(b, name, rank)
	}
	for _, name := range c.cell.results {
		if name != "gates" && !y.grad[name].IsNil() {
			y.grad[name] = c.rowsOf(x.grad[name], name, rank)
		}
	}
	return a, y
}

// rowsOf returns what one sequence has of an operand or result: rows of the steps, its row of the batch, or all.
func (c *recurrentCase) rowsOf(b op.Buffer, name string, rank int) op.Buffer {
	rows := sequenceRows(c.steps, false, rank)
	switch name {
	case "w", "peephole", "bias":
		return b
	case "mask", "h0", "c0", "hLast", "cLast":
		rows = []int{rank}
	}
	if b.IsNil() {
		return b
	}
	y := op.NewBuffer(b.DType, len(rows), b.Shape[1])
	size := b.Shape[1] * b.DType.Size()
	for i, row := range rows {
		copy(y.Bytes()[i*size:][:size], b.Bytes()[row*size:])
	}
	return y
}
