package kernel

// band describes a copy of some rows of x for the kernel's windows: with zeros for the padding, and with the columns sorted by their
// remainder modulo StrideWidth (the phases), so that what neighbouring windows see through one tap are neighbours in memory, at any
// stride.
type band struct {
	rows, phases int
	phase        int  // elements of a phase of a row
	row, plane   int  // elements of a row and of a channel
	stride       int  // elements from one output row to the next
	whole        bool // rows of x are copied as they are
}

// newBand returns the band for outRows rows of output.
func newBand(s *ConvShape, outRows int) band {
	reach := (s.KernelWidth - 1) * s.DilationWidth
	b := band{
		rows:   (outRows-1)*s.StrideHeight + (s.KernelHeight-1)*s.DilationHeight + 1,
		phases: min(s.StrideWidth, reach+1),
		phase:  s.OutWidth + reach/s.StrideWidth,
	}
	b.row = b.phases * b.phase
	b.plane = b.rows * b.row
	b.stride = s.StrideHeight * b.row
	b.whole = s.StrideWidth == 1 && s.PadLeft == 0 && b.row == s.Width
	return b
}

// newDirectBand returns the band that x itself is, for outRows rows of output at a time: where a pixel of the result is a sum over the same pixel
// of x, rows come in equal numbers, and they are whole vectors, so that nothing behind them is read. ok is false elsewhere.
func newDirectBand(s *ConvShape, outRows, lanes int) (b band, ok bool) {
	if s.taps() != 1 || s.StrideHeight != 1 || s.StrideWidth != 1 || s.PadTop+s.PadBottom+s.PadLeft+s.PadRight != 0 ||
		s.OutHeight%outRows != 0 || outRows*s.OutWidth%lanes != 0 || s.OutHeight != s.Height || s.OutWidth != s.Width {
		return b, false
	}
	return band{rows: outRows, phases: 1, phase: s.Width, row: s.Width, plane: s.Height * s.Width, stride: s.Width, whole: true}, true
}

// places returns where the taps of channels are, relative to the place of an output pixel, in the order of the elements of a filter.
func (b *band) places(s *ConvShape, channels int, places []int32) []int32 {
	places = places[:0]
	for c := range channels {
		for ky := range s.KernelHeight {
			for kx := range s.KernelWidth {
				x := kx * s.DilationWidth
				at := c*b.plane + ky*s.DilationHeight*b.row + x%s.StrideWidth*b.phase + x/s.StrideWidth
				places = append(places, int32(at))
			}
		}
	}
	return places
}

// fillBand copies the rows that the output rows from out on see, of channels of x.
func fillBand[T Float](b *band, s *ConvShape, x []T, channels, out int, dst []T) {
	first := out*s.StrideHeight - s.PadTop
	lo, hi := clamp(-first, b.rows), clamp(s.Height-first, b.rows)
	for c := range channels {
		plane, from := dst[c*b.plane:][:b.plane], x[c*s.Height*s.Width:][:s.Height*s.Width]
		clear(plane[:lo*b.row])
		clear(plane[hi*b.row:])
		switch {
		case lo >= hi:
		case b.whole:
			copy(plane[lo*b.row:hi*b.row], from[(first+lo)*s.Width:])
		default:
			fillRows(b, s, from[(first+lo)*s.Width:], hi-lo, plane[lo*b.row:])
		}
	}
}

// fillRows copies rows, phase after phase.
func fillRows[T Float](b *band, s *ConvShape, x []T, rows int, dst []T) {
	for p := range b.phases {
		y := dst[p*b.phase:]
		lo, hi := b.inside(s, p)
		clearColumns(rows, lo, y, b.row)
		clearColumns(rows, b.phase-hi, y[hi:], b.row)
		if lo < hi {
			copyColumns(s.StrideWidth, rows, hi-lo, x[lo*s.StrideWidth+p-s.PadLeft:], s.Width, y[lo:], b.row)
		}
	}
}

// bandCopies says what of a plane of x goes where in a band that has all rows of output, between the padding.
type bandCopies struct {
	rows, width, row, stride int // rows of x and their length, of the band, from column to column of x
	phases                   []bandCopy
}

