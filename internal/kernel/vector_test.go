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
	row    bool // the slices are one whole
}

// vectorCases returns the calls for T.
func vectorCases[T Float]() (cases []vectorCase[T]) {
	add := func(name string, slices int, run func(s [][]T)) *vectorCase[T] {
		cases = append(cases, vectorCase[T]{name: name, slices: slices, run: run})
		return &cases[len(cases)-1]
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
	for _, u := range []struct {
		name  string
		f     Unary[T]
		exact bool
	}{
		{"Neg", Neg[T], true}, {"Abs", Abs[T], true}, {"Sign", Sign[T], true}, {"Square", Square[T], true}, {"Sqrt", Sqrt[T], true}, {"Rsqrt", Rsqrt[T], false},
		{"Reciprocal", Reciprocal[T], true}, {"AddConst", AddConst[T], true}, {"MulConst", MulConst[T], true}, {"Clip", Clip[T], true},
		{"Floor", Floor[T], true}, {"Ceil", Ceil[T], true}, {"Round", Round[T], true}, {"ReLU", ReLU[T], true}, {"LeakyReLU", LeakyReLU[T], true},
		{"Exp", Exp[T], false}, {"Expm1", Expm1[T], false}, {"Log", Log[T], false}, {"Log1p", Log1p[T], false}, {"Sigmoid", Sigmoid[T], false},
		{"Tanh", Tanh[T], false}, {"SiLU", SiLU[T], false}, {"Softplus", Softplus[T], false}, {"Erf", Erf[T], false}, {"GELU", GELU[T], false},
		{"Sin", Sin[T], false}, {"Cos", Cos[T], false}, {"PowConst", PowConst[T], false},
		{"GELUTanh", GELUTanh[T], false}, {"ELU", ELU[T], false}, {"STanh", STanh[T], false}, {"Softsign", Softsign[T], false},
	} {
		add(u.name, 2, func(s [][]T) { u.f(s[0], s[1], -0.75, 0.5) }).near = !u.exact
		add(u.name+" in place", 1, func(s [][]T) { u.f(s[0], s[0], 0, 3) }).near = !u.exact
	}
	for _, g := range []struct {
		name  string
		f     UnaryGrad[T]
		exact bool
	}{
		{"ReLUGrad", ReLUGrad[T], true}, {"LeakyReLUGrad", LeakyReLUGrad[T], true}, {"SigmoidGrad", SigmoidGrad[T], true}, {"TanhGrad", TanhGrad[T], true},
		{"AbsGrad", AbsGrad[T], true}, {"SquareGrad", SquareGrad[T], true}, {"SqrtGrad", SqrtGrad[T], true}, {"ExpGrad", ExpGrad[T], true},
		{"Expm1Grad", Expm1Grad[T], true}, {"LogGrad", LogGrad[T], true}, {"Log1pGrad", Log1pGrad[T], true}, {"ClipGrad", ClipGrad[T], true},
		{"RsqrtGrad", RsqrtGrad[T], false}, {"ReciprocalGrad", ReciprocalGrad[T], false}, {"ErfGrad", ErfGrad[T], false}, {"GELUGrad", GELUGrad[T], false},
		{"SinGrad", SinGrad[T], false}, {"CosGrad", CosGrad[T], false}, {"PowConstGrad", PowConstGrad[T], false},
		{"GELUTanhGrad", GELUTanhGrad[T], false}, {"SiLUGrad", SiLUGrad[T], false}, {"SoftplusGrad", SoftplusGrad[T], false}, {"ELUGrad", ELUGrad[T], false},
		{"STanhGrad", STanhGrad[T], false}, {"SoftsignGrad", SoftsignGrad[T], false},
	} {
		add(g.name, 3, func(s [][]T) { g.f(s[0], s[1], s[2], -0.75, 0.5) }).near = !g.exact
		add(g.name+" in place", 2, func(s [][]T) { g.f(s[0], s[1], s[1], 0.5, 3) }).near = !g.exact
	}
	add("LogisticLoss", 3, func(s [][]T) { LogisticLoss(s[0], s[1], s[2]) }).near = true
	add("LogisticSlope", 3, func(s [][]T) { LogisticSlope(s[0], s[1], s[2]) }).near = true
	add("cubes", 2, func(s [][]T) { PowConst(s[0], s[1], 3, 0) }).near = true
	add("square roots as powers", 2, func(s [][]T) { PowConst(s[0], s[1], 0.5, 0) }).near = true
	add("gradients of cubes", 3, func(s [][]T) { PowConstGrad(s[0], s[1], s[2], 3, 0) }).near = true
	add("Pow", 3, func(s [][]T) { Pow(s[0], s[1], s[2]) }).near = true
	add("Pow in place", 2, func(s [][]T) { Pow(s[0], s[1], s[0]) }).near = true
	add("Normalize", 2, func(s [][]T) { Normalize(s[0], s[1], 0.1, 1.7, -0.3) })
	add("NormalizeColumns", 5, func(s [][]T) { NormalizeColumns(s[0], s[1], s[2], s[3], s[4]) })
	add("NormalizeGrad", 3, func(s [][]T) { NormalizeGrad(s[0], s[1], s[2], 0.1, 1.7, 0.7, -0.3) })
	add("NormalizeGradColumns", 6, func(s [][]T) { NormalizeGradColumns(s[0], s[1], s[1], s[2], s[3], s[4], s[5]) })
	add("NormalizeRow", 4, func(s [][]T) { NormalizeRow(s[0], s[1], s[2], s[3], 0.1, 1.7) })
	add("NormalizeRowGrad", 4, func(s [][]T) { NormalizeRowGrad(s[0], s[1], s[2], s[3], 0.1, 1.7, 0.7, -0.3) })
	add("NormalizeRowGrad in place", 3, func(s [][]T) { NormalizeRowGrad(s[0], s[1], s[2], s[1], 0.1, 1.7, 0.7, -0.3) })
	adam := NewAdam[T](0.1, 0.9, 0.99, 1e-3, 0.01, 3)
	add("UpdateSGD", 2, func(s [][]T) { UpdateSGD(s[0], s[1], 0.1) })
	add("UpdateMomentum", 3, func(s [][]T) { UpdateMomentum(s[0], s[1], s[2], 0.1, 0.9) })
	add("UpdateNesterov", 3, func(s [][]T) { UpdateNesterov(s[0], s[1], s[2], 0.1, 0.9) })
	add("UpdateAdaGrad", 3, func(s [][]T) { UpdateAdaGrad(s[0], s[1], positive(s[2]), 0.1, 1e-3) })
	add("UpdateAdam", 4, func(s [][]T) { UpdateAdam(&adam, s[0], s[1], s[2], positive(s[3])) })
	for _, c := range []struct {
		name   string
		slices int
		run    func(s [][]T)
		exact  bool
	}{
		{"Softmax", 2, func(s [][]T) { Softmax(s[0], s[1]) }, false},
		{"Softmax in place", 1, func(s [][]T) { Softmax(s[0], s[0]) }, false},
		{"LogSoftmax", 2, func(s [][]T) { LogSoftmax(s[0], s[1]) }, false},
		{"SoftmaxGrad", 3, func(s [][]T) { SoftmaxGrad(s[0], s[1], s[2]) }, true},
		{"LogSoftmaxGrad", 3, func(s [][]T) { LogSoftmaxGrad(noGreater(s[0]), s[1], s[2]) }, false},
		{"CrossEntropyGrad", 2, func(s [][]T) { CrossEntropyGrad(s[0], 3, len(s[0])-1, 0.3, s[1]) }, false},
	} {
		added := add(c.name, c.slices, c.run)
		added.row, added.near = true, !c.exact
	}
	return cases
}

// noGreater makes the elements of x what logarithms of probabilities can be.
func noGreater[T Float](x []T) []T {
	for i, v := range x {
		x[i] = min(v, -v)
	}
	return x
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
		if c.row {
			s = append(s, random[T](r, n))
		} else {
			s = append(s, numbers[T](r, n))
		}
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

// nearly reports whether a and b differ by rounding, or are both no numbers: an infinite gradient times a derivative that is 0 is NaN, and
// infinite where the derivative has been computed as next to nothing. A derivative may be what is left of two terms that
// nearly cancel, and is then multiplied by a gradient of up to 100, or by one of the greatest.
func nearly[T Float](a, b T) bool {
	if a-a != 0 {
		return b-b != 0
	}
	if math.Abs(float64(b)) > 1e30 {
		b, a = b*0x1p-128, a*0x1p-128
	}
	return math.Abs(float64(a-b)) <= 1e-6*math.Abs(float64(b))+3e-5
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
					g := got[i][j]
					if !equalBits(g, w) && !(c.near && nearly(g, w)) {
						t.Fatalf("%s of %d %T: element %d of slice %d is %g, plain Go gives %g", c.name, n, w, j, i, g, w)
					}
				}
			}
		})
	}
}

// plainly calls f without the assembly.
func plainly(f func()) {
	defer func(vectors, avx512 bool) { haveVectors, haveAVX512 = vectors, avx512 }(haveVectors, haveAVX512)
	haveVectors, haveAVX512 = false, false
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
		if c.row {
			continue
		}
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
