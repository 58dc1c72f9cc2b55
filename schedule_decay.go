package paddle

import (
	"fmt"
	"math"
)

// ExponentialDecay multiplies the rate by Factor in every Every updates, smoothly: base · Factor^(n/Every). It is Fluid's
// exponential_decay and the "exp" of Paddle.
type ExponentialDecay struct {
	Every  int64
	Factor float64
}

// Rate implements Schedule.
func (s ExponentialDecay) Rate(base float64, n int64) float64 {
	return base * math.Pow(s.Factor, float64(n)/float64(s.Every))
}

func (s ExponentialDecay) check() error { return checkEvery(s.Every, s.Factor, "factor") }

// StepDecay multiplies the rate by Factor after every Every updates, at once: base · Factor^⌊n/Every⌋. It is Fluid's exponential_decay with
// its staircase, and the "discexp" of Paddle.
type StepDecay struct {
	Every  int64
	Factor float64
}

// Rate implements Schedule.
func (s StepDecay) Rate(base float64, n int64) float64 {
	return base * math.Pow(s.Factor, float64(n/s.Every))
}

func (s StepDecay) check() error { return checkEvery(s.Every, s.Factor, "factor") }

// NaturalExpDecay gives base · exp(−Decay·n/Every), Fluid's natural_exp_decay.
type NaturalExpDecay struct {
	Every int64
	Decay float64
}

// Rate implements Schedule.
func (s NaturalExpDecay) Rate(base float64, n int64) float64 {
	return base * math.Exp(-s.Decay*float64(n)/float64(s.Every))
}

func (s NaturalExpDecay) check() error { return checkEvery(s.Every, s.Decay, "decay") }

// InverseTimeDecay gives base / (1 + Decay·n/Every), Fluid's inverse_time_decay.
type InverseTimeDecay struct {
	Every int64
	Decay float64
}

// Rate implements Schedule.
func (s InverseTimeDecay) Rate(base float64, n int64) float64 {
	return base / (1 + s.Decay*float64(n)/float64(s.Every))
}

func (s InverseTimeDecay) check() error { return checkEvery(s.Every, s.Decay, "decay") }

// PolynomialDecay falls from base to End: (base−End)·(1 − n/Updates)^Power + End, and stays at End from n = Updates on; a power of 1 is a
// straight line. With Cycle it does not stay there, it rises again and falls on a longer slope: Updates is taken times ⌈n/Updates⌉. It is
// Fluid's polynomial_decay.
type PolynomialDecay struct {
	Updates int64
	End     float64
	Power   *float64 // nil: 1
	Cycle   bool
}

// Rate implements Schedule.
func (s PolynomialDecay) Rate(base float64, n int64) float64 {
	length := float64(s.Updates)
	if s.Cycle {
		length *= max(1, math.Ceil(float64(n)/length))
	}
	left := 1 - min(float64(n)/length, 1)
	return (base-s.End)*math.Pow(left, value(s.Power, 1)) + s.End
}

func (s PolynomialDecay) check() error {
	if p := value(s.Power, 1); !(p > 0) || math.IsInf(p, 0) {
		return fmt.Errorf("power %v, want more than 0", p)
	}
	return checkDecay(s.Updates, s.End)
}

// checkEvery checks a number of updates and a constant.
func checkEvery(every int64, x float64, name string) error {
	switch {
	case every < 1:
		return fmt.Errorf("every %d updates, want 1 or more", every)
	case !(x >= 0) || math.IsInf(x, 0):
		return fmt.Errorf("%s %v, want 0 or more", name, x)
	}
	return nil
}
