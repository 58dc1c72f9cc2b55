package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
)

// layerNorms writes the functions that normalise a row whose elements have a weight and a bias each.
func layerNorms(e element) {
	elementwise(e, "normalizeRow", "x, weight, bias, y", "mean, scale", "NormalizeRow", func(w *walk) func() {
		mean, scale := w.constant("mean"), w.constant("scale")
		return func() {
			normal := w.times(w.minus(w.load("x"), mean), scale)
			w.store(w.plus(w.times(normal, w.in("weight")), w.in("bias")), "y")
		}
	})
	elementwise(e, "normalizeRowGrad", "x, dy, weight, dx", "mean, scale, slope, shift", "NormalizeRowGrad", func(w *walk) func() {
		mean, scale, slope, shift := w.constant("mean"), w.constant("scale"), w.constant("slope"), w.constant("shift")
		return func() {
			g := w.times(w.load("dy"), w.in("weight"))
			sum := w.plus(w.times(g, scale), w.times(w.minus(w.load("x"), mean), slope))
			w.store(w.plus(sum, shift), "dx")
		}
	})
	sumWeighted(e)
	sumNormalized(e)
}

// sumWeighted writes the function that computes Σ dy·weight and Σ dy·weight·(x − mean).
func sumWeighted(e element) {
	name := "sumWeighted_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(x, dy, weight []%s, mean float64) (sum, products float64)", e.name))
	Doc(name + " computes SumWeighted.")
	Pragma("noescape")
	w := newPairWalk(e, []string{"x", "dy", "weight"}, nil)
	sum, products, mean := sums(), sums(), everywhere("mean")
	w.run(length("x"), func() {
		g := float64s.times(w.load("dy"), w.load("weight"))
		accumulate(g, sum)
		accumulate(w.kept(float64s.times(g, float64s.minus(w.load("x"), mean))), products)
	})
	result("sum", sum)
	result("products", products)
	end()
}

// sumNormalized writes the function that adds a row's gradients of the weights and biases to their sums.
func sumNormalized(e element) {
	name := "sumNormalized_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(x, dy []%s, mean, scale float64, dweight, dbias []float64)", e.name))
	Doc(name + " computes SumNormalized.")
	Pragma("noescape")
	w := newPairWalk(e, []string{"x", "dy"}, []string{"dweight", "dbias"})
	mean, scale := everywhere("mean"), everywhere("scale")
	w.run(length("x"), func() {
		dy := w.load("dy")
		w.store(float64s.plus(w.load("dbias"), dy), "dbias")
		normal := float64s.times(float64s.minus(w.load("x"), mean), scale)
		w.store(float64s.plus(w.load("dweight"), float64s.times(dy, normal)), "dweight")
	})
	end()
}
