package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sums returns registers of eight zeros, to add to.
func sums() vec {
	r := eight()
	for i := range r {
		r[i] = float64s.zero()[0]
	}
	return r
}

// accumulate adds eights to sums in their place.
func accumulate(p, sum vec) {
	for i := range p {
		s := sum[i%len(sum)]
		VADDPD(p[i], s, s)
	}
}

// result stores the sum of eight lanes: ((0+4)+(2+6)) + ((1+5)+(3+7)).
func result(name string, sum vec) {
	lower := sum[0].(reg.VecVirtual)
	if wide() {
		upper := YMM()
		VEXTRACTF64X4(Imm(1), lower, upper)
		lower = lowHalf(lower)
		VADDPD(upper, lower, lower)
	} else {
		VADDPD(sum[1], lower, lower)
	}
	high := XMM()
	VEXTRACTF128(Imm(1), lower, high)
	low := lower.AsX()
	VADDPD(high, low, low)
	VUNPCKHPD(low, low, high)
	VADDSD(high, low, low)
	VMOVSD(low, argument(Return(name)))
}

// reductions writes the functions that add up slices to one number or two.
func reductions(e element) {
	reduction(e, "sum", "x", "", "Sum", func(w *pairWalk) func() vec {
		return func() vec { return w.load("x") }
	})
	reduction(e, "sumSquares", "x", "", "SumSquares", func(w *pairWalk) func() vec {
		return func() vec {
			x := w.load("x")
			return float64s.times(x, x)
		}
	})
	reduction(e, "sumDeviations", "x", "mean", "SumSquaredDeviations", func(w *pairWalk) func() vec {
		mean := everywhere("mean")
		return func() vec {
			d := w.kept(float64s.minus(w.load("x"), mean))
			return float64s.times(d, d)
		}
	})
	reduction(e, "dot", "x, y", "", "Σ x·y", func(w *pairWalk) func() vec {
		return func() vec { return float64s.times(w.load("x"), w.load("y")) }
	})
}

// reduction writes the function that adds up the terms of its slices. begin loads what stays in registers and returns what makes the terms.
func reduction(e element, name, slices, constants, doc string, begin func(w *pairWalk) (term func() vec)) {
	signature := fmt.Sprintf("func(%s []%s", slices, e.name)
	if constants != "" {
		signature += ", " + constants + " float64"
	}
	name += "_" + e.bits
	TEXT(name, NOSPLIT, signature+") (sum float64)")
	Doc(name + " computes " + doc + ".")
	Pragma("noescape")
	w := newPairWalk(e, names(slices), nil)
	sum, term := sums(), begin(w)
	w.run(length("x"), func() { accumulate(term(), sum) })
	result("sum", sum)
	end()
}

// sumProducts writes the function that computes Σ dy and Σ dy·(x − mean).
func sumProducts(e element) {
	name := "sumProducts_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(x, dy []%s, mean float64) (sum, products float64)", e.name))
	Doc(name + " computes SumProducts.")
	Pragma("noescape")
	w := newPairWalk(e, []string{"x", "dy"}, nil)
	sum, products, mean := sums(), sums(), everywhere("mean")
	w.run(length("x"), func() {
		dy := w.load("dy")
		accumulate(dy, sum)
		accumulate(w.kept(float64s.times(dy, float64s.minus(w.load("x"), mean))), products)
	})
	result("sum", sum)
	result("products", products)
	end()
}

// sumInto writes the function that adds a row to sums.
func sumInto(e element) {
	column(e, "sumInto", "x", "acc", "SumInto", func(w *pairWalk) {
		w.store(float64s.plus(w.load("acc"), w.load("x")), "acc")
	})
}

// columnSums writes the functions that add to sums what they make of the elements of a row.
func columnSums(e element) {
	column(e, "sumDeviationsInto", "x", "mean, acc", "SumSquaredDeviationsColumns", func(w *pairWalk) {
		d := float64s.minus(w.load("x"), w.load("mean"))
		w.store(float64s.plus(w.load("acc"), float64s.times(d, d)), "acc")
	})
	column(e, "sumProductsInto", "x, dy", "mean, sum, products", "SumProductsColumns", func(w *pairWalk) {
		dy := w.load("dy")
		w.store(float64s.plus(w.load("sum"), dy), "sum")
		d := float64s.minus(w.load("x"), w.load("mean"))
		w.store(float64s.plus(w.load("products"), float64s.times(dy, d)), "products")
	})
}

// columnExtremes writes the functions that join a row with the greatest or the least elements so far.
func columnExtremes(e element) {
	column(e, "greatestInto", "x", "acc", "GreatestInto", func(w *pairWalk) {
		w.store(float64s.greatest(w.load("acc"), w.load("x")), "acc")
	})
	column(e, "leastInto", "x", "acc", "LeastInto", func(w *pairWalk) {
		w.store(float64s.least(w.load("acc"), w.load("x")), "acc")
	})
}

// column writes a function over slices of e and of float64.
func column(e element, name, slices, doubles, doc string, body func(w *pairWalk)) {
	name += "_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(%s []%s, %s []float64)", slices, e.name, doubles))
	Doc(name + " computes " + doc + ".")
	Pragma("noescape")
	w := newPairWalk(e, names(slices), names(doubles))
	w.run(length("x"), func() { body(w) })
	end()
}
