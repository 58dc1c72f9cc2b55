package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// How many elements of gathered rows there are at a time: they should stay in a cache, and be rows enough that a product is worth while.
const (
	blockElements = 1 << 19
	leastBlock    = 256 // rows
)

// gatherBlocks goes over the rows of ids, some at a time, with room for the rows of a table that they name. The division depends on the
// shapes only.
type gatherBlocks struct {
	all              op.Buffer // ids
	at, rows, block  int
	ids, room        op.Buffer // of the rows at hand
	memory           []byte
	idShape, inShape [2]int
	outShape         [2]int
}

// start begins; depth is the elements of a gathered row.
func (g *gatherBlocks) start(ids op.Buffer, d op.DType, depth int) {
	g.all, g.at, g.rows = ids, 0, 0
	g.block = min(max(leastBlock, blockElements/max(depth, 1)), ids.Shape[0])
	g.room = op.BufferAt(kernel.Grow(&g.memory, g.block*depth*d.Size()), d, g.inShape[:])
	g.inShape = [2]int{g.block, depth}
}

// next moves to the next rows; false, and the buffers let go, where there are none.
func (g *gatherBlocks) next() bool {
	g.at += g.rows
	if g.at == g.all.Shape[0] {
		g.all, g.ids, g.room = op.Buffer{}, op.Buffer{}, op.Buffer{}
		return false
	}
	g.rows = min(g.block, g.all.Shape[0]-g.at)
	g.ids = g.all.Rows(g.at, g.at+g.rows, g.idShape[:])
	g.inShape[0] = g.rows
	return true
}

// of returns the rows at hand of a matrix.
func (g *gatherBlocks) of(y op.Buffer) op.Buffer { return y.Rows(g.at, g.at+g.rows, g.outShape[:]) }

// GatherMatMul implements op.Backend.
func (b *Backend) GatherMatMul(padding int64, table, ids, w, y op.Buffer) error {
	g := &b.gatherBlocks
	g.start(ids, w.DType, w.Shape[0])
	for g.next() {
		if err := b.Gather(padding, table, g.ids, g.room); err != nil {
			return err
		}
		b.MatMul(op.MatMulSpec{M: g.rows, N: w.Shape[1], K: w.Shape[0], Batch: 1}, g.room, w, op.Buffer{}, g.of(y))
	}
	return nil
}

// GatherMatMulGradTable implements op.Backend.
func (b *Backend) GatherMatMulGradTable(padding int64, ids, w, dy, dtable op.Buffer) {
	b.Fill(dtable, 0)
	g := &b.gatherBlocks
	g.start(ids, w.DType, w.Shape[0])
	for g.next() {
		b.MatMul(op.MatMulSpec{M: g.rows, N: w.Shape[0], K: w.Shape[1], Batch: 1, TransB: true}, g.of(dy), w, op.Buffer{}, g.room)
		b.ScatterAdd(padding, g.ids, g.room, dtable)
	}
}

// GatherMatMulGradWeight implements op.Backend.
func (b *Backend) GatherMatMulGradWeight(padding int64, table, ids, dy, dw op.Buffer) error {
	b.Fill(dw, 0)
	g := &b.gatherBlocks
	g.start(ids, dw.DType, dw.Shape[0])
	for g.next() {
		if err := b.Gather(padding, table, g.ids, g.room); err != nil {
			return err
		}
		b.MatMul(op.MatMulSpec{M: dw.Shape[0], N: dw.Shape[1], K: g.rows, Batch: 1, TransA: true, Accumulate: true}, g.room, g.of(dy), op.Buffer{}, dw)
	}
	return nil
}
