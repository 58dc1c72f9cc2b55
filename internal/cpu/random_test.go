package cpu

import (
	"math"
	"testing"

	"paddle/op"
)

// moments returns the mean, the variance, and the third and fourth moment of standardised numbers.
func moments(v []float64) (mean, variance, skew, kurtosis float64) {
	n := float64(len(v))
	for _, x := range v {
		mean += x / n
	}
	for _, x := range v {
		variance += (x - mean) * (x - mean) / n
	}
	for _, x := range v {
		z := (x - mean) / math.Sqrt(variance)
		skew += z * z * z / n
		kurtosis += z * z * z * z / n
	}
	return mean, variance, skew, kurtosis
}

func TestRandomMoments(t *testing.T) {
	b := New()
	b.SetThreads(2)
	const n = 400001
	for _, d := range bothFloats {
		y := garbage(d, n)
		b.Uniform(op.Key{Seed: 1}, -2, 4, y)
		mean, variance, skew, kurtosis := moments(values(y))
		if math.Abs(mean-1) > 0.02 || math.Abs(variance-3) > 0.02 || math.Abs(skew) > 0.02 || math.Abs(kurtosis-1.8) > 0.02 {
			t.Errorf("%v uniform in [-2, 4): mean %g, variance %g, skewness %g, kurtosis %g, want 1, 3, 0, 1.8", d, mean, variance, skew, kurtosis)
		}
		for i, v := range values(y) {
			if v < -2 || v >= 4 {
				t.Fatalf("%v uniform in [-2, 4): element %d is %g", d, i, v)
			}
		}
		b.Normal(op.Key{Seed: 1}, 5, 2, y)
		mean, variance, skew, kurtosis = moments(values(y))
		if math.Abs(mean-5) > 0.02 || math.Abs(variance-4) > 0.05 || math.Abs(skew) > 0.03 || math.Abs(kurtosis-3) > 0.05 {
			t.Errorf("%v normal of mean 5, deviation 2: mean %g, variance %g, skewness %g, kurtosis %g, want 5, 4, 0, 3", d, mean, variance, skew, kurtosis)
		}
	}
}

// TestRandomElementsDependOnPlaceOnly: a longer buffer begins with the shorter one, whatever the lengths.
func TestRandomElementsDependOnPlaceOnly(t *testing.T) {
	b, key := New(), op.Key{Seed: 3, Node: 4, Step: 5}
	for _, d := range bothFloats {
		long := garbage(d, 3*randomGrain+1)
		for _, n := range []int{0, 1, 2, 3, 5, randomGrain - 1, randomGrain + 2} {
			short := garbage(d, n)
			b.Uniform(key, 0, 1, long)
			b.Uniform(key, 0, 1, short)
			check(t, "Uniform", short, values(long)[:n], 0)
			b.Normal(key, 0, 1, long)
			b.Normal(key, 0, 1, short)
			check(t, "Normal", short, values(long)[:n], 0)
		}
	}
	x, y := garbage(op.Float64, 1000), garbage(op.Float64, 1000)
	b.Uniform(key, 0, 1, x)
	for _, other := range []op.Key{{Seed: 4, Node: 4, Step: 5}, {Seed: 3, Node: 5, Step: 5}, {Seed: 3, Node: 4, Step: 6}} {
		b.Uniform(other, 0, 1, y)
		correlation := 0.0
		for i, v := range x.Float64s() {
			correlation += (v - 0.5) * (y.Float64s()[i] - 0.5) * 12 / 1000
		}
		if math.Abs(correlation) > 0.15 {
			t.Errorf("keys %v and %v correlate by %g", key, other, correlation)
		}
	}
}

func TestDropout(t *testing.T) {
	r, b := newRand(1), New()
	b.SetThreads(2)
	const n = 50003
	for _, d := range bothFloats {
		for _, p := range []float64{0.1, 0.5, 0.9} {
			key := op.Key{Seed: 7, Node: 8, Step: 9}
			x, ones := random(r, d, n), op.NewBuffer(d, n)
			b.Fill(ones, 1)
			y, mask := like(x), like(x)
			b.Dropout(key, p, x, y)
			b.Dropout(key, p, ones, mask) // the gradient of ones
			kept := 0
			for i := range n {
				scale := 0.0
				if get(mask, i) != 0 {
					scale = 1 / (1 - p)
					kept++
				}
				if !same(get(mask, i), scale, 1e-6) || !same(get(y, i), get(x, i)*scale, 1e-6) {
					t.Fatalf("p = %g: %g becomes %g where 1 becomes %g", p, get(x, i), get(y, i), get(mask, i))
				}
			}
			if share := float64(kept) / n; math.Abs(share-(1-p)) > 0.01 {
				t.Errorf("p = %g keeps %g", p, share)
			}
			b.Dropout(key, p, x, x)
			check(t, "in place", x, values(y), 0)
			b.Dropout(op.Key{Seed: 7, Node: 8, Step: 10}, p, ones, y)
			if string(y.Bytes()) == string(mask.Bytes()) {
				t.Error("two steps have the same mask")
			}
		}
		x := random(r, d, n)
		set(x, 0, math.NaN())
		y := like(x)
		b.Dropout(op.Key{}, 0, x, y)
		if string(x.Bytes()) != string(y.Bytes()) {
			t.Errorf("%v: dropout with p = 0 changes the bits", d)
		}
		b.Dropout(op.Key{}, 1, x, y)
		check(t, "p = 1", y, make([]float64, n), 0)
	}
}
