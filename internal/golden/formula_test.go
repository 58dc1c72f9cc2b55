package golden

import (
	"math"
	"slices"
	"testing"
)

// hashes returns n numbers that depend on the name: the FNV-1a hash of the name selects a place in a Weyl sequence, and the finaliser of
// MurmurHash3 mixes it. formula.py computes the same.
func hashes(name string, n int) []uint32 {
	seed := uint32(2166136261)
	for _, b := range []byte(name) {
		seed = (seed ^ uint32(b)) * 16777619
	}
	out := make([]uint32, n)
	for i := range out {
		x := uint32(i)*0x9E3779B9 + seed
		x = (x ^ x>>16) * 0x85EBCA6B
		x = (x ^ x>>13) * 0xC2B2AE35
		out[i] = x ^ x>>16
	}
	return out
}

// values returns n numbers from offset − scale to offset + scale.
func values(name string, n int, scale, offset float64) []float64 {
	out := make([]float64, n)
	for i, h := range hashes(name, n) {
		out[i] = (float64(h>>16)-32768)*(scale/32768) + offset
	}
	return out
}

// digest is what is kept of a large array: its norm; its product with signs that depend on its name, to which each element in its place
// counts; and up to 16 of its elements.
type digest struct {
	Norm, Dot float64
	Samples   []float64
}

func digestOf(name string, x []float64) digest {
	var d digest
	squares := 0.0
	for i, h := range hashes(name+".sign", len(x)) {
		squares += x[i] * x[i]
		if h>>31 == 1 {
			d.Dot += x[i]
		} else {
			d.Dot -= x[i]
		}
	}
	d.Norm = math.Sqrt(squares)
	n := min(len(x), 16)
	for k := range n {
		at := k
		if len(x) > n {
			at = k * (len(x) - 1) / (n - 1)
		}
		d.Samples = append(d.Samples, x[at])
	}
	return d
}

// The hashes and the sum with signs are what formula.py gives.
func TestFormula(t *testing.T) {
	for name, want := range map[string][]uint32{"": {0xab3e7c0b, 0x9cef78c, 0x79661de2}, "lenet/images": {0xda34090, 0x4f661ec}} {
		if got := hashes(name, len(want)); !slices.Equal(got, want) {
			t.Errorf("hashes of %q are %#x, want %#x", name, got, want)
		}
	}
	for _, x := range values("x", 1000, 0.5, 0.5) {
		if x < 0 || x >= 1 || float64(float32(x)) != x {
			t.Fatalf("value %v, want one in [0, 1) that is exact in float32", x)
		}
	}
	if d := digestOf("x", []float64{3, -4}); d.Norm != 5 || d.Dot != -1 || !slices.Equal(d.Samples, []float64{3, -4}) {
		t.Errorf("digest %+v of 3 and -4, want norm 5, dot -1 and both", d)
	}
}
