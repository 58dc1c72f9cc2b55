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

// MaxPool2D takes the greatest element of each window of a plane, and the place of it in the plane, the first of equals. The first NaN
// wins over numbers. index may be nil.
func MaxPool2D[T Float](s *PoolShape, x, y []T, index []int32) {
	for i := range s.OutHeight {
		top, bottom, _ := s.rows(i)
		for j := range s.OutWidth {
			left, right, _ := s.cols(j)
			at := windowMax(x, s.Width, top, bottom, left, right)
			y[i*s.OutWidth+j] = x[at]
			if index != nil {
				index[i*s.OutWidth+j] = int32(at)
			}
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
