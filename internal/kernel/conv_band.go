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

// fill copies the rows that the output rows from out on see, of channels of x.
func fillBand[T Float](b *band, s *ConvShape, x []T, channels, out int, dst []T) {
	first := out*s.StrideHeight - s.PadTop
	lo, hi := clamp(-first, b.rows), clamp(s.Height-first, b.rows)
	for c := range channels {
		plane, from := dst[c*b.plane:][:b.plane], x[c*s.Height*s.Width:][:s.Height*s.Width]
		clear(plane[:lo*b.row])
		clear(plane[hi*b.row:])
		if b.whole && lo < hi {
			copy(plane[lo*b.row:hi*b.row], from[(first+lo)*s.Width:])
			continue
		}
		for r := lo; r < hi; r++ {
			fillRow(b, s, from[(first+r)*s.Width:][:s.Width], plane[r*b.row:][:b.row])
		}
	}
}

// fillRow copies one row, phase after phase.
func fillRow[T Float](b *band, s *ConvShape, x, dst []T) {
	for p := range b.phases {
		y := dst[p*b.phase:][:b.phase]
		lo, hi := b.inside(s, p)
		clear(y[:lo])
		clear(y[hi:])
		at := lo*s.StrideWidth + p - s.PadLeft
		if s.StrideWidth == 1 {
			copy(y[lo:hi], x[at:])
			continue
		}
		for i := lo; i < hi; i++ {
			y[i] = x[at]
			at += s.StrideWidth
		}
	}
}

// drainBand copies the rows of a band that begins with the first output row back to channels of x.
func drainBand[T Float](b *band, s *ConvShape, src []T, channels int, x []T) {
	rows := min(s.Height, b.rows-s.PadTop)
	for c := range channels {
		plane, to := src[c*b.plane:][:b.plane], x[c*s.Height*s.Width:][:s.Height*s.Width]
		if b.whole && rows > 0 {
			copy(to[:rows*s.Width], plane[s.PadTop*b.row:])
			clear(to[rows*s.Width:])
			continue
		}
		clear(to)
		for r := range rows {
			drainRow(b, s, plane[(r+s.PadTop)*b.row:][:b.row], to[r*s.Width:][:s.Width])
		}
	}
}

// drainRow is the opposite of fillRow.
func drainRow[T Float](b *band, s *ConvShape, src, x []T) {
	for p := range b.phases {
		y := src[p*b.phase:][:b.phase]
		lo, hi := b.inside(s, p)
		at := lo*s.StrideWidth + p - s.PadLeft
		for i := lo; i < hi; i++ {
			x[at] = y[i]
			at += s.StrideWidth
		}
	}
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
