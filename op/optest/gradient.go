package optest

import (
	"fmt"

	"paddle/op"
)

// gradient checks the gradients: in Float64 by central differences, in other types against Float64.
func (k *checker) gradient(s, exact *subject) {
	switch {
	case k.c.NoGradient:
		k.refuses()
		return
	case s.grads == nil:
		return
	case exact != nil:
		k.agreesWith(s, exact)
		return
	}
	if !k.c.OnKink {
		k.differences(s, s.program, s.first)
	}
	k.alone(s)
}

// refuses looks whether asking for a gradient is an error that says that there is none.
func (k *checker) refuses() {
	r, err := newRig(k.c, k.dtype)
	if err != nil || !r.trainable() {
		return
	}
	r.feedDouts()
	if _, err = r.gradients(func(int) bool { return true }); err == nil {
		k.failf("the case says that there is no gradient, and there is one")
	}
}

// agreesWith compares the gradients with those of the exact subject.
func (k *checker) agreesWith(s, exact *subject) {
	for i, n := range s.wrt {
		if n == nil {
			continue
		}
		at := s.first.at(i)
		got, want := s.gradient(s.result, i, at), exact.gradient(exact.result, i, at)
		k.compare("the gradient of "+s.nameOf(i), got, want, toleranceOf(k.dtype).gradient, s.first)
	}
}

// alone differentiates each output while the others are not used, and each input while the others want no gradient.
func (k *checker) alone(s *subject) {
	if len(s.out) < 2 {
		return
	}
	for i := range s.out {
		r, err := newRig(k.c, k.dtype)
		if err != nil {
			k.failf("built again: %v", err)
			return
		}
		k.aloneOutput(r, s, i)
	}
}

// aloneOutput checks the value and the gradients of output i.
func (k *checker) aloneOutput(r *rig, s *subject, i int) {
	r.feedDouts()
	r.initial = s.initial
	var grads []*op.Node
	if r.hasGradient(i) {
		var err error
		if grads, err = r.gradients(func(j int) bool { return j == i }); err != nil {
			k.failf("gradient of output %d alone: %v", i, err)
			return
		}
	}
	p, err := r.compile(setting{threads: 1}, r.out[i:i+1], grads)
	if err != nil {
		k.failf("output %d alone: %v", i, err)
		return
	}
	res, err := p.run(s.first)
	if err != nil {
		k.failf("output %d alone: %v", i, err)
		return
	}
	if err := compareAll("output", s.result.out[i:i+1], res.out); err != nil {
		k.failf("output %d differs when no other output is used: %v", i, err)
	}
	if grads != nil && !k.c.OnKink {
		only := *s.first
		only.dout = make([]Array, len(s.out))
		for j, d := range s.first.dout {
			if only.dout[j] = d; j != i {
				only.dout[j] = NewArray(d.Shape...)
			}
		}
		k.differences(&subject{rig: r, program: s.program, result: res, grads: grads}, s.program, &only)
	}
}

const delta = 1e-5 // of central differences

// differences compares, for each input and parameter x and random directions v, ⟨dout, J·v⟩ with ⟨dx, v⟩. The outputs come from p,
// the gradients from s.result.
func (k *checker) differences(s *subject, p *program, at *point) {
	for i, n := range s.wrt {
		if n == nil || !s.precise(n) {
			continue
		}
		x := at.at(i)
		dx := s.gradient(s.result, i, x)
		for seed := range uint64(2) {
			v := random(x, 100+seed)
			want, err := k.slope(s, p, at, i, v)
			if err != nil {
				k.failf("%v", err)
				return
			}
			if got := dot(dx, v); !near(got, want, toleranceOf(k.dtype).gradient) {
				k.failf("%s", k.blame(s, p, at, i, dx, got, want))
				break
			}
		}
	}
}

// precise reports whether x and all outputs with gradients are Float64: in other types differences are too coarse.
func (r *rig) precise(x *op.Node) bool {
	for i, y := range r.out {
		if r.hasGradient(i) && y.DType() != op.Float64 {
			return false
		}
	}
	return x.DType() == op.Float64
}

// slope returns the derivative of ⟨dout, y⟩ in direction v of input or parameter number i.
func (k *checker) slope(s *subject, p *program, at *point, i int, v Array) (float64, error) {
	x := at.at(i)
	var sum [2]float64
	for j, h := range []float64{delta, -delta} {
		res, err := p.run(at.with(i, x.plus(h, v)))
		if err != nil {
			return 0, fmt.Errorf("%s moved by %v: %w", s.nameOf(i), h, err)
		}
		for o, d := range at.dout {
			if len(d.Data) > 0 {
				sum[j] += dot(arrayOf(res.out[o]), d)
			}
		}
	}
	return (sum[0] - sum[1]) / (2 * delta), nil
}

// blame looks for the element of an input whose gradient is most wrong.
func (k *checker) blame(s *subject, p *program, at *point, i int, dx Array, got, want float64) string {
	numeric := NewArray(dx.Shape...)
	for e := range numeric.Data {
		v := NewArray(dx.Shape...)
		v.Data[e] = 1
		numeric.Data[e], _ = k.slope(s, p, at, i, v)
	}
	e, ok := worst(dx, numeric, toleranceOf(k.dtype).gradient)
	if ok {
		return fmt.Sprintf("the gradient of %s in a random direction is %v, by differences %v; each element by itself is near enough", s.nameOf(i), got, want)
	}
	return fmt.Sprintf("the gradient of %s at %v is %v, by differences %v; %s, gradients of the outputs %v",
		s.nameOf(i), dx.index(e), dx.Data[e], numeric.Data[e], k.inputsText(at), at.dout)
}
