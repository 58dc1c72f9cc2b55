package paddle

import (
	"fmt"
	"math"
)

// Schedule gives the learning rate of each update. The schedules of this package count updates that took place: a step that was skipped
// because its gradients overflowed does not advance them. They have no state, so that a resumed training goes on where it stopped.
type Schedule interface {
	// Rate returns the learning rate of the next update after n updates, where base is the optimizer's LearningRate.
	Rate(base float64, n int64) float64
}

// scheduled returns the rate of s, the base rate where there is no schedule.
func scheduled(s Schedule, base float64, n int64) float64 {
	if s == nil {
		return base
	}
	return s.Rate(base, n)
}

// checked is a schedule whose settings can be wrong.
type checked interface{ check() error }

// checkSchedule returns what is wrong with the settings of s, as far as it is of this package.
func checkSchedule(s Schedule) error {
	c, ok := s.(checked)
	if !ok {
		return nil
	}
	if err := c.check(); err != nil {
		return fmt.Errorf("schedule %T: %w", s, err)
	}
	return nil
}

// Piecewise gives the rate base·Factors[i] where i boundaries have been reached, n ≥ Boundaries[i−1]: steps at places of one's own. It is
// Fluid's piecewise_decay, which takes rates; with base 1 the factors are rates.
type Piecewise struct {
	Boundaries []int64   // ascending
	Factors    []float64 // one more than boundaries
}

// Rate implements Schedule.
func (s Piecewise) Rate(base float64, n int64) float64 {
	i := 0
	for i < len(s.Boundaries) && n >= s.Boundaries[i] {
		i++
	}
	return base * s.Factors[i]
}

func (s Piecewise) check() error {
	if len(s.Factors) != len(s.Boundaries)+1 {
		return fmt.Errorf("%d factors for %d boundaries, want one more", len(s.Factors), len(s.Boundaries))
	}
	for i := 1; i < len(s.Boundaries); i++ {
		if s.Boundaries[i] <= s.Boundaries[i-1] {
			return fmt.Errorf("boundaries %v, want them ascending", s.Boundaries)
		}
	}
	for _, f := range s.Factors {
		if !(f >= 0) || math.IsInf(f, 0) {
			return fmt.Errorf("factor %v, want 0 or more", f)
		}
	}
	return nil
}

// Noam rises linearly and then falls with the root of the step (Vaswani et al., 2017, eq. 3): with t = n+1,
// base · Width^−½ · min(t^−½, t·Warmup^−³ᐟ²). Its peak, at t = Warmup, is base/√(Width·Warmup).
type Noam struct {
	Width  int   // of the model
	Warmup int64 // in updates
}

// Rate implements Schedule.
func (s Noam) Rate(base float64, n int64) float64 {
	t, w := float64(n+1), float64(s.Warmup)
	return base / math.Sqrt(float64(s.Width)) * min(1/math.Sqrt(t), t/(w*math.Sqrt(w)))
}

func (s Noam) check() error {
	if s.Width < 1 || s.Warmup < 1 {
		return fmt.Errorf("width %d and warm-up %d, want 1 or more of each", s.Width, s.Warmup)
	}
	return nil
}

// Cosine falls from base to End along half a cosine: End + ½(base−End)(1 + cos(π·n/Updates)), and stays at End from n = Updates on
// (Loshchilov and Hutter, 2017, eq. 5, without restarts).
type Cosine struct {
	Updates int64
	End     float64
}

// Rate implements Schedule.
func (s Cosine) Rate(base float64, n int64) float64 {
	if n >= s.Updates {
		return s.End
	}
	return s.End + (base-s.End)*(1+math.Cos(math.Pi*float64(n)/float64(s.Updates)))/2
}

func (s Cosine) check() error { return checkDecay(s.Updates, s.End) }

// Warmup rises in Updates updates from Start to base, Start + (base−Start)·n/Updates, and then goes on with Then, which counts from the
// end of the warm-up: so the rate is continuous at that point, which Fluid's linear_lr_warmup, whose inner schedule counts from
// the start, is not.
type Warmup struct {
	Updates int64
	Start   float64
	Then    Schedule // nil: constant
}

// Rate implements Schedule.
func (s Warmup) Rate(base float64, n int64) float64 {
	if n < s.Updates {
		return s.Start + (base-s.Start)*float64(n)/float64(s.Updates)
	}
	return scheduled(s.Then, base, n-s.Updates)
}

func (s Warmup) check() error {
	if err := checkDecay(s.Updates, s.Start); err != nil {
		return err
	}
	return checkSchedule(s.Then)
}

// checkDecay checks a number of updates and a rate.
func checkDecay(steps int64, rate float64) error {
	switch {
	case steps < 1:
		return fmt.Errorf("%d updates, want 1 or more", steps)
	case !(rate >= 0) || math.IsInf(rate, 0):
		return fmt.Errorf("rate %v, want 0 or more", rate)
	}
	return nil
}
