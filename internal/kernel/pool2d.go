package kernel

// PoolShape holds the sizes of a two-dimensional pooling. Every window has at least one element of the image. The kernels work on one
// plane: Height × Width to OutHeight × OutWidth.
type PoolShape struct {
	Height, Width, OutHeight, OutWidth   int
	KernelHeight, KernelWidth            int
	StrideHeight, StrideWidth            int
	PadTop, PadBottom, PadLeft, PadRight int
	CountPadding                         bool
}

// rows returns which rows of the image window i covers, and how many of the padded image.
func (s *PoolShape) rows(i int) (lo, hi, padded int) {
	return windowBounds(i, s.KernelHeight, s.StrideHeight, s.PadTop, s.PadBottom, s.Height)
}

// cols is rows for the other axis.
func (s *PoolShape) cols(j int) (lo, hi, padded int) {
	return windowBounds(j, s.KernelWidth, s.StrideWidth, s.PadLeft, s.PadRight, s.Width)
}

func windowBounds(i, kernel, stride, before, after, size int) (lo, hi, padded int) {
	first := i*stride - before
	return max(first, 0), min(first+kernel, size), min(first+kernel, size+after) - first
}

// maxRow takes the greatest elements of blocks·lanes windows of rows × cols elements, which begin a stride apart, the first at the start
// of x, whose rows are width long; place is the place of this element. index may be nil.
type maxRow[T Float] func(blocks, rows, cols int, x []T, width, place int, y []T, index []int32)

// maxRows are the functions that work on as many windows at a time.
type maxRows[T Float] struct {
	lanes  int
	stride []maxRow[T] // by the distance of the windows
}

// MaxPool2D takes the greatest element of each window of a plane, and the place of it in the plane, the first of equals. The first NaN
// wins over numbers. index may be nil.
func MaxPool2D[T Float](s *PoolShape, x, y []T, index []int32) {
	lo, hi := s.inner()
	rows, lanes := kernels[T]().maxRow(hi-lo, s.StrideWidth)
	if rows == nil {
		lo, hi = s.OutWidth, s.OutWidth
	}
	for i := range s.OutHeight {
		top, bottom, _ := s.rows(i)
		row := y[i*s.OutWidth:][:s.OutWidth]
		var places []int32
		if index != nil {
			places = index[i*s.OutWidth:][:s.OutWidth]
		}
		maxEach(s, x, row, places, top, bottom, 0, lo)
		for j := lo; j < hi; {
			j = min(j, hi-lanes) // the last block may overlap the one before
			blocks, at := (hi-j)/lanes, top*s.Width+j*s.StrideWidth-s.PadLeft
			var to []int32
			if places != nil {
				to = places[j:]
			}
			rows(blocks, bottom-top, s.KernelWidth, x[at:], s.Width, at, row[j:], to)
			j += blocks * lanes
		}
		maxEach(s, x, row, places, top, bottom, hi, s.OutWidth)
	}
}

// inner returns the windows of a row that lie in the image with their whole width.
func (s *PoolShape) inner() (lo, hi int) {
	lo = ceilDiv(s.PadLeft, s.StrideWidth)
	hi = min(s.OutWidth, max(0, s.Width+s.PadLeft-s.KernelWidth+s.StrideWidth)/s.StrideWidth)
	return min(lo, hi), hi
}

// maxRow returns the widest function for n windows that begin stride apart, nil if there is none.
func (t *table[T]) maxRow(n, stride int) (f maxRow[T], lanes int) {
	for _, m := range t.maxRows {
		if n >= m.lanes && stride < len(m.stride) {
			return m.stride[stride], m.lanes
		}
	}
	return nil, 0
}

// maxEach pools windows lo to hi of a row, one by one.
func maxEach[T Float](s *PoolShape, x, y []T, index []int32, top, bottom, lo, hi int) {
	for j := lo; j < hi; j++ {
		left, right, _ := s.cols(j)
		at := windowMax(x, s.Width, top, bottom, left, right)
		y[j] = x[at]
		if index != nil {
			index[j] = int32(at)
		}
	}
}

// windowMax returns the place of the greatest element of a window. It has no branches that depend on the elements, which a processor
// could not guess.
func windowMax[T Float](x []T, width, top, bottom, left, right int) int {
	at := top*width + left
	best := x[at]
	for h := top; h < bottom; h++ {
		for p := h*width + left; p < h*width+right; p++ {
			v := x[p]
			greater, number := 0, 0
			if !(v <= best) { // or v or best is NaN
				greater = 1
			}
			if best == best {
				number = 1
			}
			at ^= (at ^ p) & -(greater & number)
			best = x[at]
		}
	}
	return at
}

// MaxPool2DGrad adds dy to a plane of zeros at the places of index.
func MaxPool2DGrad[T Float](index []int32, dy, dx []T) {
	clear(dx)
	for i, at := range index {
		dx[at] += dy[i]
	}
}
