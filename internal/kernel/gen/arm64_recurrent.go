package main

// neonRecurrents writes the cells of recurrent layers for float32; see recurrents, by whose steps they compute.
func neonRecurrents(f *neonFile) {
	for _, peephole := range []bool{false, true} {
		neonLSTM(f, peephole)
		neonLSTMGrad(f, peephole)
	}
	neonGRU(f)
	neonGRUGrad(f)
}

// cells writes a function that does for each of rows rows of n elements first one body for all elements and then the next; see cells.
func (f *neonFile) cells(name, parameters, doc string, all []operand, bodies ...func(w *sweep, e typed)) {
	f.function(name+"_32", "func(rows, n int, "+parameters+")", "computes "+doc, func(r *routine) {
		w := r.newSweep(4, nil, nil)
		for _, c := range all {
			w.base[c.name], w.size[c.name] = r.base(c.slice), 4
			if c.at > 0 {
				r.emit("ADD %v, %v, %v", r.rowsOf(c.at), w.base[c.name], w.base[c.name])
			}
		}
		rows := r.param("rows")
		r.label("row")
		for _, body := range bodies {
			w.run(r.param("n"), func() { body(w, r.singles()) })
		}
		for _, c := range all {
			step := r.rowsOf(c.of)
			if c.row != "" {
				step = r.bytes(c.row, 4)
			}
			r.emit("ADD %v, %v, %v", step, w.base[c.name], w.base[c.name])
		}
		r.next(rows, 1, "row")
	})
}

// rowsOf returns the bytes of k rows of n elements.
func (r *routine) rowsOf(k int) *register {
	n := r.bytes("n", 4)
	if k > 1 {
		times := r.general()
		r.emit("MOVD $%d, %v", k, times)
		r.emit("MUL %v, %v, %v", times, n, n)
	}
	return n
}

// common returns the elements at hand of a vector that is the same for all rows: no register is kept for it.
func (w *sweep) common(name string) quads {
	w.base[name], w.size[name] = w.routine.base(name), 4
	return w.load(name)
}

// sigmoidSlope computes y·(1−y), and tanhSlope (1−y)·(1+y).
func (e typed) sigmoidSlope(y quads) quads { return e.times(y, e.minus(e.number(1), y)) }
func (e typed) tanhSlope(y quads) quads {
	return e.times(e.minus(e.number(1), y), e.plus(y, e.number(1)))
}

// neonLSTM writes the forward step of LSTM.
func neonLSTM(f *neonFile, peephole bool) {
	name, more, doc := "lstm", "", "cellTable.lstm without peepholes"
	if peephole {
		name, more, doc = "lstmPeephole", "peepI, peepF, peepO, ", "cellTable.lstm with peepholes"
	}
	gate := func(w *sweep, e typed, name, weight, seen string) quads {
		x := w.load(name)
		if peephole {
			e.addProduct(x, w.load(seen), w.common(weight))
		}
		x = e.sigmoid(x)
		w.store(x, name)
		return x
	}
	all := append(sideBySide("gates", "i", "f", "g", "o"), strided("before"))
	f.cells(name, "gates, "+more+"before []float32, beforeRow int, c, h []float32", doc, append(all, matrices("c", "h")...),
		func(w *sweep, e typed) {
			c := e.quickTanh(w.load("g"))
			w.store(c, "g")
			c = e.times(c, gate(w, e, "i", "peepI", "before"))
			e.addProduct(c, gate(w, e, "f", "peepF", "before"), w.load("before"))
			w.store(c, "c")
		},
		func(w *sweep, e typed) {
			h := gate(w, e, "o", "peepO", "c")
			w.store(e.times(h, e.quickTanh(w.load("c"))), "h")
		})
}

// neonLSTMGrad writes the backward step of LSTM.
func neonLSTMGrad(f *neonFile, peephole bool) {
	name, more, doc := "lstmGrad", "", "cellTable.lstmGrad without peepholes"
	if peephole {
		name, more, doc = "lstmPeepholeGrad", "peepI, peepF, peepO, ", "cellTable.lstmGrad with peepholes"
	}
	all := append(sideBySide("gates", "i", "f", "g", "o"), strided("before"), strided("dy"))
	parameters := "gates, " + more + "before []float32, beforeRow int, c, dy []float32, dyRow int, dh, dc []float32"
	f.cells(name, parameters, doc, append(all, matrices("c", "dh", "dc")...),
		func(w *sweep, e typed) {
			t := e.quickTanh(w.load("c"))
			dh, o, dc := e.plus(w.load("dh"), w.load("dy")), w.load("o"), w.load("dc")
			e.addProduct(dc, e.times(dh, o), e.tanhSlope(t))
			do := e.times(e.times(dh, t), e.sigmoidSlope(o))
			w.store(do, "o")
			if peephole {
				e.addProduct(dc, do, w.common("peepO"))
			}
			w.store(dc, "dc")
		},
		func(w *sweep, e typed) {
			i, f, g, dc := w.load("i"), w.load("f"), w.load("g"), w.load("dc")
			di := e.times(e.times(dc, g), e.sigmoidSlope(i))
			df := e.times(e.times(dc, w.load("before")), e.sigmoidSlope(f))
			w.store(di, "i")
			w.store(df, "f")
			w.store(e.times(e.times(dc, i), e.tanhSlope(g)), "g")
			dc = e.times(dc, f)
			if peephole {
				e.addProduct(dc, di, w.common("peepI"))
				e.addProduct(dc, df, w.common("peepF"))
			}
			w.store(dc, "dc")
		})
}

