// Package golden compares this library with PyTorch, and with itself of earlier days. It is all tests.
//
// testdata/ops.json and testdata/models.json hold what PyTorch computes in float64: the results and gradients of single operations, and the
// losses and the movement of the parameters of small models that are trained for ten steps. Inputs and initial values come from formulas
// that both sides compute to the same bits, so that only results are stored. make.py says how the files were made; the tests need no
// Python.
//
// testdata/curve.json is a training of our own, from our own initial values and random numbers: it is there to notice change.
package golden
