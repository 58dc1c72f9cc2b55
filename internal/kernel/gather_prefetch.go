package kernel

import "unsafe"

const (
	// RowsAhead is how many rows are asked for at a time. Twice as many, of a few tables, fit into the first cache.
	RowsAhead = 16
	// bytesAhead is what is asked for of a row: the processor itself goes on reading ahead in a longer one.
	bytesAhead = 256
)

// AskForRows tells the memory that rows ids[i] of x, width elements each, are wanted soon: at random places it takes a hundred times as
// long as computing with them. Ids may lie outside of x.
func AskForRows[I ID, T any](x []T, width int, ids []I) {
	if size := width * int(unsafe.Sizeof(*new(T))); haveVectors && len(x) > 0 && len(ids) > 0 {
		askForRows((*byte)(unsafe.Pointer(unsafe.SliceData(x))), size, min(size, bytesAhead), ids)
	}
}

// Ahead returns the ids that come RowsAhead after the one at place i, which is a multiple of RowsAhead.
func Ahead[I ID](ids []I, i int) []I {
	return ids[min(i+RowsAhead, len(ids)):min(i+2*RowsAhead, len(ids))]
}

// askForRows is AskForRows in bytes.
func askForRows[I ID](first *byte, size, most int, ids []I) {
	switch ids := any(ids).(type) {
	case []int32:
		prefetchRows_32(first, size, most, ids)
	case []int64:
		prefetchRows_64(first, size, most, ids)
	}
}
