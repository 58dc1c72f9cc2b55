package kernel

// tileWindow is a copy of the rows of a channel that a block of tiles sees, with zeros around the image: even and odd columns apart, so that what
// neighbouring tiles see are neighbours in memory.
type tileWindow struct {
	rows, row, odd int // rows; elements of a row; from an even column to the odd one that follows it
	data           []float32
}

// tileSlack is the elements that columns, patches and grads may go beyond a row's: a vector, and one.
const tileSlack = 32

// size returns the elements of the window of a block of the cut.
func (w *tileWindow) size(tiling *ConvShape, c *tileCut) int {
	w.rows = (c.rows-1)*tiling.StrideHeight + tiling.KernelHeight
	w.odd = roundUp(c.cols+tiling.KernelWidth/2, 16) + tileSlack
	w.row = 2 * w.odd
	return w.rows*w.row + tileSlack
}

// begin sets the window's memory to zero, where the image's elements do not come.
func (w *tileWindow) begin(data []float32) {
	w.data = data
	clear(data)
}

// fill copies what the tiles of a block see of a channel x.
func (w *tileWindow) fill(apply *winogradTable, tiling *ConvShape, x []float32, b tileBlock) {
	first, left := b.row*tiling.StrideHeight-tiling.PadTop, b.col*tiling.StrideWidth-tiling.PadLeft
	lo, hi := clamp(-first, w.rows), clamp(tiling.Height-first, w.rows)
	from := max(0, left)
	cols := min(tiling.Width, left+(b.cols-1)*tiling.StrideWidth+tiling.KernelWidth) - from
	if lo >= hi || cols <= 0 {
		return
	}
	at := lo*w.row + (from-left)/2
	even, odd := w.data[at:], w.data[at+w.odd:]
	if (from-left)%2 == 1 { // the first column of x is an odd one
		even, odd = odd, w.data[at+1:]
	}
	x = x[(first+lo)*tiling.Width+from : (first+hi)*tiling.Width]
	apply.columns(hi-lo, cols, x, tiling.Width, even, odd, w.row)
}

// transform brings the patches, or the tiles of a gradient, of a block to planes of v, where the rows of n channels of a group, from first on, lie
// row apart. f is the transform.
func (w *tileWindow) transform(f winogradTransform, apply *winogradTable, tiling *ConvShape, b tileBlock, channel, n int, x, v []float32, row, plane int) {
	size := tiling.Height * tiling.Width
	for c := range n {
		for i := range b.images {
			w.fill(apply, tiling, x[((b.image+i)*tiling.Channels+channel+c)*size:][:size], b)
			f(b.rows, b.cols, w.data, w.row, w.odd, v[c*row+i*b.rows*b.cols:], plane)
		}
	}
}
