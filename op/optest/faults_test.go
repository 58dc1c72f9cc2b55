package optest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// recorder is a T that keeps what is reported.
type recorder struct{ problems []string }

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// finds checks c and looks for a problem whose text has all the wanted parts.
func finds(t *testing.T, c optest.Case, want ...string) {
	t.Helper()
	r := &recorder{}
	optest.Check(r, c)
	for _, p := range r.problems {
		all := true
		for _, w := range want {
			all = all && strings.Contains(p, w)
		}
		if all {
			return
		}
	}
	t.Errorf("no problem says %q; found were %d:\n%s", want, len(r.problems), strings.Join(r.problems, "\n"))
}

var x = []optest.Input{optest.Float(op.Batch, 3)}

func unary(o custom) optest.Case {
	return optest.Case{In: x, Build: optest.Unary(o.apply)}
}

func TestSoundOpPasses(t *testing.T) {
	c := unary(custom{traits: op.Traits{InPlace: []op.Pair{{In: 0, Out: 0}}}})
	c.Reference = func(in []optest.Array) []optest.Array {
		return []optest.Array{in[0].Map(func(x float64) float64 { return x * x * x })}
	}
	c.Misuse = []optest.Misuse{{
		In: []optest.Input{{Name: "ids", DType: op.Int32, Shape: []op.Dim{2}}}, Build: c.Build,
		Want: `custom: input "ids" has type int32, want a floating-point type`,
	}}
	optest.Check(t, c)
}

func TestFindsWrongValues(t *testing.T) {
	c := unary(custom{})
	c.In = []optest.Input{optest.Given([]float64{1, 2}, 2)}
	c.Want = [][]float64{{1, 9}}
	finds(t, c, "float64: output 0 at [1]: got 8, want 9; x0 = [2][1 2]")
	c.Want = [][]float64{{1, 8, 27}}
	finds(t, c, "output 0 has shape [2], want 3 elements")
	c.Want = nil
	c.WantGrad = [][]float64{{3, 13}}
	finds(t, c, "the gradient of input 0 (x0) at [1]: got 12, want 13")
	c.WantGrad = nil
	c.Reference = func(in []optest.Array) []optest.Array {
		return []optest.Array{in[0].Map(func(x float64) float64 { return x * x })}
	}
	finds(t, c, "output 0 at [1]: got 8, want 4")
	c.Reference = func([]optest.Array) []optest.Array { return []optest.Array{optest.NewArray(2, 1)} }
	finds(t, c, "output 0 has shape [2], the reference [2 1]")
	c.Reference = nil
	c.Property = func(_, out []optest.Array) error {
		if out[0].Data[0] < 2 {
			return errors.New("too small")
		}
		return nil
	}
	finds(t, c, "too small", "x0 = ")
}

// A case that would check nothing is a fault of the test.
func TestCaseWithoutBuild(t *testing.T) {
	finds(t, optest.Case{Name: "empty"}, "empty: the case has neither a Build nor a Model to check")
	finds(t, optest.Case{In: x, Want: [][]float64{{1}}, Misuse: []optest.Misuse{{In: x, Build: optest.Unary(op.Neg)}}}, "neither a Build nor a Model")
}
