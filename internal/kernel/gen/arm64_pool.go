package main

import "fmt"

// neonMaxRows writes the functions that pool a row of windows, as many at a time as count registers have lanes; see table.maxRow.
func neonMaxRows(f *neonFile, size int) {
	for _, count := range []int{2, 1} {
		for stride := 1; stride <= 2; stride++ {
			neonMaxRow(f, size, count, stride)
		}
	}
}

// windows reads the elements of count registers at p, stride apart. For a stride of two the upper ones come from a load that ends with the last
// of them.
func (e typed) windows(p *register, count, stride int) (x quads) {
	if stride == 1 {
		return e.wholes(p, 16*count)
	}
	for i := range count {
		low, high := e.vector(), e.vector()
		e.emit("FMOVQ %d(%v), %v", 32*i, p, low)
		e.emit("FMOVQ %d(%v), %v", 32*i+16-e.size, p, high)
		if e.size == 8 {
			e.emit("VMOV %v, %v", lane{high, "D[1]"}, lane{low, "D[1]"})
			x = append(x, low)
			continue
		}
		even, odd := e.apply(three("uzp1", 4), quads{low}, quads{low}), e.apply(three("uzp2", 4), quads{high}, quads{high})
		x = append(x, e.apply(three("zip1", 8), even, odd)...)
	}
	return x
}

// neonMaxRow writes the function for one distance of the windows.
func neonMaxRow(f *neonFile, size, count, stride int) {
	lanes := count * 16 / size
	name := fmt.Sprintf("maxRow%dx%d_%d", lanes, stride, 8*size)
	signature := fmt.Sprintf("func(blocks, rows, cols int, x []%[1]s, width, place int, y []%[1]s, index []int32)", typeName(size))
	doc := fmt.Sprintf("takes the greatest elements of blocks·%d windows of rows × cols elements that begin %d apart; see table.maxRow", lanes, stride)
	f.function(name, signature, doc, func(r *routine) {
		e, blocks, x, y, index, place := typed{r, size}, r.param("blocks"), r.base("x"), r.base("y"), r.base("index"), r.param("place")
		offsets := r.lanes(size)[:count]
		for range stride - 1 {
			offsets = e.addInts(offsets, offsets)
		}
		width, jump := r.bytes("width", size), r.param("width")
		r.emit("SUB %v, %v, %v", r.param("cols"), jump, jump)
		step := r.spread(jump, size)
		r.label("block")
		next := e.addInts(r.spread(place, size), offsets)
		at := e.copied(next, count)
		best := e.windows(x, count, stride)
		row, tap, rows := r.general(), r.general(), r.param("rows")
		r.emit("MOVD %v, %v", x, row)
		r.label("row")
		cols := r.param("cols")
		r.emit("MOVD %v, %v", row, tap)
		r.label("tap")
		v := e.windows(tap, count, stride)
		more := e.without(e.equal(best, best), e.lessOrEqual(v, best)) // a NaN that is there stays
		r.inPlace(three("bit", size), best, v, more)
		r.inPlace(three("bit", size), at, next, more)
		r.inPlace(three("add", size), next, next, e.word(1))
		r.emit("ADD $%d, %v, %v", size, tap, tap)
		r.next(cols, 1, "tap")
		r.inPlace(three("add", size), next, next, step)
		r.emit("ADD %v, %v, %v", width, row, row)
		r.next(rows, 1, "row")
		r.storeWholes(best, y, 16*count)
		r.storePlaces(size, at, index)
		r.emit("ADD $%d, %v, %v", 16*count, y, y)
		r.emit("ADD $%d, %v, %v", 16*count*stride, x, x)
		r.emit("ADD $%d, %v, %v", lanes*stride, place, place)
		r.next(blocks, 1, "block")
	})
}

// storePlaces writes places of elements of a size as 32-bit numbers, if they are wanted, and goes on.
func (r *routine) storePlaces(size int, at quads, index *register) {
	r.branch("CBZ", "stored", index)
	bytes := 16 * len(at)
	if size == 8 {
		at, bytes = r.apply(three("uzp1", 4), at[:1], at[len(at)-1:]), bytes/2
	}
	r.storeWholes(at, index, bytes)
	r.emit("ADD $%d, %v, %v", bytes, index, index)
	r.label("stored")
}
