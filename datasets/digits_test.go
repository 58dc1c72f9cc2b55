package datasets

import (
	"math"
	"slices"
	"testing"
)

func TestDigits(t *testing.T) {
	d := Digits{Records: 30, Noise: 0.1, Seed: 3}
	s, err := d.Set()
	if err != nil {
		t.Fatal(err)
	}
	batch := slices.Collect(values(s.InOrder(30)))[0]
	same(t, "shape", batch["image"].Shape(), []int{30, 1, 28, 28})
	pixels, labels := data(t, s, "image")
	for i, class := range labels {
		if int(class) != i%10 {
			t.Fatalf("image %d is a %d", i, class)
		}
		if ink := mean(pixels[784*i : 784*(i+1)]); ink < 0.05 || ink > 0.4 {
			t.Errorf("image %d has the mean %v", i, ink)
		}
	}
	if lo, hi := slices.Min(pixels), slices.Max(pixels); lo < 0 || hi > 1 {
		t.Errorf("pixels go from %v to %v, want 0 to 1", lo, hi)
	}
	d.Records = 40
	longer, _ := d.Set()
	again, _ := data(t, longer, "image")
	same(t, "a longer set", again[:len(pixels)], pixels)
	d.Seed = 4
	other, _ := d.Set()
	if otherPixels, _ := data(t, other, "image"); slices.Equal(otherPixels, again) {
		t.Error("two seeds draw the same images")
	}
}

func mean(x []float32) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v)
	}
	return sum / float64(len(x))
}

// TestDigitsStayInside: at most noise reaches the border, in any place, size and turn.
func TestDigitsStayInside(t *testing.T) {
	s, err := Digits{Records: 500}.Set()
	if err != nil {
		t.Fatal(err)
	}
	pixels, _ := data(t, s, "image")
	inside := 0.0
	for i, x := range pixels {
		row, column := i/28%28, i%28
		if x > 0 && (row == 0 || row == 27 || column == 0 || column == 27) {
			inside += float64(x)
		}
	}
	if inside > 0.01*500 {
		t.Errorf("the border has %v ink in 500 images", inside)
	}
}

// TestDigitsCanBeLearnt trains a linear classifier, in float64, on 1000 images and tests it on 500 others. Guessing gives 0.1.
func TestDigitsCanBeLearnt(t *testing.T) {
	s, err := Digits{Records: 1500, Noise: 0.1, Seed: 1}.Set()
	if err != nil {
		t.Fatal(err)
	}
	train, _ := s.Slice(0, 1000)
	test, _ := s.Slice(1000, 1500)
	var w [10][784]float64
	score := func(x []float32) (p [10]float64) {
		for c := range p {
			for k, v := range x {
				p[c] += w[c][k] * float64(v)
			}
		}
		return p
	}
	for epoch := range 5 {
		for batch := range train.Shuffled(1, BatchOptions{Size: 1, Live: 1})(epoch) {
			x, class := batch["image"].Data().([]float32), batch["label"].Data().([]int32)[0]
			p := softmax(score(x))
			p[class]--
			for c := range w {
				for k, v := range x {
					w[c][k] -= 0.02 * p[c] * float64(v)
				}
			}
		}
	}
	pixels, labels := data(t, test, "image")
	right := 0
	for i, class := range labels {
		p := score(pixels[784*i : 784*(i+1)])
		if slices.Index(p[:], slices.Max(p[:])) == int(class) {
			right++
		}
	}
	t.Logf("%d of 500 are right", right)
	if right < 475 {
		t.Errorf("%d of 500 are right, want at least 475", right)
	}
}

func softmax(x [10]float64) [10]float64 {
	top, sum := slices.Max(x[:]), 0.0
	for c := range x {
		x[c] = math.Exp(x[c] - top)
		sum += x[c]
	}
	for c := range x {
		x[c] /= sum
	}
	return x
}

func TestDigitsOptions(t *testing.T) {
	for want, d := range map[string]Digits{
		"datasets.Digits: 0 records, want at least 1":          {},
		"records, want at most":                                {Records: math.MaxInt},
		"datasets.Digits: the noise is -1, want a number of":   {Records: 1, Noise: -1},
		`datasets.Digits: both inputs have the name "image"`:   {Records: 1, Label: "image"},
		"datasets.Digits: the noise is NaN, want a number of ": {Records: 1, Noise: math.NaN()},
	} {
		_, err := d.Set()
		contains(t, err, want)
	}
}
