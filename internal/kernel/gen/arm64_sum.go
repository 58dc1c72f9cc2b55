package main

import (
	"fmt"
	"strings"
)

// neonSums is the loop of a function that adds up eight lanes of float64, four registers.
type neonSums struct {
	*sweep
	d     typed // of float64
	inUse quads
}

// newSums returns the loop of a function over slices of elements of a size.
func (r *routine) newSums(size int, slices ...string) *neonSums {
	w := &neonSums{sweep: r.newSweep(size, slices, nil), d: r.doubles()}
	w.most, w.unit = 1, 8
	return w
}

// zeros returns registers of eight zeros, to add to.
func (r *routine) zeros() quads { return quads{r.zero(), r.zero(), r.zero(), r.zero()} }

// accumulate adds terms of float64, which are 0 where there are no elements, to sums in their place.
func (w *neonSums) accumulate(terms, sums quads) { w.inPlace(three("fadd", 8), sums, sums, terms) }

// keep returns terms with 0 where there are no elements.
func (w *neonSums) keep(terms quads) quads {
	if w.rest == nil {
		return terms
	}
	if w.inUse == nil {
		n := w.vector()
		w.emit("VDUP %v, %v", w.rest, arranged{n, "D2"})
		for i, lanes := 0, w.lanes(8)[:1]; i < 4; i++ {
			w.inUse = append(w.inUse, w.apply(three("cmgt", 8), quads{n}, lanes)...)
			lanes = w.d.addInts(lanes, w.d.word(2))
		}
	}
	return w.d.and(terms, w.inUse)
}

// result stores the sum of eight lanes: ((0+4)+(2+6)) + ((1+5)+(3+7)).
func (w *neonSums) result(name string, sums quads) {
	x := w.d.plus(w.d.plus(sums[:1], sums[2:3]), w.d.plus(sums[1:2], sums[3:]))
	x = w.each(addPair, x)
	w.emit("FMOVD %v, %v", x[0], w.argument(name, ""))
}

// reduction writes the function that adds up the terms of its slices. begin loads what stays in registers and returns what makes the terms.
func (f *neonFile) reduction(size int, name, slices, constants, doc string, begin func(w *neonSums) (term func() quads)) {
	signature := fmt.Sprintf("func(%s []%s", slices, typeName(size))
	if constants != "" {
		signature += ", " + constants + " float64"
	}
	f.function(fmt.Sprintf("%s_%d", name, 8*size), signature+") (sum float64)", "computes "+doc, func(r *routine) {
		w := r.newSums(size, strings.Split(slices, ", ")...)
		sums, term := r.zeros(), begin(w)
		w.run(r.length("x"), func() { w.accumulate(term(), sums) })
		w.result("sum", sums)
	})
}

// products writes a function that computes Σ g and Σ g·(x − mean).
func (f *neonFile) products(size int, name, slices, doc string, term func(w *neonSums) quads) {
	signature := fmt.Sprintf("func(%s []%s, mean float64) (sum, products float64)", slices, typeName(size))
	f.function(fmt.Sprintf("%s_%d", name, 8*size), signature, "computes "+doc, func(r *routine) {
		w := r.newSums(size, strings.Split(slices, ", ")...)
		sum, products, mean := r.zeros(), r.zeros(), r.fill("mean")
		w.run(r.length("x"), func() {
			g := term(w)
			w.accumulate(g, sum)
			w.accumulate(w.keep(w.d.times(g, w.d.minus(w.loadDouble("x"), mean))), products)
		})
		w.result("sum", sum)
		w.result("products", products)
	})
}

// neonReductions writes the functions that add up slices to one number or two.
func neonReductions(f *neonFile, size int) {
	f.reduction(size, "sum", "x", "", "Sum", func(w *neonSums) func() quads {
		return func() quads { return w.loadDouble("x") }
	})
	f.reduction(size, "sumSquares", "x", "", "SumSquares", func(w *neonSums) func() quads {
		return func() quads {
			x := w.loadDouble("x")
			return w.d.times(x, x)
		}
	})
	f.reduction(size, "sumDeviations", "x", "mean", "SumSquaredDeviations", func(w *neonSums) func() quads {
		mean := w.fill("mean")
		return func() quads {
			d := w.keep(w.d.minus(w.loadDouble("x"), mean))
			return w.d.times(d, d)
		}
	})
	f.reduction(size, "dot", "x, y", "", "Σ x·y", func(w *neonSums) func() quads {
		return func() quads { return w.d.times(w.loadDouble("x"), w.loadDouble("y")) }
	})
	f.products(size, "sumProducts", "x, dy", "SumProducts", func(w *neonSums) quads { return w.loadDouble("dy") })
	f.products(size, "sumWeighted", "x, dy, weight", "SumWeighted", func(w *neonSums) quads {
		return w.d.times(w.loadDouble("dy"), w.loadDouble("weight"))
	})
	neonExtreme(f, size, "greatest", "Greatest", true)
	neonExtreme(f, size, "least", "Least", false)
}

