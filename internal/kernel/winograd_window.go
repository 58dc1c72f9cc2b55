package kernel

// tileWindow is a copy of the rows of a channel that a block of tiles sees, with zeros around the image: even and odd columns apart, so that what
// neighbouring tiles see are neighbours in memory.
type tileWindow struct {
	rows, row, odd int // rows; elements of a row; from an even column to the odd one that follows it
	data           []float32
}

// tileSlack is the elements that columns, patches and grads may go beyond a row's: a vector, and one.
const tileSlack = 32

// size returns the elements of the window of rows rows of tiles.
func (w *tileWindow) size(tiling *ConvShape, rows int) int {
	w.rows = (rows-1)*tiling.StrideHeight + tiling.KernelHeight
	w.odd = roundUp(max(tiling.OutWidth+tiling.KernelWidth/2, ceilDiv(tiling.Width+tiling.PadLeft, 2)), 16) + tileSlack
	w.row = 2 * w.odd
	return w.rows*w.row + tileSlack
}

// begin sets the window's memory to zero, where the image's elements do not come.
func (w *tileWindow) begin(data []float32) {
	w.data = data
	clear(data)
}

// fill copies what the rows of tiles from row on see of a channel x.
func (w *tileWindow) fill(apply *winogradTable, tiling *ConvShape, x []float32, row int) {
	first := row*tiling.StrideHeight - tiling.PadTop
	lo, hi := clamp(-first, w.rows), clamp(tiling.Height-first, w.rows)
	if lo >= hi {
		return
	}
	at := lo*w.row + tiling.PadLeft/2
	even, odd := w.data[at:], w.data[at+w.odd:]
	if tiling.PadLeft%2 == 1 { // the first column of x is an odd one
		even, odd = odd, w.data[at+1:]
	}
	x = x[(first+lo)*tiling.Width : (first+hi)*tiling.Width]
	apply.columns(hi-lo, tiling.Width, x, tiling.Width, even, odd, w.row)
}

// transform brings the patches, or the tiles of a gradient, of a block to planes of v, where the rows of n channels of a group, from first on, lie
// row apart. f is the transform.
func (w *tileWindow) transform(f winogradTransform, apply *winogradTable, tiling *ConvShape, b tileBlock, channel, n int, x, v []float32, row, plane int) {
	size := tiling.Height * tiling.Width
	for c := range n {
		for i := range b.images {
			w.fill(apply, tiling, x[((b.image+i)*tiling.Channels+channel+c)*size:][:size], b.row)
			f(b.rows, tiling.OutWidth, w.data, w.row, w.odd, v[c*row+i*b.rows*tiling.OutWidth:], plane)
		}
	}
}