// bandCopy is the columns of a phase: the first in x and in the band, and how many.
type bandCopy struct{ from, to, cols int }

// fill makes the list.
func (t *bandCopies) fill(b *band, s *ConvShape) {
	lo, hi := clamp(s.PadTop, b.rows), clamp(s.Height+s.PadTop, b.rows)
	*t = bandCopies{hi - lo, s.Width, b.row, s.StrideWidth, t.phases[:0]}
	for p := range b.phases {
		first, end := b.inside(s, p)
		from := (lo-s.PadTop)*s.Width + first*s.StrideWidth + p - s.PadLeft
		if end > first && hi > lo {
			t.phases = append(t.phases, bandCopy{from, lo*b.row + p*b.phase + first, end - first})
		}
	}
}

// copyBand copies a plane into a band in which the padding is 0 already.
func copyBand[T Float](t *bandCopies, x, dst []T) {
	for _, p := range t.phases {
		copyColumns(t.stride, t.rows, p.cols, x[p.from:], t.width, dst[p.to:], t.row)
	}
}

// copyColumns copies cols columns that lie stride apart.
func copyColumns[T Float](stride, rows, cols int, src []T, srcRow int, dst []T, dstRow int) {
	switch stride {
	case 1:
		copyRows(rows, cols, src, srcRow, dst, dstRow)
	case 2:
		evenRows(rows, cols, src, srcRow, dst, dstRow)
	default:
		for r := range rows {
			for i := range cols {
				dst[r*dstRow+i] = src[r*srcRow+i*stride]
			}
		}
	}
}

// clearColumns clears the first n elements, of which there are few, of rows.
func clearColumns[T Float](rows, n int, x []T, row int) {
	for j := range n {
		for i := range rows {
			x[i*row+j] = 0
		}
	}
}

// drainBand copies the rows of a band that begins with the first output row back to channels of x.
func drainBand[T Float](b *band, s *ConvShape, src []T, channels int, x []T) {
	rows := min(s.Height, b.rows-s.PadTop)
	for c := range channels {
		plane, to := src[c*b.plane:][:b.plane], x[c*s.Height*s.Width:][:s.Height*s.Width]
		switch {
		case rows <= 0:
			clear(to)
		case b.whole:
			copy(to[:rows*s.Width], plane[s.PadTop*b.row:])
			clear(to[rows*s.Width:])
		default:
			drainRows(b, s, plane[s.PadTop*b.row:], rows, to)
		}
	}
}

// drainRows is the opposite of fillRows; what no window sees becomes 0.
func drainRows[T Float](b *band, s *ConvShape, src []T, rows int, x []T) {
	done := 0
	switch even, odd := s.PadLeft%2*b.phase+s.PadLeft/2, (s.PadLeft+1)%2*b.phase+(s.PadLeft+1)/2; {
	case s.StrideWidth == 1:
		done = min(s.Width, b.phase-s.PadLeft)
		copyRows(rows, done, src[s.PadLeft:], b.row, x, s.Width)
	case s.StrideWidth == 2 && b.phases == 2:
		pairs := min(s.Width/2, b.phase-(s.PadLeft+1)/2)
		zipRows(rows, pairs, src[even:], src[odd:], b.row, x, s.Width)
		done = 2 * pairs
	}
	for j := done; j < s.Width; j++ {
		phase, at := (j+s.PadLeft)%s.StrideWidth, (j+s.PadLeft)/s.StrideWidth
		seen := phase < b.phases && at < b.phase
		for i := range rows {
			if x[i*s.Width+j] = 0; seen {
				x[i*s.Width+j] = src[i*b.row+phase*b.phase+at]
			}
		}
	}
	clear(x[rows*s.Width:])
}

// inside returns which elements of a phase are columns of x, the others being padding.
func (b *band) inside(s *ConvShape, phase int) (lo, hi int) {
	lo = ceilDiv(max(0, s.PadLeft-phase), s.StrideWidth)
	hi = ceilDiv(max(0, s.Width+s.PadLeft-phase), s.StrideWidth)
	hi = min(hi, b.phase)
	return min(lo, hi), hi
}

// clamp returns n, but not less than 0 nor more than most.
func clamp(n, most int) int { return max(0, min(n, most)) }