// neonGRU writes the forward steps of GRU.
func neonGRU(f *neonFile) {
	gates := sideBySide("gates", "r", "z", "n")
	sigmoid := func(w *sweep, e typed, name string) quads {
		x := e.sigmoid(w.load(name))
		w.store(x, name)
		return x
	}
	// mix computes h = (1−z)·n + z·before as n + z·(before − n).
	mix := func(w *sweep, e typed, z quads) {
		n := e.quickTanh(w.load("n"))
		w.store(n, "n")
		w.store(e.fused(z, e.minus(w.load("before"), n), n), "h")
	}
	f.cells("gru", "gates, inner, before []float32, beforeRow int, h []float32", "cellTable.gru",
		append(append([]operand{strided("before")}, gates...), matrices("inner", "h")...),
		func(w *sweep, e typed) { w.store(e.fused(sigmoid(w, e, "r"), w.load("inner"), w.load("n")), "n") },
		func(w *sweep, e typed) { mix(w, e, sigmoid(w, e, "z")) })
	f.cells("gruReset", "gates, state []float32, stateRow int, inner []float32", "cellTable.gruReset",
		append([]operand{strided("state"), gates[0], gates[1]}, matrices("inner")...),
		func(w *sweep, e typed) {
			w.store(e.times(sigmoid(w, e, "r"), w.load("state")), "inner")
			sigmoid(w, e, "z")
		})
	f.cells("gruUpdate", "gates, before []float32, beforeRow int, h []float32", "cellTable.gruUpdate",
		append([]operand{strided("before"), gates[1], gates[2]}, matrices("h")...),
		func(w *sweep, e typed) { mix(w, e, w.load("z")) })
}

// neonGRUGrad writes the backward steps of GRU.
func neonGRUGrad(f *neonFile) {
	gates := sideBySide("gates", "r", "z", "n")
	// update computes the gradients of z and n.
	update := func(w *sweep, e typed) (dz, dn quads) {
		dh, z, n := e.plus(w.load("dh"), w.load("dy")), w.load("z"), w.load("n")
		dz = e.times(e.times(dh, e.minus(w.load("before"), n)), e.sigmoidSlope(z))
		dn = e.times(e.times(dh, e.minus(e.number(1), z)), e.tanhSlope(n))
		w.store(e.times(dh, z), "dh")
		w.store(dz, "z")
		w.store(dn, "n")
		return dz, dn
	}
	parameters := "before []float32, beforeRow int, dy []float32, dyRow int, dh []float32"
	f.cells("gruGrad", "gates, dInner, inner, "+parameters, "cellTable.gruGrad",
		append(append(append([]operand{strided("before"), strided("dy")}, gates...), sideBySide("dInner", "dr", "dz", "dn")...), matrices("inner", "dh")...),
		func(w *sweep, e typed) {
			dz, dn := update(w, e)
			w.store(dz, "dz")
			r := w.load("r")
			w.store(e.times(dn, r), "dn")
			dr := e.times(e.times(dn, w.load("inner")), e.sigmoidSlope(r))
			w.store(dr, "r")
			w.store(dr, "dr")
		})
	f.cells("gruUpdateGrad", "gates, "+parameters, "cellTable.gruUpdateGrad",
		append([]operand{strided("before"), strided("dy"), gates[1], gates[2]}, matrices("dh")...),
		func(w *sweep, e typed) { update(w, e) })
	f.cells("gruResetGrad", "gates, state []float32, stateRow int, inner []float32", "cellTable.gruResetGrad",
		append([]operand{strided("state"), gates[0]}, matrices("inner")...), func(w *sweep, e typed) {
			r, d := w.load("r"), w.load("inner")
			w.store(e.times(e.times(d, w.load("state")), e.sigmoidSlope(r)), "r")
			w.store(e.times(d, r), "inner")
		})
}
