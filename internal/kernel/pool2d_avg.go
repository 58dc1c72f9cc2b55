package kernel

// mostPoolWidth is the widest plane whose columns are summed before its windows are.
const mostPoolWidth = 1024

// AvgPool2D takes the mean of each window of a plane, over its elements in the image, or with CountPadding over those in the padded
// image, where the padding is 0. It sums in float64: down each column of a window, and then those sums.
func AvgPool2D[T Float](s *PoolShape, x, y []T) {
	if s.global() {
		y[0] = T(Sum[T, float64](x) / s.count(0, 0))
		return
	}
	var memory [mostPoolWidth]float64
	if s.Width > len(memory) {
		avgEach(s, x, y)
		return
	}
	columns := memory[:s.Width]
	lo, hi := s.inner()
	for i := range s.OutHeight {
		top, bottom, _ := s.rows(i)
		clear(columns)
		SumRowsInto(bottom-top, x[top*s.Width:], s.Width, columns)
		row := y[i*s.OutWidth:][:s.OutWidth]
		for j := 0; j < len(row); j++ {
			if j == lo && lo < hi {
				avgInner(s, columns[lo*s.StrideWidth-s.PadLeft:], row[lo:hi], s.count(i, lo))
				j = hi - 1
				continue
			}
			left, right, _ := s.cols(j)
			sum := 0.0
			for _, v := range columns[left:right] {
				sum += v
			}
			row[j] = T(sum / s.count(i, j))
		}
	}
}

// global reports whether there is one window, with all elements of the plane in it.
func (s *PoolShape) global() bool {
	if s.OutHeight != 1 || s.OutWidth != 1 {
		return false
	}
	top, bottom, _ := s.rows(0)
	left, right, _ := s.cols(0)
	return (bottom-top)*(right-left) == s.Height*s.Width
}

// avgInner takes the means of n elements of windows that have all of their columns, from the sums of these.
func avgInner[T Float](s *PoolShape, columns []float64, y []T, n float64) {
	switch stride := s.StrideWidth; s.KernelWidth {
	case 2:
		for j := range y {
			c := columns[j*stride:][:2]
			y[j] = T((c[0] + c[1]) / n)
		}
	case 3:
		for j := range y {
			c := columns[j*stride:][:3]
			y[j] = T((c[0] + c[1] + c[2]) / n)
		}
	default:
		for j := range y {
			sum := 0.0
			for _, v := range columns[j*stride:][:s.KernelWidth] {
				sum += v
			}
			y[j] = T(sum / n)
		}
	}
}

// avgEach takes the means of a plane of any width, window by window.
func avgEach[T Float](s *PoolShape, x, y []T) {
	for i := range s.OutHeight {
		top, bottom, _ := s.rows(i)
		for j := range s.OutWidth {
			left, right, _ := s.cols(j)
			sum := 0.0
			for h := top; h < bottom; h++ {
				for _, v := range x[h*s.Width+left : h*s.Width+right] {
					sum += float64(v)
				}
			}
			y[i*s.OutWidth+j] = T(sum / s.count(i, j))
		}
	}
}

// AvgPool2DGrad spreads dy evenly over the windows of a plane, row of windows by row of windows.
func AvgPool2DGrad[T Float](s *PoolShape, dy, dx []T) {
	if s.global() {
		Fill(dx, T(float64(dy[0])/s.count(0, 0)))
		return
	}
	clear(dx)
	lo, hi := s.inner()
	for i := range s.OutHeight {
		top, bottom, _ := s.rows(i)
		shares := dy[i*s.OutWidth:][:s.OutWidth]
		for h := top; h < bottom; h++ {
			row := dx[h*s.Width:][:s.Width]
			if h > top && (s.StrideHeight >= s.KernelHeight || s.OutHeight == 1) { // no other windows have these rows
				copy(row, dx[top*s.Width:][:s.Width])
				continue
			}
			spreadEach(s, i, shares, row, 0, lo)
			if lo < hi {
				spreadInner(s, shares[lo:hi], row[lo*s.StrideWidth-s.PadLeft:], s.count(i, lo))
			}
			spreadEach(s, i, shares, row, hi, s.OutWidth)
		}
	}
}

// spreadEach adds the shares of windows j0 to j1 of row i to a row of dx.
func spreadEach[T Float](s *PoolShape, i int, dy, dx []T, j0, j1 int) {
	for j := j0; j < j1; j++ {
		left, right, _ := s.cols(j)
		share := T(float64(dy[j]) / s.count(i, j))
		for k := range dx[left:right] {
			dx[left+k] += share
		}
	}
}

// spreadInner adds the shares of windows of n elements that have all of their columns to a row of dx.
func spreadInner[T Float](s *PoolShape, dy, dx []T, n float64) {
	for j, d := range dy {
		share := T(float64(d) / n)
		to := dx[j*s.StrideWidth:][:s.KernelWidth]
		for k := range to {
			to[k] += share
		}
	}
}

// count returns the number of elements that window (i, j) is a mean of.
func (s *PoolShape) count(i, j int) float64 {
	top, bottom, high := s.rows(i)
	left, right, wide := s.cols(j)
	if s.CountPadding {
		return float64(high * wide)
	}
	return float64((bottom - top) * (right - left))
}
