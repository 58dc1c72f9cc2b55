package kernel

// AvgPool2D takes the mean of each window of a plane, over its elements in the image, or with CountPadding over those in the padded
// image, where the padding is 0. It sums in float64, in the order of the elements.
func AvgPool2D[T Float](s *PoolShape, x, y []T) {
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

// AvgPool2DGrad spreads dy evenly over the windows of a plane.
func AvgPool2DGrad[T Float](s *PoolShape, dy, dx []T) {
	clear(dx)
	for i := range s.OutHeight {
		top, bottom, _ := s.rows(i)
		for j := range s.OutWidth {
			left, right, _ := s.cols(j)
			share := T(float64(dy[i*s.OutWidth+j]) / s.count(i, j))
			for h := top; h < bottom; h++ {
				row := dx[h*s.Width+left : h*s.Width+right]
				for k := range row {
					row[k] += share
				}
			}
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
