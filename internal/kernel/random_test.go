package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPhilox checks the known answers that come with the authors' Random123 library (kat_vectors, philox4x32 10).
func TestPhilox(t *testing.T) {
	const ones = 0xffffffff
	for _, c := range []struct {
		c    [4]uint32
		k    [2]uint32
		want [4]uint32
	}{
		{[4]uint32{}, [2]uint32{}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{ones, ones, ones, ones}, [2]uint32{ones, ones}, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [2]uint32{0xa4093822, 0x299f31d0},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		var got [4]uint32
		if got[0], got[1], got[2], got[3] = Philox(c.c[0], c.c[1], c.c[2], c.c[3], c.k[0], c.k[1]); got != c.want {
			t.Errorf("Philox(%x, %x) = %x, want %x", c.c, c.k, got, c.want)
		}
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[[4]uint32][3]uint64{}
	for seed := range uint64(6) {
		for node := range uint64(6) {
			for step := range uint64(6) {
				s := NewStream(seed, node, step<<31)
				for n := range uint64(3) {
					var w [4]uint32
					w[0], w[1], w[2], w[3] = s.Block(n << 31)
					if other, ok := seen[w]; ok {
						t.Fatalf("streams %v and %v share block %x", other, [3]uint64{seed, node, step}, w)
					}
					seen[w] = [3]uint64{seed, node, step}
				}
			}
		}
	}
}

func TestUniformStaysBelowHi(t *testing.T) {
	for _, c := range [][2]float64{{0, 1}, {-1, 1}, {1e6, 1e6 + 0.125}, {-3, -2.9999998}} {
		y := make([]float32, 1<<16)
		Uniform(NewStream(1, 2, 3), 0, c[0], c[1], y)
		for i, v := range y {
			if !(v >= float32(c[0]) && v < float32(c[1])) {
				t.Fatalf("Uniform in [%g, %g): element %d is %g", c[0], c[1], i, v)
			}
		}
	}
	if v := before[float32](0, 1); v != math.Nextafter32(1, 0) {
		t.Errorf("before 1 comes %g, want the next float32", v)
	}
	y := []float32{0}
	Uniform(NewStream(1, 2, 3), 0, 5, 5, y)
	if y[0] != 5 {
		t.Errorf("Uniform in [5, 5) = %g, want 5", y[0])
	}
}

// TestRandomWordsByVectors compares the assembly with plain Go, at lengths and blocks around the ends of what it does at once, and where
// the number of a block needs more than 32 bits.
func TestRandomWordsByVectors(t *testing.T) {
	s := NewStream(1, 2, 3<<40)
	for _, block := range []uint64{0, 7, 1<<32 - 3, 1<<63 + 5, math.MaxUint64 - 4} {
		for _, n := range []int{0, 1, 31, 32, 33, 64, 100, 1000} {
			x := random[float32](rand.New(rand.NewPCG(1, 2)), n)
			for _, p := range []float64{1e-12, 0.3, 0.999, 1 - 1e-12} {
				got, want := make([]float32, n), make([]float32, n)
				Dropout(s, block, p, 1.25, x, got)
				plainly(func() { Dropout(s, block, p, 1.25, x, want) })
				if !sameBits(got, want) {
					t.Fatalf("Dropout(%g) of %d elements from block %d: %v, plain Go gives %v", p, n, block, got, want)
				}
			}
			got, want := make([]float32, n), make([]float32, n)
			Uniform(s, block, -0.3, 1.7, got)
			plainly(func() { Uniform(s, block, -0.3, 1.7, want) })
			if !sameBits(got, want) {
				t.Fatalf("Uniform of %d elements from block %d: %v, plain Go gives %v", n, block, got, want)
			}
		}
	}
}

// TestNormalByVectors compares normal numbers with those of the same words by package math, wherever they begin.
func TestNormalByVectors(t *testing.T) { withKernels(t, testNormalByVectors) }

func testNormalByVectors(t *testing.T) {
	s := NewStream(4, 5, 6)
	const blocks = 20000
	want := make([]float64, 4*blocks)
	var u [4]float64
	for i := 0; i < len(want); i += 4 {
		units[float32](s, uint64(i/4), &u)
		for j := 0; j < 4; j += 2 {
			r := math.Sqrt(-2 * math.Log1p(-u[j]))
			want[i+j], want[i+j+1] = r*math.Cos(2*math.Pi*u[j+1]), r*math.Sin(2*math.Pi*u[j+1])
		}
	}
	for _, c := range []struct{ first, n int }{{0, len(want)}, {4, 31}, {40, 32}, {44, 97}, {8, 0}, {12, 1}} {
		y, shifted := make([]float32, c.n), make([]float32, c.n)
		Normal(s, uint64(c.first/4), 0, 1.5, y)
		Normal(s, uint64(c.first/4), 3, 1.5, shifted)
		for i, got := range y {
			w := 1.5 * want[c.first+i]
			if e := math.Abs(float64(got) - w); e > 0.6*ulp32(w)+1e-9 {
				t.Fatalf("element %d of %d from %d is %g, want %g", i, c.n, c.first, got, w)
			}
			if e := math.Abs(float64(shifted[i]) - (w + 3)); e > 0.6*ulp32(w+3)+1e-9 {
				t.Fatalf("element %d of mean 3 is %g, want %g", i, shifted[i], w+3)
			}
		}
	}
}
