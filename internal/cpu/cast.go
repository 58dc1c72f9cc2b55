package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// castTask computes y = x in y's type.
type castTask struct {
	x, y op.Buffer
	span span
}

// Cast implements op.Backend. Floats beyond an integer type's range become its least or greatest number and NaN 0; integers keep their
// low bits; numbers round to the nearest float, halves to even.
func (b *Backend) Cast(x, y op.Buffer) {
	t := &b.cast
	*t = castTask{x, y, span{x.Len(), heavyGrain}}
	b.run(t.span.parts(), t)
	*t = castTask{}
}

// Do computes one part.
func (t *castTask) Do(part int) {
	lo, hi := t.span.bounds(part)
	switch t.x.DType {
	case op.Float32:
		castFloats(t.x.Float32s()[lo:hi], t.y, lo)
	case op.Float64:
		castFloats(t.x.Float64s()[lo:hi], t.y, lo)
	case op.BFloat16, op.Float16:
		castHalves(t.x, t.y, lo, hi)
	case op.Int32:
		castIntegers(t.x.Int32s()[lo:hi], t.y, lo)
	case op.Int64:
		castIntegers(t.x.Int64s()[lo:hi], t.y, lo)
	case op.Uint8:
		castIntegers(t.x.Uint8s()[lo:hi], t.y, lo)
	case op.Bool:
		castIntegers(elements[uint8](t.x)[lo:hi], t.y, lo) // a bool is the byte 0 or 1
	}
}

// castFloats converts x to the elements of y from at on.
func castFloats[S kernel.Float](x []S, y op.Buffer, at int) {
	switch y.DType {
	case op.Float32:
		kernel.Convert(x, y.Float32s()[at:])
	case op.Float64:
		kernel.Convert(x, y.Float64s()[at:])
	case op.BFloat16:
		kernel.EncodeBFloat16(x, y.Uint16s()[at:])
	case op.Float16:
		kernel.EncodeFloat16(x, y.Uint16s()[at:])
	case op.Int32:
		kernel.Truncate(x, y.Int32s()[at:])
	case op.Int64:
		kernel.Truncate(x, y.Int64s()[at:])
	case op.Uint8:
		kernel.Truncate(x, y.Uint8s()[at:])
	case op.Bool:
		kernel.ToBool(x, y.Bools()[at:])
	}
}

// castIntegers converts x to the elements of y from at on.
func castIntegers[S kernel.Integer](x []S, y op.Buffer, at int) {
	switch y.DType {
	case op.Float32:
		kernel.Convert(x, y.Float32s()[at:])
	case op.Float64:
		kernel.Convert(x, y.Float64s()[at:])
	case op.BFloat16, op.Float16:
		if _, short := any(x).([]uint8); short {
			castIntegersToHalves[S, float32](x, y, at)
		} else {
			castIntegersToHalves[S, float64](x, y, at)
		}
	case op.Int32:
		kernel.Convert(x, y.Int32s()[at:])
	case op.Int64:
		kernel.Convert(x, y.Int64s()[at:])
	case op.Uint8:
		kernel.Convert(x, y.Uint8s()[at:])
	case op.Bool:
		kernel.ToBool(x, y.Bools()[at:])
	}
}

// castHalves converts elements lo to hi−1 of x, of a 16-bit type.
func castHalves(x, y op.Buffer, lo, hi int) {
	switch y.DType {
	case x.DType:
		copy(y.Uint16s()[lo:hi], x.Uint16s()[lo:hi])
		return
	case op.Float32:
		decodeHalves(x.DType, x.Uint16s()[lo:hi], y.Float32s()[lo:hi])
		return
	}
	var wide [256]float32
	for ; lo < hi; lo += len(wide) {
		n := min(len(wide), hi-lo)
		decodeHalves(x.DType, x.Uint16s()[lo:lo+n], wide[:n])
		castFloats(wide[:n], y, lo)
	}
}

// decodeHalves widens numbers of a 16-bit type.
func decodeHalves(d op.DType, x []uint16, y []float32) {
	if d == op.BFloat16 {
		kernel.DecodeBFloat16(x, y)
	} else {
		kernel.DecodeFloat16(x, y)
	}
}

// castIntegersToHalves converts x to the elements of y, of a 16-bit type, from at on, by way of floats W, which hold
// what S has to as many bits as there are in them.
func castIntegersToHalves[S kernel.Integer, W kernel.Float](x []S, y op.Buffer, at int) {
	var wide [256]W
	for len(x) > 0 {
		n := min(len(wide), len(x))
		kernel.Convert(x[:n], wide[:])
		castFloats(wide[:n], y, at)
		x, at = x[n:], at+n
	}
}
