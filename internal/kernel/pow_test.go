package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Powers of all pairs of special numbers, and of numbers of all magnitudes, are within 0.6 units in the last place.
func TestPow(t *testing.T) { withKernels(t, testPow) }

func testPow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	inf := float32(math.Inf(1))
	special := []float32{0, 1, 2, 3, 0.5, 1.5, 0x1p-149, 0x1p-126, 16777215, 16777216, 1e30, 2e30, math.MaxFloat32, inf, float32(math.NaN())}
	for _, v := range special {
		special = append(special, -v)
	}
	var a, b []float32
	for _, p := range special {
		for _, q := range special {
			a, b = append(a, p), append(b, q)
		}
	}
	for range 20000 {
		base := math.Float32frombits(r.Uint32())
		power := float32(r.NormFloat64())
		if r.IntN(2) == 0 {
			power = float32(r.IntN(9) - 4)
		}
		a, b = append(a, base, r.Float32()*4), append(b, power, float32(r.NormFloat64()*30))
	}
	y := make([]float32, len(a))
	Pow(a, b, y)
	for i, got := range y {
		want := math.Pow(float64(a[i]), float64(b[i]))
		same, isSpecial := sameSpecial(got, want)
		if isSpecial && !same || !isSpecial && math.Abs(float64(got)-want) > 0.6*ulp32(want) {
			t.Fatalf("%g to the power of %g is %g, want %g", a[i], b[i], got, want)
		}
	}
	for n := range 200 { // by single operands, and in place
		p, q, each := a[5000:5000+n], b[5000:5000+n], make([]float32, n)
		if n > 5 {
			q = slices.Clone(q)
			q[n/2] = 0
		}
		Pow([]float32{1.25}, q, each)
		for i, got := range each {
			if want := math.Pow(1.25, float64(q[i])); math.Abs(float64(got)-want) > 0.6*ulp32(want) && !math.IsInf(float64(got), 0) {
				t.Fatalf("1.25 to the power of %g is %g, want %g", q[i], got, want)
			}
		}
		Pow(p, q, each)
		in, powers := slices.Clone(p), slices.Clone(q)
		Pow(in, q, in)
		Pow(p, powers, powers)
		if !sameBits(in, each) || !sameBits(powers, each) {
			t.Fatalf("in place, powers of %d elements are others", n)
		}
		Pow(p, []float32{1.5}, each)
		PowConst(p, in, 1.5, 0)
		if !sameBits(in, each) {
			t.Fatalf("Pow by one exponent gives other bits than PowConst")
		}
	}
}
