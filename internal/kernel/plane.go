package kernel

// planeTable holds the assembly for the rows of a plane of an image. Where there is a choice the functions for more columns come first.
type planeTable[T Float] struct {
	byColumns []rowTable[T]
	norm      normTable[T]
	tapDots   func(rows, cols int, dy []T, dyRow int, src []T, srcRow int, places []int32, sums []float64)
}

// rowTable holds the functions for rows of at least lanes columns.
type rowTable[T Float] struct {
	lanes    int
	tapSums  func(rows, cols int, src []T, srcRow int, places []int32, w []T, bias T, dst []T, dstRow int)
	copyRows func(rows, cols int, src []T, srcRow int, dst []T, dstRow int)
	evenRows func(rows, cols int, src []T, srcRow int, dst []T, dstRow int)
	zipRows  func(rows, cols int, a, b []T, srcRow int, dst []T, dstRow int)
}

// dotPlaces divides the number of places that a tapDots works on.
const dotPlaces = 3

// planes returns the table for T on this CPU, an empty one where there is no assembly.
func planes[T Float]() *planeTable[T] {
	single, double := &planes32, &planes64
	if haveAVX512 {
		single, double = &widePlanes32, &widePlanes64
	}
	var t any = double
	if _, ok := any(T(0)).(float32); ok {
		t = single
	}
	if !haveVectors {
		t = &planeTable[T]{}
	}
	return t.(*planeTable[T])
}

// rowsOf returns the functions for rows of cols columns, nil if there are none.
func (t *planeTable[T]) rowsOf(rows, cols int) *rowTable[T] {
	for i := range t.byColumns {
		if rows > 0 && cols >= t.byColumns[i].lanes {
			return &t.byColumns[i]
		}
	}
	return nil
}

// tapSums computes dst[i·dstRow+j] = bias + Σ w[t]·src[places[t] + i·srcRow+j], in the order of t, for i < rows and j < cols. dst has no
// memory in common with src. The bits of an element do not depend on rows and cols.
func tapSums[T Float](rows, cols int, src []T, srcRow int, places []int32, w []T, bias T, dst []T, dstRow int) {
	if t := planes[T]().rowsOf(rows, cols); t != nil && len(places) > 0 {
		t.tapSums(rows, cols, src, srcRow, places, w, bias, dst, dstRow)
		return
	}
	for i := range rows {
		for j := range cols {
			sum := bias
			for t, at := range places {
				sum += T(w[t] * src[int(at)+i*srcRow+j])
			}
			dst[i*dstRow+j] = sum
		}
	}
}

// tapDots computes sums[t] += Σ dy[i·dyRow+j]·src[places[t] + i·srcRow+j] over i < rows and j < cols, of which there is at least one; it may add
// up in T what rows and cols give. There are a multiple of dotPlaces places.
func tapDots[T Float](rows, cols int, dy []T, dyRow int, src []T, srcRow int, places []int32, sums []float64) {
	if f := planes[T]().tapDots; f != nil {
		f(rows, cols, dy, dyRow, src, srcRow, places, sums)
		return
	}
	for t, at := range places {
		for i := range rows {
			x := src[int(at)+i*srcRow:][:cols]
			for j, v := range dy[i*dyRow:][:cols] {
				sums[t] += float64(float64(v) * float64(x[j]))
			}
		}
	}
}

// copyRows computes dst[i·dstRow+j] = src[i·srcRow+j] for i < rows and j < cols.
func copyRows[T Float](rows, cols int, src []T, srcRow int, dst []T, dstRow int) {
	if t := planes[T]().rowsOf(rows, cols); t != nil {
		t.copyRows(rows, cols, src, srcRow, dst, dstRow)
		return
	}
	for i := range rows {
		copy(dst[i*dstRow:][:cols], src[i*srcRow:])
	}
}

// evenRows computes dst[i·dstRow+j] = src[i·srcRow+2j] for i < rows and j < cols.
func evenRows[T Float](rows, cols int, src []T, srcRow int, dst []T, dstRow int) {
	if t := planes[T]().rowsOf(rows, cols); t != nil {
		t.evenRows(rows, cols, src, srcRow, dst, dstRow)
		return
	}
	for i := range rows {
		for j := range cols {
			dst[i*dstRow+j] = src[i*srcRow+2*j]
		}
	}
}

// zipRows computes dst[i·dstRow+2j] = a[i·srcRow+j] and dst[i·dstRow+2j+1] = b[i·srcRow+j] for i < rows and j < cols.
func zipRows[T Float](rows, cols int, a, b []T, srcRow int, dst []T, dstRow int) {
	if t := planes[T]().rowsOf(rows, cols); t != nil {
		t.zipRows(rows, cols, a, b, srcRow, dst, dstRow)
		return
	}
	for i := range rows {
		for j := range cols {
			dst[i*dstRow+2*j], dst[i*dstRow+2*j+1] = a[i*srcRow+j], b[i*srcRow+j]
		}
	}
}
