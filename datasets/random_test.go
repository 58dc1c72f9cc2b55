package datasets

import "testing"

// TestRandomNeverChanges: these numbers are our own; a run that is resumed with a later version must draw what it would have drawn.
func TestRandomNeverChanges(t *testing.T) {
	same(t, "order", Random{Seed: 7, Epoch: 2}.perm(8), []int{0, 4, 6, 7, 1, 3, 2, 5})
	rng := Random{Seed: 7, Epoch: 2}.Sample(5)
	same(t, "sample", []uint64{rng.Uint64(), rng.Uint64()}, []uint64{11588082416093178796, 15270623771046553920})
}

func TestRandomStreamsDiffer(t *testing.T) {
	seen := map[uint64][3]int{}
	for seed := range 20 {
		for epoch := range 20 {
			for index := range 20 {
				v := Random{Seed: uint64(seed), Epoch: epoch}.Sample(index).Uint64()
				if at, ok := seen[v]; ok {
					t.Fatalf("(seed, epoch, index) %v and %v give the same number", at, [3]int{seed, epoch, index})
				}
				seen[v] = [3]int{seed, epoch, index}
			}
		}
	}
}

// TestNeighbouringStreams: the first numbers of the streams of neighbouring records are together uniform, so that 10,000 records
// that each draw one number see its whole distribution. The statistic is chi-squared with 99 degrees of freedom: the mean is 99, and
// 160 has a probability under 1e-4.
func TestNeighbouringStreams(t *testing.T) {
	var bins [100]float64
	for i := range 10000 {
		bins[int(100*Random{Seed: 1}.Sample(i).Float64())]++
	}
	chi := 0.0
	for _, n := range bins {
		chi += (n - 100) * (n - 100) / 100
	}
	if chi > 160 {
		t.Errorf("chi-squared is %.1f, want about 99", chi)
	}
}
