package kernel

import "math"

// SegmentSpace is the scratch memory of the softmax over a segment.
type SegmentSpace[T Float] struct {
	most, scale [atOnce]T
	sum         [atOnce]float64
	x, y        []T // a single column, its rows brought together
}

// Grow makes room for segments of n rows of one column.
func (w *SegmentSpace[T]) Grow(n int) {
	Grow(&w.x, n)
	Grow(&w.y, n)
}

// SegmentSoftmax computes y = exp(x)/Σ exp(x) over the rows of s, for each column; y may be x. As with Softmax, a column whose elements are
// all −Inf gives zeros.
func SegmentSoftmax[T Float](w *SegmentSpace[T], s Segment, x, y []T) {
	switch {
	case s.Len() == 0:
		return
	case s.Width == 1:
		v := w.collect(&w.x, s, x)
		Softmax(v, v)
		distribute(s, v, y)
		return
	}
	columns(&s, func(c Segment, lo, hi int) { w.softmax(c, x, y) })
}

// softmax computes at most atOnce columns.
func (w *SegmentSpace[T]) softmax(c Segment, x, y []T) {
	n := c.Last - c.First
	most, scale, sum := w.most[:n], w.scale[:n], w.sum[:n]
	copy(most, Row(&c, x, c.From))
	for i := c.From + 1; i < c.To; i++ {
		Max(most, Row(&c, x, i), most)
	}
	for j, m := range most {
		if math.IsInf(float64(m), -1) {
			most[j] = 0 // and not −Inf from itself
		}
	}
	clear(sum)
	for i := c.From; i < c.To; i++ {
		to := Row(&c, y, i)
		Sub(Row(&c, x, i), most, to)
		Exp(to, to, 0, 0)
		SumInto(to, sum)
	}
	for j, v := range sum {
		if scale[j] = T(1 / v); v == 0 {
			scale[j] = 0
		}
	}
	for i := c.From; i < c.To; i++ {
		to := Row(&c, y, i)
		Mul(to, scale, to)
	}
}

// SegmentSoftmaxGrad computes dx = y·(dy − Σ y·dy) over the rows of s, from the result y of SegmentSoftmax; dx may be dy.
func SegmentSoftmaxGrad[T Float](w *SegmentSpace[T], s Segment, y, dy, dx []T) {
	switch {
	case s.Len() == 0:
		return
	case s.Width == 1:
		v, d := w.collect(&w.x, s, y), w.collect(&w.y, s, dy)
		SoftmaxGrad(v, d, d)
		distribute(s, d, dx)
		return
	}
	columns(&s, func(c Segment, lo, hi int) { w.softmaxGrad(c, y, dy, dx) })
}

// softmaxGrad computes at most atOnce columns.
func (w *SegmentSpace[T]) softmaxGrad(c Segment, y, dy, dx []T) {
	n := c.Last - c.First
	sum, dot := w.sum[:n], w.most[:n]
	clear(sum)
	for i := c.From; i < c.To; i++ {
		productsInto(Row(&c, y, i), Row(&c, dy, i), sum)
	}
	Convert(sum, dot)
	for i := c.From; i < c.To; i++ {
		to := Row(&c, dx, i)
		Sub(Row(&c, dy, i), dot, to)
		Mul(Row(&c, y, i), to, to)
	}
}

// collect copies the rows of s, of one element each, to mem.
func (w *SegmentSpace[T]) collect(mem *[]T, s Segment, x []T) []T {
	out := Grow(mem, s.Len())
	if s.Index == nil {
		copy(out, x[s.From:s.To])
		return out
	}
	for i, at := range s.Index[s.From:s.To] {
		out[i] = x[at]
	}
	return out
}

// distribute is the reverse of collect.
func distribute[T Float](s Segment, v, y []T) {
	if s.Index == nil {
		copy(y[s.From:s.To], v)
		return
	}
	for i, at := range s.Index[s.From:s.To] {
		y[at] = v[i]
	}
}
