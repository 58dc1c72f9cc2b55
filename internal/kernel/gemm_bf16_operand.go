package kernel

import "unsafe"

// bfloat16Operand makes an operand of a BFloat16Gemm ready: the bits of pairs of numbers that follow one another along K, the first in the
// low half, for the kernels that add two products at a time; or widened numbers.
type bfloat16Operand struct {
	from       Operand[uint16]
	rows, cols int // of a matrix, as it is stored
	matrices   int
	how        int
	most       int // rows of the result that a part makes

	made []float32
	row  int // elements of a row of made
	high int // rows of a matrix of made
}

// What a bfloat16Operand makes.
const (
	widened     = iota
	pairsAlong  // K lies along the rows
	pairsAcross // K lies across the rows
)

// ready returns an operand of n rows or columns, k along K, for a Gemm of the same transposition. Pairs along the rows are read where
// they are, if the rows have no odd element.
func (o *bfloat16Operand) ready(from *Operand[uint16], n, k, batch int, along, paired bool, team *Team, threads int) Operand[float32] {
	o.from, o.rows, o.cols, o.matrices = *from, n, k, batch
	if !along {
		o.rows, o.cols = k, n
	}
	if from.Next == 0 {
		o.matrices = 1
	}
	o.how, o.row, o.high = widened, o.cols, o.rows
	switch {
	case paired && along:
		if k == 0 || from.Row%2 == 0 && from.Next%2 == 0 && k%2 == 0 {
			return Operand[float32]{Data: asPairs(from.Data), Row: from.Row / 2, Next: from.Next / 2, Trans: from.Trans}
		}
		o.how, o.row = pairsAlong, ceilDiv(k, 2)
	case paired:
		o.how, o.high = pairsAcross, ceilDiv(k, 2)
	}
	Grow(&o.made, o.matrices*o.high*o.row)
	if total := o.matrices * o.high; total > 0 {
		o.most = rowsOfPart(total, o.row)
		team.Run(threads, ceilDiv(total, o.most), o)
	}
	r := Operand[float32]{Data: o.made[:cap(o.made)], Row: o.row, Trans: from.Trans}
	if from.Next != 0 {
		r.Next = o.high * o.row
	}
	o.from.Data = nil
	return r
}

// Do makes the rows of one part.
func (o *bfloat16Operand) Do(part int) {
	for i := part * o.most; i < min((part+1)*o.most, o.matrices*o.high); i++ {
		o.makeRow(i/o.high, i%o.high, o.made[:cap(o.made)][i*o.row:][:o.row])
	}
}

// makeRow makes one row of a matrix.
func (o *bfloat16Operand) makeRow(matrix, row int, y []float32) {
	data := o.from.Data[matrix*o.from.Next:]
	switch o.how {
	case widened:
		DecodeBFloat16(data[row*o.from.Row:][:o.cols], y)
	case pairsAlong:
		halves := asHalves(y)
		halves[len(halves)-1] = 0 // for an odd number of columns
		copy(halves, data[row*o.from.Row:][:o.cols])
	case pairsAcross:
		first := data[2*row*o.from.Row:][:o.cols]
		if 2*row+1 < o.rows {
			pairRows(first, data[(2*row+1)*o.from.Row:][:o.cols], y)
			return
		}
		halves := asHalves(y)
		for j, v := range first {
			halves[2*j], halves[2*j+1] = v, 0
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
