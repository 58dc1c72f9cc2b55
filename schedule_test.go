package paddle_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"paddle"
	"paddle/op"
)

// The wanted rates are computed by hand from the formulas.
func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		s    paddle.Schedule
		base float64
		want map[int64]float64
	}{
		{paddle.StepDecay{Every: 10, Factor: 0.5}, 0.8, map[int64]float64{0: 0.8, 9: 0.8, 10: 0.4, 25: 0.2}},
		{paddle.ExponentialDecay{Every: 10, Factor: 0.25}, 0.8, map[int64]float64{0: 0.8, 5: 0.4, 10: 0.2, 20: 0.05}},
		{paddle.NaturalExpDecay{Every: 10, Decay: math.Ln2}, 1, map[int64]float64{0: 1, 10: 0.5, 15: math.Sqrt2 / 4, 30: 0.125}},
		{paddle.InverseTimeDecay{Every: 10, Decay: 0.5}, 1, map[int64]float64{0: 1, 10: 2.0 / 3, 20: 0.5, 60: 0.25}},
		{paddle.PolynomialDecay{Updates: 10, End: 0.2}, 1, map[int64]float64{0: 1, 5: 0.6, 10: 0.2, 11: 0.2, 100: 0.2}},
		{paddle.PolynomialDecay{Updates: 10, End: 0.2, Power: new(2.0)}, 1, map[int64]float64{0: 1, 5: 0.4, 10: 0.2}},
		// In the second cycle the slope takes 20 updates, in the third 30.
		{paddle.PolynomialDecay{Updates: 10, Cycle: true}, 1, map[int64]float64{0: 1, 5: 0.5, 10: 0, 15: 0.25, 20: 0, 24: 0.2}},
		{paddle.Piecewise{Boundaries: []int64{3, 5}, Factors: []float64{1, 0.5, 0.1}}, 2, map[int64]float64{0: 2, 2: 2, 3: 1, 4: 1, 5: 0.2, 99: 0.2}},
		{paddle.Noam{Width: 64, Warmup: 4}, 1, map[int64]float64{0: 1.0 / 64, 1: 2.0 / 64, 3: 1.0 / 16, 15: 1.0 / 32, 63: 1.0 / 64}},
		{paddle.Cosine{Updates: 12, End: 0.1}, 1.1, map[int64]float64{0: 1.1, 4: 0.85, 6: 0.6, 8: 0.35, 12: 0.1, 13: 0.1}},
		{paddle.Warmup{Updates: 4, Start: 0.2}, 1, map[int64]float64{0: 0.2, 1: 0.4, 2: 0.6, 4: 1, 99: 1}},
		{paddle.Warmup{Updates: 4, Then: paddle.StepDecay{Every: 2, Factor: 0.5}}, 1, map[int64]float64{0: 0, 3: 0.75, 4: 1, 5: 1, 6: 0.5, 8: 0.25}},
	} {
		for n, want := range c.want {
			if got := c.s.Rate(c.base, n); !near(got, want, 1e-12) {
				t.Errorf("%T%+v.Rate(%v, %d) = %v, want %v", c.s, c.s, c.base, n, got, want)
			}
		}
	}
}

func TestScheduleMistakes(t *testing.T) {
	for _, c := range []struct {
		s    paddle.Schedule
		want string
	}{
		{paddle.StepDecay{Factor: 0.5}, "paddle.StepDecay: every 0 updates, want 1 or more"},
		{paddle.ExponentialDecay{Every: 1, Factor: -1}, "paddle.ExponentialDecay: factor -1, want 0 or more"},
		{paddle.NaturalExpDecay{Every: 1, Decay: math.NaN()}, "paddle.NaturalExpDecay: decay NaN, want 0 or more"},
		{paddle.InverseTimeDecay{}, "paddle.InverseTimeDecay: every 0 updates"},
		{paddle.PolynomialDecay{Updates: 5, Power: new(0.0)}, "paddle.PolynomialDecay: power 0, want more than 0"},
		{paddle.Piecewise{}, "paddle.Piecewise: 0 factors for 0 boundaries, want one more"},
		{paddle.Piecewise{Boundaries: []int64{5, 5}, Factors: []float64{1, 1, 1}}, "boundaries [5 5], want them ascending"},
		{paddle.Noam{}, "width 0 and warm-up 0, want 1 or more of each"},
		{paddle.Cosine{}, "paddle.Cosine: 0 updates, want 1 or more"},
		{paddle.Warmup{Updates: 1, Start: -1}, "paddle.Warmup: rate -1, want 0 or more"},
		{paddle.Warmup{Updates: 1, Then: paddle.Cosine{}}, "paddle.Warmup: schedule paddle.Cosine: 0 updates"},
	} {
		_, g, w := scalar(t, 1)
		loss := op.Mul(w, op.Mean(g.Input("x", op.Float32, op.Batch)))
		for _, o := range []paddle.Optimizer{
			paddle.SGD{LearningRate: 1, Schedule: c.s}, paddle.Momentum{LearningRate: 1, Schedule: c.s}, paddle.Adam{LearningRate: 1, Schedule: c.s},
			paddle.AdamW{LearningRate: 1, Schedule: c.s}, paddle.AdaGrad{LearningRate: 1, Schedule: c.s},
		} {
			if _, err := paddle.NewTrainer(loss, o); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%T: got %v, want %s", o, err, c.want)
			}
		}
	}
}

// badRate is a schedule of a user's own that goes wrong after one update.
type badRate struct{}

func (badRate) Rate(base float64, n int64) float64 { return base / float64(1-n) }

func TestRateThatIsNoNumber(t *testing.T) {
	m, g, w := scalar(t, 1)
	loss := op.Mul(w, op.Mean(g.Input("x", op.Float32, op.Batch)))
	trainer := must(paddle.NewTrainer(loss, paddle.SGD{LearningRate: 0.5, Schedule: badRate{}}))(t)
	feeds := op.Feeds{"x": floats([]int{1}, 1)}
	if s := must(trainer.Step(context.Background(), feeds))(t); s.LearningRate != 0.5 || m.value()[0] != 0.5 {
		t.Errorf("rate %v and w %v, want 0.5 and 0.5", s.LearningRate, m.value())
	}
	_, err := trainer.Step(context.Background(), feeds)
	if err == nil || !strings.Contains(err.Error(), "the learning rate after 1 updates is +Inf, want a number from 0 up") {
		t.Errorf("got %v, want an error about the rate", err)
	}
	if m.value()[0] != 0.5 || trainer.Updates() != 1 {
		t.Errorf("w is %v after %d updates, want 0.5 after 1", m.value(), trainer.Updates())
	}
}

func ExampleWarmup() {
	s := paddle.Warmup{Updates: 100, Then: paddle.Cosine{Updates: 900}}
	for _, n := range []int64{0, 50, 100, 550, 1000} {
		fmt.Printf("after %4d updates %.4f\n", n, s.Rate(0.1, n))
	}
	// Output:
	// after    0 updates 0.0000
	// after   50 updates 0.0500
	// after  100 updates 0.1000
	// after  550 updates 0.0500
	// after 1000 updates 0.0000
}
