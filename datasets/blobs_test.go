package datasets

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// data returns the columns of a set as slices.
func data(t *testing.T, s *Set, name string) ([]float32, []int32) {
	t.Helper()
	batch := slices.Collect(values(s.InOrder(s.Len())))[0]
	return batch[name].Data().([]float32), batch["label"].Data().([]int32)
}

func TestBlobsCentres(t *testing.T) {
	for _, test := range []struct {
		features, classes int
		want              [][]float64
	}{
		{1, 2, [][]float64{{-0.5}, {0.5}}},
		{1, 3, [][]float64{{-1}, {0}, {1}}},
		{2, 4, [][]float64{{-0.5, -0.5}, {0.5, -0.5}, {-0.5, 0.5}, {0.5, 0.5}}},
		{2, 5, [][]float64{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {0, 0}}},
		{3, 1, [][]float64{{0, 0, 0}}},
	} {
		s, err := Blobs{Records: 20 * test.classes, Features: test.features, Classes: test.classes, Spread: 1e-3, Seed: 1}.Set()
		if err != nil {
			t.Fatal(err)
		}
		points, labels := data(t, s, "point")
		for i, class := range labels {
			if int(class) != i%test.classes {
				t.Fatalf("record %d has class %d of %d", i, class, test.classes)
			}
			for j, want := range test.want[class] {
				if x := float64(points[i*test.features+j]); math.Abs(x-want) > 0.01 {
					t.Errorf("%d features, class %d: coordinate %d is %v, want %v", test.features, class, j, x, want)
				}
			}
		}
	}
}

// TestBlobsError: with two classes in one dimension the best classifier is the sign, and its error Φ(−1/(2·Spread)).
func TestBlobsError(t *testing.T) {
	for _, spread := range []float64{0, 0.5, 1} {
		const n = 20000
		s, err := Blobs{Records: n, Features: 1, Classes: 2, Spread: spread, Seed: 7}.Set()
		if err != nil {
			t.Fatal(err)
		}
		points, labels := data(t, s, "point")
		wrong := 0.0
		for i, x := range points {
			if (x > 0) != (labels[i] == 1) {
				wrong++
			}
		}
		if spread == 0 {
			spread = 0.1 // the default
		}
		want := math.Erfc(0.5/spread/math.Sqrt2) / 2
		if got := wrong / n; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n) {
			t.Errorf("spread %v: the error is %.4f, want %.4f", spread, got, want)
		}
	}
}

func TestBlobsSeeds(t *testing.T) {
	draw := func(b Blobs) []float32 {
		s, err := b.Set()
		if err != nil {
			t.Fatal(err)
		}
		points, _ := data(t, s, "point")
		return points
	}
	b := Blobs{Records: 10, Features: 3, Classes: 4, Seed: 5}
	long, other := b, b
	long.Records, other.Seed = 20, 6
	same(t, "a longer set", draw(long)[:30], draw(b))
	if slices.Equal(draw(b), draw(other)) {
		t.Error("two seeds draw the same points")
	}
}

func TestBlobsOptions(t *testing.T) {
	for want, b := range map[string]Blobs{
		"datasets.Blobs: 0 records of 2 features in 3 classes, want at least 1 of each": {Features: 2, Classes: 3},
		"datasets.Blobs: the spread is -1, want a positive number":                      {Records: 1, Features: 1, Classes: 1, Spread: -1},
		"are more than memory or a label can hold":                                      {Records: 1 << 20, Features: math.MaxInt >> 18, Classes: 1},
		`datasets.Blobs: both inputs have the name "point"`:                             {Records: 1, Features: 1, Classes: 1, Label: "point"},
	} {
		_, err := b.Set()
		contains(t, err, want)
	}
	if _, err := (Blobs{Records: 1, Features: 1, Classes: math.MaxInt32}).Set(); err != nil { // at once, although the grid is long
		t.Error(err)
	}
	s, err := Blobs{Records: 1, Features: 2, Classes: 1, Point: "x", Label: "y"}.Set()
	if err != nil || fmt.Sprint(s.names) != "[x y]" {
		t.Errorf("%v, %v", s.names, err)
	}
}
