package op

import "math"

// bend builds the derivative of f' for what UnaryGrad computes f' from (UnaryFunc.Needs): the argument x, or the result y. It is nil where
// that is 0. With it a gradient has a gradient.
func (o unaryGrad) bend(v *Node) *Node {
	switch o.Func {
	case UnarySquare:
		return like(v, 2)
	case UnarySqrt: // f' = 1/2y
		return MulConst(Reciprocal(Square(v)), -0.5)
	case UnaryRsqrt: // f' = −y³/2
		return MulConst(Square(v), -1.5)
	case UnaryReciprocal: // f' = −y²
		return MulConst(v, -2)
	case UnaryExp, UnaryExpm1: // f' = y, y+1
		return Ones(v)
	case UnaryLog:
		return Neg(Reciprocal(Square(v)))
	case UnaryLog1p:
		return Neg(Reciprocal(Square(AddConst(v, 1))))
	case UnarySin:
		return Neg(Sin(v))
	case UnaryCos:
		return Neg(Cos(v))
	case UnaryErf: // f' = 2/√π·exp(−x²)
		return MulConst(Mul(v, Exp(Neg(Square(v)))), -4/math.Sqrt(math.Pi))
	case UnarySigmoid: // f' = y(1−y)
		return AddConst(MulConst(v, -2), 1)
	case UnaryTanh: // f' = 1−y²
		return MulConst(v, -2)
	case UnarySTanh: // f' = ab(1−(y/a)²)
		return MulConst(v, -2*o.B/o.A)
	case UnaryPowConst:
		return MulConst(PowConst(v, o.A-2), o.A*(o.A-1))
	}
	return o.bendActivation(v)
}

// bendActivation is bend for activations that take their derivative from x.
func (o unaryGrad) bendActivation(v *Node) *Node {
	switch o.Func {
	case UnaryELU: // f' = a·eˣ below 0
		return choose(Less(v, v.graph.Full(v.dtype, 0)), MulConst(Exp(v), o.A))
	case UnaryGELU: // f' = Φ(x)+xφ(x), φ' = −xφ
		density := MulConst(Exp(MulConst(Square(v), -0.5)), 1/math.Sqrt(2*math.Pi))
		return Mul(density, AddConst(Neg(Square(v)), 2))
	case UnaryGELUTanh:
		return bendGELUTanh(v)
	case UnarySiLU: // f' = σ(1+x(1−σ))
		s := Sigmoid(v)
		slope := Mul(s, AddConst(Neg(s), 1))
		return Mul(slope, AddConst(Mul(v, AddConst(MulConst(s, -2), 1)), 2))
	case UnarySoftplus: // f' = σ
		s := Sigmoid(v)
		return Mul(s, AddConst(Neg(s), 1))
	case UnarySoftsign: // f' = 1/(1+|x|)²
		return MulConst(Mul(Sign(v), PowConst(AddConst(Abs(v), 1), -3)), -2)
	}
	return nil
}

// bendGELUTanh is the second derivative of ½x(1+t), t = tanh u, u = √(2/π)(x+cx³): t'+½x·t” with t' = (1−t²)u', t” = (1−t²)(u”−2t·u'²).
func bendGELUTanh(x *Node) *Node {
	const c = 0.044715
	k := math.Sqrt(2 / math.Pi)
	square := Square(x)
	t := Tanh(Mul(MulConst(x, k), AddConst(MulConst(square, c), 1)))
	slope := AddConst(MulConst(square, 3*c*k), k)
	bend := Sub(MulConst(x, 6*c*k), MulConst(Mul(t, Square(slope)), 2))
	return Mul(AddConst(Neg(Square(t)), 1), Add(slope, Mul(MulConst(x, 0.5), bend)))
}
