package main

import (
	"fmt"
	"strings"
)

// sweep is the loop of a function over slices of equal length, a unit of elements at a time or several: some units at a time, then one, and
// at last what is left, by the same instructions with 0 for the elements that are missing, so that the bits of an element do not depend on
// its place. Nothing behind the slices is touched.
type sweep struct {
	*routine
	unit int // elements, a whole number of registers of each slice
	most int // units at a time
	now  int // units at hand
	at   *register
	base map[string]*register // where the slices begin
	size map[string]int       // of their elements
	here map[string]*register // where the elements at hand lie
	rest *register            // the elements that are left; nil for whole units
}

// newSweep returns the loop of a function over slices of elements of a size, and doubles.
func (r *routine) newSweep(size int, slices, doubles []string) *sweep {
	w := &sweep{routine: r, most: 2, unit: 16 / size, base: map[string]*register{}, size: map[string]int{}}
	for _, name := range slices {
		w.base[name], w.size[name] = r.base(name), size
	}
	for _, name := range doubles {
		w.base[name], w.size[name] = r.base(name), 8
	}
	return w
}

// run does body for all of left elements.
func (w *sweep) run(left *register, body func()) {
	w.at = w.general()
	w.emit("MOVD ZR, %v", w.at)
	if w.most > 1 {
		w.loop(w.most, left, body)
	}
	w.loop(1, left, body)
	done := w.fresh("done")
	w.branch("CBZ", done, left)
	w.rest, w.here = left, map[string]*register{}
	body()
	w.rest = nil
	w.label(done)
}

// loop does body for n units while there are as many.
func (w *sweep) loop(n int, left *register, body func()) {
	again, rest := w.fresh("units"), w.fresh("rest")
	w.now, w.here = n, map[string]*register{}
	w.emit("SUBS $%d, %v, %v", n*w.unit, left, left)
	w.branch("BLT", rest)
	w.label(again)
	body()
	w.emit("ADD $%d, %v, %v", n*w.unit, w.at, w.at)
	w.emit("SUBS $%d, %v, %v", n*w.unit, left, left)
	w.branch("BGE", again)
	w.label(rest)
	w.emit("ADD $%d, %v, %v", n*w.unit, left, left)
}

// place returns where the elements at hand of a slice lie.
func (w *sweep) place(name string) *register {
	p, ok := w.here[name]
	if !ok {
		p = w.element(w.base[name], w.at, w.size[name])
		w.here[name] = p
	}
	return p
}

// load returns the elements at hand of a slice.
func (w *sweep) load(name string) quads {
	p, q := w.place(name), quads{}
	n := w.now * w.unit * w.size[name] / 16
	for i := range n {
		switch {
		case w.rest != nil:
			q = append(q, w.some(p, i, w.size[name]))
		case i%2 == 1:
		case i+1 < n:
			x := w.registers(2)
			w.emit("FLDPQ %d(%v), (%v, %v)", 16*i, p, x[0], x[1])
			q = append(q, x...)
		default:
			x := w.vector()
			w.emit("FMOVQ %d(%v), %v", 16*i, p, x)
			q = append(q, x)
		}
	}
	return q
}

// store writes the elements at hand of a slice.
func (w *sweep) store(q quads, name string) {
	q = w.values(q)
	p := w.place(name)
	n := w.now * w.unit * w.size[name] / 16
	for i := range n {
		switch {
		case w.rest != nil:
			w.storeSome(q.at(i), p, i, w.size[name])
		case i%2 == 1:
		case i+1 < n:
			w.emit("FSTPQ (%v, %v), %d(%v)", q.at(i), q.at(i+1), 16*i, p)
		default:
			w.emit("FMOVQ %v, %d(%v)", q.at(i), 16*i, p)
		}
	}
}

// some returns register i of the elements that are left, of a size, at p: 0 where there are none.
func (w *sweep) some(p *register, i, size int) *register {
	x := w.zero()
	w.byRest(i, size, func(bytes int) {
		switch bytes {
		case 4:
			w.emit("FMOVS %d(%v), %v", 16*i, p, x)
		case 8:
			w.emit("FMOVD %d(%v), %v", 16*i, p, x)
		case 12:
			third := w.general()
			w.emit("ADD $%d, %v, %v", 16*i+8, p, third)
			w.emit("FMOVD %d(%v), %v", 16*i, p, x)
			w.emit("VLD1 (%v), %v", third, lane{x, "S[2]"})
		case 16:
			w.emit("FMOVQ %d(%v), %v", 16*i, p, x)
		}
	})
	return x
}

