package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// moveTasks are the tasks of Fill, Cast and Copy.
type moveTasks struct {
	fill fillTask
	cast castTask
	copy copyTask
}

// fillTask sets all elements of y to v.
type fillTask struct {
	y    op.Buffer
	v    float64
	span span
}

// Fill implements op.Backend. For integers v is truncated and limited to the type's range.
func (b *Backend) Fill(y op.Buffer, v float64) {
	t := &b.fill
	*t = fillTask{y, v, span{y.Len(), lightGrain}}
	b.run(t.span.parts(), t)
	*t = fillTask{}
}

// Do computes one part.
func (t *fillTask) Do(part int) {
	lo, hi := t.span.bounds(part)
	var half [1]uint16
	switch t.y.DType {
	case op.Float32:
		fillNumbers[float32](t.y, t.v, lo, hi)
	case op.Float64:
		fillNumbers[float64](t.y, t.v, lo, hi)
	case op.Int32:
		fillNumbers[int32](t.y, t.v, lo, hi)
	case op.Int64:
		fillNumbers[int64](t.y, t.v, lo, hi)
	case op.Uint8:
		fillNumbers[uint8](t.y, t.v, lo, hi)
	case op.Bool:
		kernel.Fill(t.y.Bools()[lo:hi], t.v != 0)
	case op.BFloat16:
		kernel.EncodeBFloat16([]float64{t.v}, half[:])
		kernel.Fill(t.y.Uint16s()[lo:hi], half[0])
	case op.Float16:
		kernel.EncodeFloat16([]float64{t.v}, half[:])
		kernel.Fill(t.y.Uint16s()[lo:hi], half[0])
	}
}

func fillNumbers[T kernel.Number](y op.Buffer, v float64, lo, hi int) {
	kernel.Fill(elements[T](y)[lo:hi], kernel.FromFloat[T](v))
}

// copyTask moves a strided block: blocks of two axes, at each position of the other axes. A block is cut into rows and columns of
// pieces.
type copyTask struct {
	x, y              op.Buffer
	from, to          int
	outer             layout
	block             kernel.Block
	tall, wide        int // size of a piece
	perColumn, perRow int // pieces of a block
	span              span
}

// Copy implements op.Backend. Each element of y is named at most once.
func (b *Backend) Copy(m op.Move, x, y op.Buffer) {
	t := &b.copy
	t.order(&m)
	if t.outer.count() == 0 {
		return
	}
	t.x, t.y, t.from, t.to = x, y, m.FromOffset, m.ToOffset
	t.takeBlock()
	t.divide()
	b.run(t.span.parts(), t)
	t.x, t.y = op.Buffer{}, op.Buffer{}
}

// order takes the axes of a move, those of far steps in y first, so that y is written from one end to the other.
func (t *copyTask) order(m *op.Move) {
	var order [op.MaxRank]int
	for k := range m.Rank {
		j := k
		for ; j > 0 && abs(m.To[order[j-1]]) < abs(m.To[k]); j-- {
			order[j] = order[j-1]
		}
		order[j] = k
	}
	t.outer.rank = 0
	for _, k := range order[:m.Rank] {
		t.outer.push(m.Shape[k], [operands]int{m.From[k], m.To[k]})
	}
}

// takeBlock makes a block of the last axis and another one: the one that walks x in the smallest steps if the last one does not, else
// the one before the last.
func (t *copyTask) takeBlock() {
	cols, c := t.outer.pop()
	l := &t.outer
	if near := nearest(l, abs(c[0])); near < l.rank-1 && near >= 0 {
		size, stride := l.shape[near], l.stride[near]
		copy(l.shape[near:], l.shape[near+1:l.rank])
		copy(l.stride[near:], l.stride[near+1:l.rank])
		l.shape[l.rank-1], l.stride[l.rank-1] = size, stride
	}
	rows, r := l.pop()
	t.block = kernel.Block{Rows: rows, Cols: cols, FromRow: r[0], FromCol: c[0], ToRow: r[1], ToCol: c[1]}
}

// nearest returns the axis with the smallest steps in x, if these are smaller than step; else −1.
func nearest(l *layout, step int) (axis int) {
	axis = -1
	for k := range l.rank {
		if s := abs(l.stride[k][0]); s > 0 && s < step {
			axis, step = k, s
		}
	}
	return axis
}

// divide cuts the blocks into pieces of at most heavyGrain elements: as wide as possible where rows are moved in one go, else of few
// columns, so that the cache keeps what lies beside them.
func (t *copyTask) divide() {
	const narrow = 64
	k := &t.block
	t.wide = min(k.Cols, heavyGrain)
	if k.ToCol != 1 || k.FromCol != 1 && k.FromCol != 0 {
		t.wide = min(k.Cols, narrow)
	}
	t.tall = min(k.Rows, max(1, heavyGrain/t.wide))
	t.perColumn, t.perRow = ceilDiv(k.Rows, t.tall), ceilDiv(k.Cols, t.wide)
	t.span = rowSpan(t.outer.count()*t.perColumn*t.perRow, t.tall*t.wide, heavyGrain)
}

// Do computes one part.
func (t *copyTask) Do(part int) {
	switch t.y.DType.Size() {
	case 1:
		copyPieces[uint8](t, part)
	case 2:
		copyPieces[uint16](t, part)
	case 4:
		copyPieces[uint32](t, part)
	case 8:
		copyPieces[uint64](t, part)
	}
}

func copyPieces[T any](t *copyTask, part int) {
	x, y := elements[T](t.x), elements[T](t.y)
	first, last := t.span.bounds(part)
	for i := first; i < last; i++ {
		k := t.block
		outer, row, col := i/(t.perColumn*t.perRow), i/t.perRow%t.perColumn*t.tall, i%t.perRow*t.wide
		p := t.outer.at(outer)
		from, to := t.from+p[0]+row*k.FromRow+col*k.FromCol, t.to+p[1]+row*k.ToRow+col*k.ToCol
		k.Rows, k.Cols = min(t.tall, k.Rows-row), min(t.wide, k.Cols-col)
		kernel.CopyBlock(k, x, y, from, to)
	}
}

// abs returns the absolute value of n.
func abs(n int) int { return max(n, -n) }
