package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// recurrents writes the cells of recurrent layers for float32; see kernel.cellTable. What a cell reads of memory it has just been
// multiplied into, so that one pass over the rows is all there is.
func recurrents() {
	for _, peephole := range []bool{false, true} {
		lstm(peephole)
		lstmGrad(peephole)
	}
	grus()
	gruGrads()
}

// wideRecurrents writes them for AVX-512.
func wideRecurrents() {
	widen()
	recurrents()
}

// operand is a matrix, or one of several side by side in a matrix, that a cell reads or writes a row of.
type operand struct {
	name, slice string // its own, and that of the parameter that holds it
	at, of      int    // which of how many
	row         string // the parameter that says how far apart rows are, if they do not follow one another
}

// matrices returns operands that are matrices of their own.
func matrices(names ...string) (all []operand) {
	for _, name := range names {
		all = append(all, operand{name: name, slice: name, of: 1})
	}
	return all
}

// sideBySide returns the operands that lie in one matrix.
func sideBySide(slice string, names ...string) (all []operand) {
	for i, name := range names {
		all = append(all, operand{name: name, slice: slice, at: i, of: len(names)})
	}
	return all
}

// strided returns a matrix whose rows are as far apart as the parameter with Row at its end says: not at all for a row of zeros.
func strided(name string) operand { return operand{name: name, slice: name, row: name + "Row"} }

// cells writes a function that does for each of rows rows of n elements first one body for all elements and then the next: each so short
// that the processor computes several vectors at a time.
func cells(name, parameters, doc string, all []operand, bodies ...func(w *walk)) {
	e := float32s
	name += "_" + e.bits
	TEXT(name, NOSPLIT, "func(rows, n int, "+parameters+")")
	Doc(name + " computes " + doc + ".")
	Pragma("noescape")
	w := &walk{element: e, most: 2, first: map[string]reg.GPVirtual{}}
	for _, c := range all {
		w.first[c.name] = base(c.slice)
		if c.at > 0 {
			ADDQ(rowsOf(e, c.at), w.first[c.name])
		}
	}
	rows := param("rows")
	Label("row")
	for i, body := range bodies {
		w.run(fmt.Sprintf("body%d_", i), param("n"), func() { body(w) })
	}
	steps := map[int]reg.GPVirtual{}
	for _, c := range all {
		step, ok := steps[c.of]
		switch {
		case c.row != "":
			step = byteParam(e, c.row)
		case !ok:
			step = rowsOf(e, c.of)
			steps[c.of] = step
		}
		ADDQ(step, w.first[c.name])
	}
	DECQ(rows)
	JNZ(LabelRef("row"))
	end()
}

// rowsOf returns the bytes of k rows of n elements.
func rowsOf(e element, k int) reg.GPVirtual {
	n := byteParam(e, "n")
	if k > 1 {
		IMUL3Q(Imm(uint64(k)), n, n)
	}
	return n
}

// common returns the elements at hand of a vector that is the same for all rows: no register is kept for it.
func (w *walk) common(name string) vec {
	w.first[name] = base(name)
	return w.load(name)
}

// lstm writes the forward step of LSTM.
func lstm(peephole bool) {
	e := float32s
	name, more, doc := "lstm", "", "cellTable.lstm without peepholes"
	if peephole {
		name, more, doc = "lstmPeephole", "peepI, peepF, peepO, ", "cellTable.lstm with peepholes"
	}
	gate := func(w *walk, name, weight, seen string) vec {
		x := w.load(name)
		if peephole {
			e.addProduct(x, w.load(seen), w.common(weight))
		}
		x = sigmoid32(x)
		w.store(x, name)
		return x
	}
	all := append(sideBySide("gates", "i", "f", "g", "o"), strided("before"))
	cells(name, "gates, "+more+"before []float32, beforeRow int, c, h []float32", doc, append(all, matrices("c", "h")...),
		func(w *walk) {
			c := quickTanh(w.load("g"))
			w.store(c, "g")
			c = e.times(c, gate(w, "i", "peepI", "before"))
			f := gate(w, "f", "peepF", "before")
			e.addProduct(c, f, w.in("before"))
			w.store(c, "c")
		},
		func(w *walk) {
			h := gate(w, "o", "peepO", "c")
			w.store(e.times(h, quickTanh(w.load("c"))), "h")
		})
}

// lstmGrad writes the backward step of LSTM.
func lstmGrad(peephole bool) {
	e := float32s
	name, more, doc := "lstmGrad", "", "cellTable.lstmGrad without peepholes"
	if peephole {
		name, more, doc = "lstmPeepholeGrad", "peepI, peepF, peepO, ", "cellTable.lstmGrad with peepholes"
	}
	all := append(sideBySide("gates", "i", "f", "g", "o"), strided("before"), strided("dy"))
	parameters := "gates, " + more + "before []float32, beforeRow int, c, dy []float32, dyRow int, dh, dc []float32"
	cells(name, parameters, doc, append(all, matrices("c", "dh", "dc")...),
		func(w *walk) {
			t := quickTanh(w.load("c"))
			dh, o, dc := e.plus(w.load("dh"), w.in("dy")), w.load("o"), w.load("dc")
			e.addProduct(dc, e.times(dh, o), tanhSlope(t))
			do := e.times(e.times(dh, t), sigmoidSlope(o))
			w.store(do, "o")
			if peephole {
				e.addProduct(dc, do, w.common("peepO"))
			}
			w.store(dc, "dc")
		},
		func(w *walk) {
			i, f, g, dc := w.load("i"), w.load("f"), w.load("g"), w.load("dc")
			di := e.times(e.times(dc, g), sigmoidSlope(i))
			df := e.times(e.times(dc, w.in("before")), sigmoidSlope(f))
			w.store(di, "i")
			w.store(df, "f")
			w.store(e.times(e.times(dc, i), tanhSlope(g)), "g")
			dc = e.times(dc, f)
			if peephole {
				e.addProduct(dc, di, w.common("peepI"))
				e.addProduct(dc, df, w.common("peepF"))
			}
			w.store(dc, "dc")
		})
}

