package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The loss and its slope are within 0.6 units in the last place, for logits of all magnitudes and targets that are 0, 1 or between; the slope but
// for 2⁻³¹ of what cancels.
func TestLogisticLoss(t *testing.T) { withKernels(t, testLogisticLoss) }

func testLogisticLoss(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x, target := []float32{0, 0, 0, 50, 50, -50, -50, 1e30, -1e30}, []float32{0, 1, 0.5, 0, 1, 0, 1, 1, 0}
	for range 60001 {
		v := float32(r.NormFloat64() * 4)
		if r.IntN(3) == 0 {
			v = math.Float32frombits(r.Uint32()&0x807fffff | (60+r.Uint32N(80))<<23)
		}
		x, target = append(x, v), append(target, []float32{0, 1, r.Float32()}[r.IntN(3)])
	}
	for _, n := range []int{len(x), 0, 1, 7, 8, 9, 31} {
		y, slopes := make([]float32, n), make([]float32, n)
		LogisticLoss(x[:n], target[:n], y)
		LogisticSlope(x[:n], target[:n], slopes)
		for i, got := range y {
			v, p := float64(x[i]), float64(target[i])
			want := math.Max(v, 0) - v*p + math.Log1p(math.Exp(-math.Abs(v)))
			if math.Abs(float64(got)-want) > 0.6*ulp32(want) {
				t.Fatalf("the loss of %g for %g is %g, want %g", v, p, got, want)
			}
			up, down := (1-p)/(1+math.Exp(-v)), p/(1+math.Exp(v))
			if want := up - down; math.Abs(float64(slopes[i])-want) > 0.6*ulp32(want)+0x1p-31*min(up, down) {
				t.Fatalf("the slope of %g for %g is %g, want %g", v, p, slopes[i], want)
			}
		}
	}
	y := []float32{1, 2, 3}
	LogisticLoss([]float32{2}, []float32{0.25}, y)
	if want := float32(1.5 + math.Log1p(math.Exp(-2))); y[0] != want || y[2] != want {
		t.Errorf("of single operands the losses are %v, want %g", y, want)
	}
}