// neonExtreme writes the function that returns the greatest element or the least.
func neonExtreme(f *neonFile, size int, name, doc string, greatest bool) {
	signature := fmt.Sprintf("func(x []%[1]s) (extreme %[1]s)", typeName(size))
	f.function(fmt.Sprintf("%s_%d", name, 8*size), signature, "computes "+doc, func(r *routine) {
		w, e := r.newSweep(size, []string{"x"}, nil), typed{r, size}
		choose := three(map[bool]string{true: "fmax", false: "fmin"}[greatest], size)
		best := append(e.fillFrom(w.base["x"]), e.fillFrom(w.base["x"])...)
		w.run(r.length("x"), func() {
			if w.rest == nil {
				x := w.load("x")
				r.inPlace(choose, best[:len(x)], best[:len(x)], x)
				return
			}
			p := w.place("x")
			r.label("single")
			x := e.fillFrom(p)
			r.inPlace(choose, best[:1], best[:1], x)
			r.emit("ADD $%d, %v, %v", size, p, p)
			r.next(w.rest, 1, "single")
		})
		x := r.each(across(greatest, size), r.apply(choose, best[:1], best[1:]))
		r.emit(e.scalar("%v, %v"), x[0], r.argument("extreme", ""))
	})
}

// column writes a function over slices of a size and of float64.
func (f *neonFile) column(size int, name, slices, doubles, doc string, body func(w *sweep, e typed)) {
	signature := fmt.Sprintf("func(%s []%s, %s []float64)", slices, typeName(size), doubles)
	f.function(fmt.Sprintf("%s_%d", name, 8*size), signature, "computes "+doc, func(r *routine) {
		w := r.newSweep(size, strings.Split(slices, ", "), strings.Split(doubles, ", "))
		w.run(r.length("x"), func() { body(w, r.doubles()) })
	})
}

// neonColumns writes the functions that add to sums what they make of the elements of a row.
func neonColumns(f *neonFile, size int) {
	f.column(size, "sumDeviationsInto", "x", "mean, acc", "SumSquaredDeviationsColumns", func(w *sweep, e typed) {
		d := e.minus(w.loadDouble("x"), w.load("mean"))
		w.store(e.plus(w.load("acc"), e.times(d, d)), "acc")
	})
	f.column(size, "sumProductsInto", "x, dy", "mean, sum, products", "SumProductsColumns", func(w *sweep, e typed) {
		dy := w.loadDouble("dy")
		w.store(e.plus(w.load("sum"), dy), "sum")
		d := e.minus(w.loadDouble("x"), w.load("mean"))
		w.store(e.plus(w.load("products"), e.times(dy, d)), "products")
	})
}

// neonSumNormalized writes the function that adds a row's gradients of the weights and biases to their sums.
func neonSumNormalized(f *neonFile, size int) {
	signature := fmt.Sprintf("func(x, dy []%s, mean, scale float64, dweight, dbias []float64)", typeName(size))
	f.function(fmt.Sprint("sumNormalized_", 8*size), signature, "computes SumNormalized", func(r *routine) {
		w, e := r.newSweep(size, []string{"x", "dy"}, []string{"dweight", "dbias"}), r.doubles()
		mean, scale := r.fill("mean"), r.fill("scale")
		w.run(r.length("x"), func() {
			dy := w.loadDouble("dy")
			w.store(e.plus(w.load("dbias"), dy), "dbias")
			normal := e.times(e.minus(w.loadDouble("x"), mean), scale)
			w.store(e.plus(w.load("dweight"), e.times(dy, normal)), "dweight")
		})
	})
}
