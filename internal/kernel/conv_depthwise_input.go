package kernel

// turnedTaps says how the gradient of a Depthwise for its input comes from that for its result, dy, which is copied with zeros around it.
// An element of dx gets from dy what the taps bring whose distance to it is a multiple of the stride; elements StrideHeight rows or StrideWidth
// columns apart have the same taps, a residue of rows and one of columns.
type turnedTaps struct {
	rows, row int // of the copy of dy, and the elements of a row
	top, left int // zeros before its rows and columns

	taps, places []int32 // of all residues one after another: which taps, and where in the copy what they bring begins
	starts       []int32 // of each residue, and the end; those of columns follow one another
}

// fill makes the lists.
func (t *turnedTaps) fill(s *ConvShape) {
	t.top, t.left = (s.KernelHeight-1)*s.DilationHeight/s.StrideHeight, (s.KernelWidth-1)*s.DilationWidth/s.StrideWidth
	t.rows = t.top + max(s.OutHeight, (s.Height-1+s.PadTop)/s.StrideHeight+1)
	t.row = t.left + max(s.OutWidth, (s.Width-1+s.PadLeft)/s.StrideWidth+1)
	t.taps, t.places, t.starts = t.taps[:0], t.places[:0], append(t.starts[:0], 0)
	for r := range s.StrideHeight {
		for c := range s.StrideWidth {
			for tap := range s.taps() {
				up, back := r+s.PadTop-tap/s.KernelWidth*s.DilationHeight, c+s.PadLeft-tap%s.KernelWidth*s.DilationWidth
				if up%s.StrideHeight == 0 && back%s.StrideWidth == 0 {
					at := (t.top+up/s.StrideHeight)*t.row + t.left + back/s.StrideWidth
					t.taps, t.places = append(t.taps, int32(tap)), append(t.places, int32(at))
				}
			}
			t.starts = append(t.starts, int32(len(t.taps)))
		}
	}
}

// of returns the taps and the places of a residue.
func (t *turnedTaps) of(residue int) (taps, places []int32) {
	lo, hi := t.starts[residue], t.starts[residue+1]
	return t.taps[lo:hi], t.places[lo:hi]
}

// gradInput computes plane i of dx: the residues of its rows one after another, and of each those of its columns, which are put together last.
func (d *Depthwise[T]) gradInput(s *depthwiseSpace[T], i int) {
	t, dx := &d.turned, d.DX[i*d.Height*d.Width:][:d.Height*d.Width]
	plane := s.plane[:t.rows*t.row]
	copyRows(d.OutHeight, d.OutWidth, d.DY[i*d.pixels():], d.OutWidth, plane[t.top*t.row+t.left:], t.row)
	width := ceilDiv(d.Width, d.StrideWidth)
	for r := range min(d.StrideHeight, d.Height) {
		rows, row := ceilDiv(d.Height-r, d.StrideHeight), d.StrideHeight*d.Width
		if d.StrideWidth == 1 {
			d.residue(s, i, r, rows, d.Width, plane, dx[r*d.Width:], row)
			continue
		}
		for c := range min(d.StrideWidth, d.Width) {
			d.residue(s, i, r*d.StrideWidth+c, rows, ceilDiv(d.Width-c, d.StrideWidth), plane, s.phase[c*rows*width:], width)
		}
		joinColumns(s.phase[:rows*width*d.StrideWidth], rows, d.Width, d.StrideWidth, dx[r*d.Width:], row)
	}
}

// residue computes the elements of plane i of dx that have the same taps.
func (d *Depthwise[T]) residue(s *depthwiseSpace[T], i, residue, rows, cols int, plane, dst []T, dstRow int) {
	taps, places := d.turned.of(residue)
	w := s.taps[:len(taps)]
	for j, tap := range taps {
		w[j] = d.W[i%d.Channels*d.taps()+int(tap)]
	}
	tapSums(rows, cols, plane, d.turned.row, places, w, 0, dst, dstRow)
}

// joinColumns brings matrices with the columns 0, stride, … of rows, with the columns 1, stride+1, …, and so on, one after another in src, to
// rows of dst.
func joinColumns[T Float](src []T, rows, cols, stride int, dst []T, dstRow int) {
	width := ceilDiv(cols, stride)
	joined := 0
	if stride == 2 {
		joined = cols / 2
		zipRows(rows, joined, src, src[rows*width:], width, dst, dstRow)
	}
	for i := range rows {
		for j := joined * stride; j < cols; j++ {
			dst[i*dstRow+j] = src[(j%stride*rows+i)*width+j/stride]
		}
	}
}