// storeSome writes register i of the elements that are left.
func (w *sweep) storeSome(x, p *register, i, size int) {
	w.byRest(i, size, func(bytes int) {
		switch bytes {
		case 4:
			w.emit("FMOVS %v, %d(%v)", x, 16*i, p)
		case 8:
			w.emit("FMOVD %v, %d(%v)", x, 16*i, p)
		case 12:
			third := w.general()
			w.emit("ADD $%d, %v, %v", 16*i+8, p, third)
			w.emit("FMOVD %v, %d(%v)", x, 16*i, p)
			w.emit("VST1 %v, (%v)", lane{x, "S[2]"}, third)
		case 16:
			w.emit("FMOVQ %v, %d(%v)", x, 16*i, p)
		}
	})
}

// byRest does body for the bytes that register i has of the elements that are left, unless there are none.
func (w *sweep) byRest(i, size int, body func(bytes int)) {
	lanes := 16 / size
	first := i * lanes
	end := w.fresh("some")
	if first > 0 {
		w.emit("CMP $%d, %v", first, w.rest)
		w.branch("BLE", end)
	}
	most := min(lanes, w.unit-1-first) // elements: there are fewer than a unit
	for n := 1; n < most; n++ {
		other := w.fresh("more")
		w.emit("CMP $%d, %v", first+n, w.rest)
		w.branch("BGT", other)
		body(n * size)
		w.branch("JMP", end)
		w.label(other)
	}
	body(most * size)
	w.label(end)
}

// loadDouble returns the elements at hand of a slice as float64.
func (w *sweep) loadDouble(name string) quads {
	q := w.load(name)
	if w.size[name] == 8 {
		return q
	}
	return w.widened(q)
}

// widened returns elements of float32 as float64.
func (r *routine) widened(q quads) (wide quads) {
	for _, x := range q {
		wide = append(wide, r.each(widenLow, quads{x})[0], r.each(widenHigh, quads{x})[0])
	}
	return wide
}

// storeDouble writes float64 to the elements at hand of a slice, rounded if it is of float32.
func (w *sweep) storeDouble(q quads, name string) {
	if w.size[name] == 4 {
		q = w.narrowed(q)
	}
	w.store(q, name)
}

// narrowed returns elements of float64 rounded to float32.
func (r *routine) narrowed(q quads) (narrow quads) {
	q = r.values(q)
	for i := 0; i < len(q); i += 2 {
		x := r.each(narrowLow, q[i:i+1])
		r.encode(narrowHigh, x[0], q[i+1])
		narrow = append(narrow, x...)
	}
	return narrow
}

// fill returns a register filled with a parameter.
func (r *routine) fill(name string) quads {
	p, x := r.parameters[name], r.vector()
	size := map[string]int{"float32": 4, "float64": 8}[p.kind]
	r.emit(typed{r, size}.scalar("%v, %v"), r.argument(name, ""), x)
	return r.each(duplicate(size, 0), quads{x})
}

// fillDouble returns a register filled with a parameter as float64.
func (r *routine) fillDouble(name string) quads {
	q := r.fill(name)
	if r.parameters[name].kind == "float32" {
		q = r.each(widenLow, q)
	}
	return q
}

// fillFrom returns a register filled with what lies at p.
func (e typed) fillFrom(p *register) quads {
	x := e.vector()
	e.emit("VLD1R (%v), [%v]", p, arranged{x, map[int]string{4: "S4", 8: "D2"}[e.size]})
	return quads{x}
}

// neonElementwise writes the function name over slices, named "x, y", with constants, named "a, b" or not at all; see elementwise.
func (f *neonFile) elementwise(size int, name, slices, constants, doc string, begin func(w *sweep, e typed) (body func())) {
	signature := fmt.Sprintf("func(%s []%s", slices, typeName(size))
	if constants != "" {
		signature += fmt.Sprintf(", %s %s", constants, typeName(size))
	}
	f.function(fmt.Sprintf("%s_%d", name, 8*size), signature+")", "computes "+doc, func(r *routine) {
		all := strings.Split(slices, ", ")
		w := r.newSweep(size, all, nil)
		body := begin(w, typed{r, size})
		w.run(r.length(all[len(all)-1]), body)
	})
}
