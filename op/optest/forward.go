package optest

import (
	"fmt"
	"slices"
	"strings"
)

// forward compares the first run with what the case wants.
func (k *checker) forward(s *subject) {
	k.wanted(s)
	k.agrees(s.rig, s.first, s.result)
	k.wantedGradients(s)
}

// wanted compares the outputs with the case's numbers.
func (k *checker) wanted(s *subject) {
	if n := len(k.c.Want); n > len(s.result.out) {
		k.failf("the case wants %d outputs, there are %d", n, len(s.result.out))
		return
	}
	for i, want := range k.c.Want {
		if want == nil {
			continue
		}
		b := s.result.out[i]
		got := arrayOf(b)
		if len(want) != len(got.Data) {
			k.failf("output %d has shape %v, want %d elements", i, got.Shape, len(want))
			continue
		}
		k.compare(fmt.Sprintf("output %d", i), got, Array{got.Shape, want}, toleranceOf(b.DType).value, s.first)
	}
}

// agrees compares the outputs of a run with the reference function and the property.
func (k *checker) agrees(r *rig, at *point, res *result) {
	if k.c.Reference != nil {
		want := k.c.Reference(at.in)
		if len(want) != len(res.out) {
			k.failf("the reference has %d outputs, there are %d", len(want), len(res.out))
			return
		}
		for i, w := range want {
			got := arrayOf(res.out[i])
			if !slices.Equal(got.Shape, w.Shape) {
				k.failf("output %d has shape %v, the reference %v", i, got.Shape, w.Shape)
				continue
			}
			k.compare(fmt.Sprintf("output %d", i), got, w, toleranceOf(res.out[i].DType).value, at)
		}
	}
	if k.c.Property != nil {
		var outs []Array
		for _, b := range res.out {
			outs = append(outs, arrayOf(b))
		}
		if err := k.c.Property(at.in, outs); err != nil {
			k.failf("%v; %s", err, k.inputsText(at))
		}
	}
}

// wantedGradients compares the gradients of the sum of the outputs with the case's numbers.
func (k *checker) wantedGradients(s *subject) {
	if k.c.WantGrad == nil {
		return
	}
	if s.grads == nil {
		k.failf("the case wants gradients, and there are none")
		return
	}
	ones := *s.first
	ones.dout = nil
	for _, d := range s.first.dout {
		ones.dout = append(ones.dout, d.Map(func(float64) float64 { return 1 }))
	}
	res, err := s.program.run(&ones)
	if err != nil {
		k.failf("%v", err)
		return
	}
	for i, want := range k.c.WantGrad {
		if want == nil {
			continue
		}
		at := s.first.at(i)
		if len(want) != len(at.Data) {
			k.failf("%s has shape %v, and the case %d elements of its gradient", s.nameOf(i), at.Shape, len(want))
			continue
		}
		k.compare("the gradient of "+s.nameOf(i), s.gradient(res, i, at), Array{at.Shape, want}, toleranceOf(k.dtype).value, s.first)
	}
}

// gradient returns the gradient of input or variable number i, zeros where there is none.
func (s *subject) gradient(res *result, i int, like Array) Array {
	if s.grads[i] == nil {
		return NewArray(like.Shape...)
	}
	return arrayOf(res.grad[i])
}

func (k *checker) compare(what string, got, want Array, tol float64, at *point) {
	if !slices.Equal(got.Shape, want.Shape) {
		k.failf("%s has shape %v, want %v", what, got.Shape, want.Shape)
		return
	}
	if i, ok := worst(got, want, tol); !ok {
		k.failf("%s at %v: got %v, want %v; %s", what, got.index(i), got.Data[i], want.Data[i], k.inputsText(at))
	}
}

func (k *checker) inputsText(at *point) string {
	var parts []string
	for i, a := range at.in {
		parts = append(parts, fmt.Sprintf("%s = %v", k.c.In[i].name(i), a))
	}
	return strings.Join(parts, ", ")
}
