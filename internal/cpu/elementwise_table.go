package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// The kernels by their functions.
var (
	unary32    = floatUnary[float32]()
	unary64    = floatUnary[float64]()
	unaryInt32 = integerUnary[int32]()
	unaryInt64 = integerUnary[int64]()
	unaryUint8 = integerUnary[uint8]()

	unaryGrad32 = floatUnaryGrad[float32]()
	unaryGrad64 = floatUnaryGrad[float64]()
)

type (
	unaryTable[T kernel.Number]    [op.UnaryNot + 1]kernel.Unary[T]
	unaryGradTable[T kernel.Float] [op.UnaryNot + 1]kernel.UnaryGrad[T]
)

func floatUnary[T kernel.Float]() unaryTable[T] {
	return unaryTable[T]{
		op.UnaryNeg:        kernel.Neg[T],
		op.UnaryAbs:        kernel.Abs[T],
		op.UnarySign:       kernel.Sign[T],
		op.UnarySquare:     kernel.Square[T],
		op.UnarySqrt:       kernel.Sqrt[T],
		op.UnaryRsqrt:      kernel.Rsqrt[T],
		op.UnaryReciprocal: kernel.Reciprocal[T],
		op.UnaryExp:        kernel.Exp[T],
		op.UnaryExpm1:      kernel.Expm1[T],
		op.UnaryLog:        kernel.Log[T],
		op.UnaryLog1p:      kernel.Log1p[T],
		op.UnarySin:        kernel.Sin[T],
		op.UnaryCos:        kernel.Cos[T],
		op.UnaryErf:        kernel.Erf[T],
		op.UnarySigmoid:    kernel.Sigmoid[T],
		op.UnaryTanh:       kernel.Tanh[T],
		op.UnaryReLU:       kernel.ReLU[T],
		op.UnaryLeakyReLU:  kernel.LeakyReLU[T],
		op.UnaryELU:        kernel.ELU[T],
		op.UnaryGELU:       kernel.GELU[T],
		op.UnaryGELUTanh:   kernel.GELUTanh[T],
		op.UnarySiLU:       kernel.SiLU[T],
		op.UnarySoftplus:   kernel.Softplus[T],
		op.UnarySoftsign:   kernel.Softsign[T],
		op.UnarySTanh:      kernel.STanh[T],
		op.UnaryClip:       kernel.Clip[T],
		op.UnaryAddConst:   kernel.AddConst[T],
		op.UnaryMulConst:   kernel.MulConst[T],
		op.UnaryPowConst:   kernel.PowConst[T],
		op.UnaryFloor:      kernel.Floor[T],
		op.UnaryCeil:       kernel.Ceil[T],
		op.UnaryRound:      kernel.Round[T],
	}
}

// integerUnary holds the functions that keep integers integers.
func integerUnary[T kernel.Integer]() unaryTable[T] {
	return unaryTable[T]{
		op.UnaryNeg:      kernel.Neg[T],
		op.UnaryAbs:      kernel.Abs[T],
		op.UnarySign:     kernel.Sign[T],
		op.UnarySquare:   kernel.Square[T],
		op.UnaryClip:     kernel.Clip[T],
		op.UnaryAddConst: kernel.AddConst[T],
		op.UnaryMulConst: kernel.MulConst[T],
	}
}

func floatUnaryGrad[T kernel.Float]() unaryGradTable[T] {
	return unaryGradTable[T]{
		op.UnaryNeg:        kernel.NegGrad[T],
		op.UnaryAbs:        kernel.AbsGrad[T],
		op.UnarySign:       kernel.ZeroGrad[T],
		op.UnarySquare:     kernel.SquareGrad[T],
		op.UnarySqrt:       kernel.SqrtGrad[T],
		op.UnaryRsqrt:      kernel.RsqrtGrad[T],
		op.UnaryReciprocal: kernel.ReciprocalGrad[T],
		op.UnaryExp:        kernel.ExpGrad[T],
		op.UnaryExpm1:      kernel.Expm1Grad[T],
		op.UnaryLog:        kernel.LogGrad[T],
		op.UnaryLog1p:      kernel.Log1pGrad[T],
		op.UnarySin:        kernel.SinGrad[T],
		op.UnaryCos:        kernel.CosGrad[T],
		op.UnaryErf:        kernel.ErfGrad[T],
		op.UnarySigmoid:    kernel.SigmoidGrad[T],
		op.UnaryTanh:       kernel.TanhGrad[T],
		op.UnaryReLU:       kernel.ReLUGrad[T],
		op.UnaryLeakyReLU:  kernel.LeakyReLUGrad[T],
		op.UnaryELU:        kernel.ELUGrad[T],
		op.UnaryGELU:       kernel.GELUGrad[T],
		op.UnaryGELUTanh:   kernel.GELUTanhGrad[T],
		op.UnarySiLU:       kernel.SiLUGrad[T],
		op.UnarySoftplus:   kernel.SoftplusGrad[T],
		op.UnarySoftsign:   kernel.SoftsignGrad[T],
		op.UnarySTanh:      kernel.STanhGrad[T],
		op.UnaryClip:       kernel.ClipGrad[T],
		op.UnaryAddConst:   kernel.AddConstGrad[T],
		op.UnaryMulConst:   kernel.MulConstGrad[T],
		op.UnaryPowConst:   kernel.PowConstGrad[T],
		op.UnaryFloor:      kernel.ZeroGrad[T],
		op.UnaryCeil:       kernel.ZeroGrad[T],
		op.UnaryRound:      kernel.ZeroGrad[T],
	}
}
