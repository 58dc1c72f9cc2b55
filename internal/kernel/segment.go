package kernel

// Segment is a run of rows of a matrix: the rows Index[From] to Index[To−1], or From to To−1 where Index is nil, and of each the columns First to
// Last−1 of Width.
type Segment struct {
	Index       []int32
	From, To    int
	Width       int
	First, Last int
}

// Len returns how many rows s has.
func (s *Segment) Len() int { return s.To - s.From }

// Row returns the columns of s of row i of x, counted as From and To are.
func Row[T any](s *Segment, x []T, i int) []T {
	if s.Index != nil {
		i = int(s.Index[i])
	}
	i *= s.Width
	return x[i+s.First : i+s.Last]
}

// atOnce is how many columns are reduced at once, so that sums stay in the nearest cache.
const atOnce = 256

// columns calls f with parts of at most atOnce of the columns of s, and with the same columns of a row of the result. It is inlined with f.
func columns(s *Segment, f func(c Segment, lo, hi int)) {
	for lo := 0; lo < s.Last-s.First; lo += atOnce {
		c := *s
		c.First = s.First + lo
		c.Last = min(c.First+atOnce, s.Last)
		f(c, lo, lo+c.Last-c.First)
	}
}

// SegmentSum computes y = Σ rows / divisor, of one row or more; y has the columns of s.
func SegmentSum[T Float](s Segment, divisor float64, x, y []T) {
	var sums [atOnce]float64
	columns(&s, func(c Segment, lo, hi int) {
		acc, to := sums[:hi-lo], y[lo:hi]
		clear(acc)
		i := c.From
		for ; i+4 <= c.To; i += 4 {
			sumFourInto(Row(&c, x, i), Row(&c, x, i+1), Row(&c, x, i+2), Row(&c, x, i+3), acc)
		}
		for ; i < c.To; i++ {
			SumInto(Row(&c, x, i), acc)
		}
		for j, v := range acc {
			to[j] = T(v / divisor)
		}
	})
}

// SegmentMax computes the greatest element of each column of one row or more, and in arg the row of the first of them; NaN is greater than
// numbers. arg may be nil.
func SegmentMax[T Float](s Segment, x, y []T, arg []int32) {
	switch x := any(x).(type) {
	case []float32:
		var rows [atOnce]int32
		segmentMax(s, x, any(y).([]float32), arg, rows[:])
	case []float64:
		var rows [atOnce]int64
		segmentMax(s, x, any(y).([]float64), arg, rows[:])
	}
}

// segmentMax is SegmentMax with room for atOnce rows, of the size of elements.
func segmentMax[T Float, I int32 | int64](s Segment, x, y []T, arg []int32, rows []I) {
	columns(&s, func(c Segment, lo, hi int) {
		at, to := rows[:hi-lo], y[lo:hi]
		copy(to, Row(&c, x, c.From))
		Fill(at, I(c.From))
		i := c.From + 1
		for ; i+4 <= c.To; i += 4 {
			greaterFourInto(Row(&c, x, i), Row(&c, x, i+1), Row(&c, x, i+2), Row(&c, x, i+3), to, at, I(i))
		}
		for ; i < c.To; i++ {
			greaterInto(Row(&c, x, i), to, at, I(i))
		}
		if arg != nil {
			for j, r := range at {
				arg[lo+j] = int32(r)
			}
		}
	})
}

// greaterInto sets y to x and arg to row where x is greater.
func greaterInto[T Float, I int32 | int64](x, y []T, arg []I, row I) {
	y, arg = y[:len(x)], arg[:len(x)]
	if haveVectors {
		switch x := any(x).(type) {
		case []float32:
			greaterInto32(x, any(y).([]float32), any(arg).([]int32), int32(row))
			return
		case []float64:
			greaterInto64(x, any(y).([]float64), any(arg).([]int64), int64(row))
			return
		}
	}
	for j, v := range x {
		if m := y[j]; v > m || v != v && m == m {
			y[j], arg[j] = v, row
		}
	}
}

// greaterFourInto is greaterInto for four rows, one after another.
func greaterFourInto[T Float, I int32 | int64](x, x1, x2, x3, y []T, arg []I, row I) {
	n := len(x)
	x1, x2, x3, y, arg = x1[:n], x2[:n], x3[:n], y[:n], arg[:n]
	if haveVectors {
		switch x := any(x).(type) {
		case []float32:
			greaterFourInto32(x, any(x1).([]float32), any(x2).([]float32), any(x3).([]float32), any(y).([]float32), any(arg).([]int32), int32(row))
			return
		case []float64:
			greaterFourInto64(x, any(x1).([]float64), any(x2).([]float64), any(x3).([]float64), any(y).([]float64), any(arg).([]int64), int64(row))
			return
		}
	}
	for i, x := range [...][]T{x, x1, x2, x3} {
		greaterInto(x, y, arg, row+I(i))
	}
}

// sumFourInto is SumInto for four rows, one after another.
func sumFourInto[T Float](x, x1, x2, x3 []T, acc []float64) {
	n := len(acc)
	x, x1, x2, x3 = x[:n], x1[:n], x2[:n], x3[:n]
	if haveVectors {
		switch x := any(x).(type) {
		case []float32:
			sumFourInto32(x, any(x1).([]float32), any(x2).([]float32), any(x3).([]float32), acc)
			return
		case []float64:
			sumFourInto64(x, any(x1).([]float64), any(x2).([]float64), any(x3).([]float64), acc)
			return
		}
	}
	for _, x := range [...][]T{x, x1, x2, x3} {
		SumInto(x, acc)
	}
}

// SegmentPick computes y[j] = x[arg[j], j], where arg[j] counts rows as s does.
func SegmentPick[T Float](s Segment, x []T, arg []int32, y []T) {
	for j := range y {
		y[j] = Row(&s, x, int(arg[j]))[j]
	}
}

// SegmentScale computes y = x / divisor in every row of y.
func SegmentScale[T Float](s Segment, divisor float64, x, y []T) {
	var scaled [atOnce]T
	columns(&s, func(c Segment, lo, hi int) {
		v := scaled[:hi-lo]
		for j, d := range x[lo:hi] {
			v[j] = T(float64(d) / divisor)
		}
		SegmentCopy(c, v, y)
	})
}

// SegmentCopy computes y = x in every row of y.
func SegmentCopy[T any](s Segment, x, y []T) {
	for i := s.From; i < s.To; i++ {
		copy(Row(&s, y, i), x)
	}
}

// SegmentClear sets all rows to 0.
func SegmentClear[T any](s Segment, y []T) {
	for i := s.From; i < s.To; i++ {
		clear(Row(&s, y, i))
	}
}

// SegmentPlace computes y[arg[j], j] = x[j], and 0 in all other rows; it is the transpose of SegmentPick.
func SegmentPlace[T Float](s Segment, x []T, arg []int32, y []T) {
	SegmentClear(s, y)
	for j, v := range x {
		Row(&s, y, int(arg[j]))[j] = v
	}
}
