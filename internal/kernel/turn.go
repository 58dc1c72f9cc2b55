package kernel

// Turn copies rows of cols elements, which lie srcRow apart in src, to columns of dst: element (r, c) goes from src[r·srcRow+c] to
// dst[c·dstRow+r].
func Turn[T any](rows, cols int, src []T, srcRow int, dst []T, dstRow int) {
	done := 0
	if haveVectors {
		switch x := any(src).(type) {
		case []uint32:
			done = turnBands(rows, cols, x, srcRow, any(dst).([]uint32), dstRow, 8, turn8_32, turn16_32)
		case []uint64:
			done = turnBands(rows, cols, x, srcRow, any(dst).([]uint64), dstRow, 4, turn4_64, turn8_64)
		}
	}
	turnPlainly(done, rows, 0, cols, src, srcRow, dst, dstRow)
}

// turnFunc is the assembly for a band of rows and blocks of as many columns as a vector has lanes.
type turnFunc[T any] func(blocks int, src []T, srcRow int, dst []T, dstRow int)

// turnBands does what assembly can of a Turn, in bands of two vectors of rows, so that whole cache lines are written, or one, and
// returns how many rows are done.
func turnBands[T any](rows, cols int, src []T, srcRow int, dst []T, dstRow, lanes int, one, two turnFunc[T]) (done int) {
	blocks := cols / lanes
	if blocks == 0 {
		return 0
	}
	for done+lanes <= rows {
		height, turn := lanes, one
		if done+2*lanes <= rows {
			height, turn = 2*lanes, two
		}
		turn(blocks, src[done*srcRow:], srcRow, dst[done:], dstRow)
		turnPlainly(done, done+height, blocks*lanes, cols, src, srcRow, dst, dstRow)
		done += height
	}
	return done
}

// turnPlainly does rows r0 to r1 and columns c0 to c1 of a Turn, one element after another.
func turnPlainly[T any](r0, r1, c0, c1 int, src []T, srcRow int, dst []T, dstRow int) {
	for r := r0; r < r1; r++ {
		for c, v := range src[r*srcRow+c0:][:c1-c0] {
			dst[(c0+c)*dstRow+r] = v
		}
	}
}