// Numerator and denominator of tanh x = x·p(x²)/q(x²), minimax to 2⁻²⁵ relative on |x| ≤ tanhLimit, by Remez's algorithm with 50 digits.
// All coefficients are positive, so that nothing cancels.
var (
	tanhNumerator   = []float64{0.99999997947930980, 0.13381022848627714, 0.0034955849069400958, 0.000020609032941275003, 1.3354599594292133e-8}
	tanhDenominator = []float64{1, 0.46714338438101473, 0.025876969704630097, 0.00032856297100413074, 7.7765316024081977e-7}
)

// tanhLimit is where tanh x is 1 in float32.
const tanhLimit = 9

// quickTanh computes tanh x within 5 units in the last place and not beyond ±1, in half as many instructions as tanh32, which is within 2:
// a step of LSTM has two of them, and a third of its gradient is one.
func quickTanh(x vec) vec {
	e := float32s
	x = e.atLeast(-tanhLimit, e.atMost(tanhLimit, x))
	t := e.times(x, x)
	p := e.times(x, e.polynomial(t, tanhNumerator...))
	return e.atLeast(-1, e.atMost(1, e.over(p, e.polynomial(t, tanhDenominator...))))
}

// sigmoidSlope computes y·(1−y), and tanhSlope (1−y)·(1+y).
func sigmoidSlope(y vec) vec { return float32s.times(y, float32s.minus(float32s.number(1), y)) }
func tanhSlope(y vec) vec {
	e := float32s
	return e.times(e.minus(e.number(1), y), e.plus(y, e.number(1)))
}

// grus writes the forward steps of GRU.
func grus() {
	e := float32s
	gates := sideBySide("gates", "r", "z", "n")
	sigmoid := func(w *walk, name string) vec {
		x := sigmoid32(w.load(name))
		w.store(x, name)
		return x
	}
	// mix computes h = (1−z)·n + z·before as n + z·(before − n).
	mix := func(w *walk, z vec) {
		n := quickTanh(w.load("n"))
		w.store(n, "n")
		w.store(e.fused(z, e.minus(w.load("before"), n), n), "h")
	}
	cells("gru", "gates, inner, before []float32, beforeRow int, h []float32", "cellTable.gru",
		append(append([]operand{strided("before")}, gates...), matrices("inner", "h")...),
		func(w *walk) { w.store(e.fused(sigmoid(w, "r"), w.load("inner"), w.load("n")), "n") },
		func(w *walk) { mix(w, sigmoid(w, "z")) })
	cells("gruReset", "gates, state []float32, stateRow int, inner []float32", "cellTable.gruReset",
		append([]operand{strided("state"), gates[0], gates[1]}, matrices("inner")...),
		func(w *walk) {
			w.store(e.times(sigmoid(w, "r"), w.in("state")), "inner")
			sigmoid(w, "z")
		})
	cells("gruUpdate", "gates, before []float32, beforeRow int, h []float32", "cellTable.gruUpdate",
		append([]operand{strided("before"), gates[1], gates[2]}, matrices("h")...),
		func(w *walk) { mix(w, w.load("z")) })
}

// gruGrads writes the backward steps of GRU.
func gruGrads() {
	e := float32s
	gates := sideBySide("gates", "r", "z", "n")
	// update computes the gradients of z and n.
	update := func(w *walk) (dz, dn vec) {
		dh, z, n := e.plus(w.load("dh"), w.in("dy")), w.load("z"), w.load("n")
		dz = e.times(e.times(dh, e.minus(w.load("before"), n)), sigmoidSlope(z))
		dn = e.times(e.times(dh, e.minus(e.number(1), z)), tanhSlope(n))
		w.store(e.times(dh, z), "dh")
		w.store(dz, "z")
		w.store(dn, "n")
		return dz, dn
	}
	parameters := "before []float32, beforeRow int, dy []float32, dyRow int, dh []float32"
	cells("gruGrad", "gates, dInner, inner, "+parameters, "cellTable.gruGrad",
		append(append(append([]operand{strided("before"), strided("dy")}, gates...), sideBySide("dInner", "dr", "dz", "dn")...), matrices("inner", "dh")...),
		func(w *walk) {
			dz, dn := update(w)
			w.store(dz, "dz")
			r := w.load("r")
			w.store(e.times(dn, r), "dn")
			dr := e.times(e.times(dn, w.in("inner")), sigmoidSlope(r))
			w.store(dr, "r")
			w.store(dr, "dr")
		})
	cells("gruUpdateGrad", "gates, "+parameters, "cellTable.gruUpdateGrad",
		append([]operand{strided("before"), strided("dy"), gates[1], gates[2]}, matrices("dh")...), func(w *walk) { update(w) })
	cells("gruResetGrad", "gates, state []float32, stateRow int, inner []float32", "cellTable.gruResetGrad",
		append([]operand{strided("state"), gates[0]}, matrices("inner")...), func(w *walk) {
			r, d := w.load("r"), w.load("inner")
			w.store(e.times(e.times(d, w.in("state")), sigmoidSlope(r)), "r")
			w.store(e.times(d, r), "inner")
		})
}
