package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// The kernels by their functions.
var (
	arithmetic32    = floatArithmetic[float32]()
	arithmetic64    = floatArithmetic[float64]()
	arithmeticInt32 = integerArithmetic[int32]()
	arithmeticInt64 = integerArithmetic[int64]()
	arithmeticUint8 = integerArithmetic[uint8]()

	compare32    = comparisons[float32]()
	compare64    = comparisons[float64]()
	compareInt32 = comparisons[int32]()
	compareInt64 = comparisons[int64]()
	compareUint8 = comparisons[uint8]()

	logic = binaryTable[bool, bool]{
		op.BinaryEqual:    kernel.Same,
		op.BinaryNotEqual: kernel.Xor,
		op.BinaryAnd:      kernel.And,
		op.BinaryOr:       kernel.Or,
		op.BinaryXor:      kernel.Xor,
	}
)

type binaryTable[T, U any] [op.BinaryXor + 1]kernel.Binary[T, U]

func floatArithmetic[T kernel.Float]() binaryTable[T, T] {
	return binaryTable[T, T]{
		op.BinaryAdd: kernel.Add[T],
		op.BinarySub: kernel.Sub[T],
		op.BinaryMul: kernel.Mul[T],
		op.BinaryDiv: kernel.Div[T],
		op.BinaryPow: kernel.Pow[T],
		op.BinaryMax: kernel.Max[T],
		op.BinaryMin: kernel.Min[T],

		op.BinaryLogisticLoss:  kernel.LogisticLoss[T],
		op.BinaryLogisticSlope: kernel.LogisticSlope[T],
	}
}

func integerArithmetic[T kernel.Integer]() binaryTable[T, T] {
	return binaryTable[T, T]{
		op.BinaryAdd: kernel.Add[T],
		op.BinarySub: kernel.Sub[T],
		op.BinaryMul: kernel.Mul[T],
		op.BinaryDiv: kernel.DivInteger[T],
		op.BinaryPow: kernel.PowInteger[T],
		op.BinaryMax: kernel.Max[T],
		op.BinaryMin: kernel.Min[T],
	}
}

func comparisons[T kernel.Number]() binaryTable[T, bool] {
	return binaryTable[T, bool]{
		op.BinaryEqual:        kernel.Equal[T],
		op.BinaryNotEqual:     kernel.NotEqual[T],
		op.BinaryLess:         kernel.Less[T],
		op.BinaryLessEqual:    kernel.LessEqual[T],
		op.BinaryGreater:      kernel.Greater[T],
		op.BinaryGreaterEqual: kernel.GreaterEqual[T],
	}
}
