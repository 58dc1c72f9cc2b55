package optest_test

import (
	"errors"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

func TestFindsSharedApplication(t *testing.T) {
	known := map[*op.Node]*op.Node{}
	c := unary(custom{})
	c.Build = optest.Unary(func(x *op.Node) *op.Node {
		if known[x] == nil {
			known[x] = op.Neg(x)
		}
		return known[x]
	})
	finds(t, c, "output 0 of a second application is the node of the first")
}

func TestFindsPanicOnMisuse(t *testing.T) {
	c := unary(custom{})
	c.Build = optest.Unary(func(x *op.Node) *op.Node {
		if x.DType() == op.InvalidDType {
			panic("no type")
		}
		return custom{}.apply(x)
	})
	finds(t, c, "a nil input 0 panics: no type")

	c.Build = optest.Unary(func(x *op.Node) *op.Node {
		if x.Err() != nil {
			return nil
		}
		return custom{}.apply(x)
	})
	finds(t, c, "with a failed input 0 output 0 is nil, want a failed node")

	c.Build = optest.Unary(func(x *op.Node) *op.Node {
		if x.Err() != nil {
			return op.NewGraph(nil).Full(op.Float32, 0, 3)
		}
		return custom{}.apply(x)
	})
	finds(t, c, "with a nil input 0 output 0 is sound, want a failed node")
}

func TestFindsWrongErrors(t *testing.T) {
	ids := []optest.Input{{Name: "ids", DType: op.Int32, Shape: []op.Dim{2}}}
	misuse := func(in []optest.Input, build optest.Build, want string) optest.Case {
		return optest.Case{Name: "words", Misuse: []optest.Misuse{{In: in, Build: build, Want: want}}}
	}
	finds(t, misuse(ids, optest.Unary(custom{}.apply), "custom: wrong type"), "words: misuse 0 has the error", `custom: input "ids" has type int32`, "want\n\tcustom: wrong type")
	finds(t, misuse(x, optest.Unary(custom{}.apply), "custom: wrong type"), `misuse 0 goes through, want the error "custom: wrong type"`)
	finds(t, misuse(x, optest.Unary(func(*op.Node) *op.Node { panic("oh") }), "custom: wrong type"), `misuse 0 panics: oh, want the error "custom: wrong type"`)
}

func TestFindsPanics(t *testing.T) {
	finds(t, unary(custom{run: func(*op.Env, []op.Buffer, []op.Buffer) error { panic("no kernel") }}), "panic: no kernel")
	finds(t, unary(custom{run: func(*op.Env, []op.Buffer, []op.Buffer) error { return errors.New("no kernel") }}), "custom_test.go", "custom: no kernel")
	finds(t, unary(custom{infer: func(*op.Shapes) ([]op.Spec, error) { return nil, errors.New("no shape") }}), "custom: no shape")
	finds(t, unary(custom{infer: func(*op.Shapes) ([]op.Spec, error) { panic("no shape") }}), "panic: no shape")
}
