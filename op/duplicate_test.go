package op_test

import (
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

func TestDuplicate(t *testing.T) {
	optest.Check(t, optest.Case{
		In:        []optest.Input{optest.Float(op.Batch, 3)},
		Build:     optest.Unary(op.Duplicate),
		Reference: func(in []optest.Array) []optest.Array { return in },
	})
}
