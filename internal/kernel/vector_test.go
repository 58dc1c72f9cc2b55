package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// vectorCase is a call of a kernel that has assembly, on slices of one length, some of which it changes.
type vectorCase[T Float] struct {
	name   string
	slices int
	run    func(s [][]T)
	near   bool // the assembly may give other bits than plain Go
}

// vectorCases returns the calls for T.
func vectorCases[T Float]() (cases []vectorCase[T]) {
	add := func(name string, slices int, run func(s [][]T)) {
		cases = append(cases, vectorCase[T]{name: name, slices: slices, run: run})
	}
	for _, b := range []struct {
		name string
		f    Binary[T, T]
	}{{"Add", Add[T]}, {"Sub", Sub[T]}, {"Mul", Mul[T]}, {"Div", Div[T]}, {"Max", Max[T]}, {"Min", Min[T]}} {
		name, f := b.name, b.f
		add(name, 3, func(s [][]T) { f(s[0], s[1], s[2]) })
		add(name+" in place", 2, func(s [][]T) { f(s[0], s[1], s[1]) })
		constant := []T{-1.5}
		add(name+" with a single left operand", 2, func(s [][]T) { f(constant, s[0], s[1]) })
		add(name+" with a single right operand", 2, func(s [][]T) { f(s[0], constant, s[1]) })
		add(name+" of two single operands", 1, func(s [][]T) { f(constant, constant, s[0]) })
	}
	adam := NewAdam[T](0.1, 0.9, 0.99, 1e-3, 0.01, 3)
	add("UpdateSGD", 2, func(s [][]T) { UpdateSGD(s[0], s[1], 0.1) })
	add("UpdateMomentum", 3, func(s [][]T) { UpdateMomentum(s[0], s[1], s[2], 0.1, 0.9) })
	add("UpdateNesterov", 3, func(s [][]T) { UpdateNesterov(s[0], s[1], s[2], 0.1, 0.9) })
	add("UpdateAdaGrad", 3, func(s [][]T) { UpdateAdaGrad(s[0], s[1], positive(s[2]), 0.1, 1e-3) })
	add("UpdateAdam", 4, func(s [][]T) { UpdateAdam(&adam, s[0], s[1], s[2], positive(s[3])) })
	return cases
}

// positive makes the elements of x what a sum of squares can be.
func positive[T Float](x []T) []T {
	for i, v := range x {
		x[i] = max(v, -v)
	}
	return x
}

// numbers returns n numbers, some of them special.
func numbers[T Float](r *rand.Rand, n int) []T {
	special := []T{0, T(math.Copysign(0, -1)), T(math.Inf(1)), T(math.Inf(-1)), T(math.NaN()), 0x1p-149, -0x1p-130, 3e38, -3e38, 1, -1, 100, -100}
	x := random[T](r, n)
	for i := range x {
		x[i] *= 4
		if r.IntN(8) == 0 {
			x[i] = special[r.IntN(len(special))]
		}
	}
	return x
}

// arguments makes the slices of a call.
func (c vectorCase[T]) arguments(r *rand.Rand, n int) (s [][]T) {
	for range c.slices {
		s = append(s, numbers[T](r, n))
	}
	return s
}

func copies[T any](s [][]T) [][]T {
	c := make([][]T, len(s))
	for i := range s {
		c[i] = slices.Clone(s[i])
	}
	return c
}

// equalBits reports whether a and b are the same number, or both NaN.
func equalBits[T Float](a, b T) bool {
	return a != a && b != b || math.Float64bits(float64(a)) == math.Float64bits(float64(b))
}

// eachLength calls f with lengths of all remainders, and a long one.
func eachLength(f func(n int)) {
	for n := range 41 {
		f(n)
	}
	f(1003)
}

func TestVectorsGivePlainBits(t *testing.T) {
	testPlainBits(t, vectorCases[float32]())
	testPlainBits(t, vectorCases[float64]())
}

func testPlainBits[T Float](t *testing.T, cases []vectorCase[T]) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range cases {
		eachLength(func(n int) {
			before := c.arguments(r, n)
			got, want := copies(before), copies(before)
			c.run(got)
			plainly(func() { c.run(want) })
			for i := range got {
				for j, w := range want[i] {
					if g := got[i][j]; !c.near && !equalBits(g, w) {
						t.Fatalf("%s of %d %T: element %d of slice %d is %g, plain Go gives %g", c.name, n, w, j, i, g, w)
					}
				}
			}
		})
	}
}

// plainly calls f without the assembly.
func plainly(f func()) {
	defer func(have bool) { haveAVX2 = have }(haveAVX2)
	haveAVX2 = false
	f()
}

// An element is the same bits wherever it lies and with whatever others it is computed.
func TestElementsDoNotDependOnTheirPlace(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		testPlaces(t, vectorCases[float32]())
		testPlaces(t, vectorCases[float64]())
	})
}

func testPlaces[T Float](t *testing.T, cases []vectorCase[T]) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 77
	for _, c := range cases {
		before := c.arguments(r, n)
		want := copies(before)
		c.run(want)
		for range 50 {
			lo := r.IntN(n)
			hi := lo + r.IntN(n+1-lo)
			got := copies(before)
			part := make([][]T, len(got))
			for i := range got {
				part[i] = got[i][lo:hi:hi]
			}
			c.run(part)
			for i := range part {
				for j, g := range part[i] {
					if w := want[i][lo+j]; !equalBits(g, w) {
						t.Fatalf("%s: element %d of slice %d is %g in [%d, %d), %g in the whole", c.name, lo+j, i, g, lo, hi, w)
					}
				}
			}
		}
	}
}
