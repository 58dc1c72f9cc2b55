package kernel

import "unsafe"

// bfloat16Operand makes an operand of a BFloat16Gemm ready: the bits of pairs of numbers that follow one another along K, the first in the
// low half, for the kernels that add two products at a time; or widened numbers. Pairs across the rows are made as they are packed.
type bfloat16Operand struct {
	from       Operand[uint16]
	rows, cols int // of a matrix, as it is stored
	matrices   int
	paired     bool
	most       int // rows of the result that a part makes

	made []float32
	row  int // elements of a row of made
}

// ready returns an operand of n rows or columns, k along K, for a Gemm of the same transposition; along says that K lies along the rows.
// Pairs are read where they are, if the rows have no odd element.
func (o *bfloat16Operand) ready(from *Operand[uint16], n, k, batch int, along, paired bool, team *Team, threads int) Operand[float32] {
	o.from, o.rows, o.cols, o.matrices, o.paired = *from, n, k, batch, paired
	r := Operand[float32]{Trans: from.Trans}
	switch {
	case paired && !along:
		o.rows, o.cols = k, n
		r.Next = from.Next
		return r
	case paired && (k == 0 || from.Row%2 == 0 && from.Next%2 == 0 && k%2 == 0):
		r.Data, r.Row, r.Next = asPairs(from.Data), from.Row/2, from.Next/2
		return r
	case paired:
		o.row = ceilDiv(k, 2)
	case along:
		o.row = k
	default:
		o.rows, o.cols, o.row = k, n, n
	}
	if from.Next == 0 {
		o.matrices = 1
	} else {
		r.Next = o.rows * o.row
	}
	Grow(&o.made, o.matrices*o.rows*o.row)
	if total := o.matrices * o.rows; total > 0 {
		o.most = rowsOfPart(total, o.row)
		team.Run(threads, ceilDiv(total, o.most), o)
	}
	r.Data, r.Row = o.made[:cap(o.made)], o.row
	return r
}

// Do makes the rows of one part.
func (o *bfloat16Operand) Do(part int) {
	for i := part * o.most; i < min((part+1)*o.most, o.matrices*o.rows); i++ {
		from, y := o.from.Data[i/o.rows*o.from.Next+i%o.rows*o.from.Row:][:o.cols], o.made[:cap(o.made)][i*o.row:][:o.row]
		if !o.paired {
			DecodeBFloat16(from, y)
			continue
		}
		halves := asHalves(y)
		halves[len(halves)-1] = 0 // for an odd number of columns
		copy(halves, from)
	}
}

// split makes panels of pairs, which are the rows that c counts.
func (o *bfloat16Operand) split(c panelCut, dst []float32) {
	if c.panels == 0 {
		return
	}
	src := o.from.Data[c.matrix*o.from.Next+2*c.p*o.from.Row+c.j:]
	whole := min(c.k, o.rows/2-c.p)
	switch {
	case whole == 0:
	case c.n <= 16:
		splitPairs16(whole, c.panels, c.n, src, o.from.Row, dst, c.cols, c.next)
	default:
		splitPairs32(whole, c.panels, c.n, src, o.from.Row, dst, c.cols, c.next)
	}
	if whole < c.k {
		o.splitLast(src[2*whole*o.from.Row:], c, dst[whole*c.cols:])
	}
}

// splitLast pairs a last row with zeros.
func (o *bfloat16Operand) splitLast(src []uint16, c panelCut, dst []float32) {
	for j := range c.panels {
		halves := asHalves(dst[j*c.next:][:c.n])
		for i, v := range src[j*c.n:][:c.n] {
			halves[2*i], halves[2*i+1] = v, 0
		}
	}
}

// asPairs returns x as the bits of pairs, without a last single number.
func asPairs(x []uint16) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), len(x)/2)
}

// asHalves returns the numbers that pairs consist of.
func asHalves(y []float32) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(y))), 2*len(y))
}
