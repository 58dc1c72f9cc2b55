package kernel

// Tap describes which row goes with which weight.
type Tap struct {
	First  int  // the row, counted from that of the result, that goes with the first weight
	Length int  // weights
	Flip   bool // the weights are taken from the last on
}

// rows returns the rows of s that the taps of row i reach, and the weight of the first of them.
func (t Tap) rows(s *Segment, i int) (from, to, weight int) {
	first := i + t.First
	from, to = max(first, s.From), min(first+t.Length, s.To)
	return from, to, from - first
}

// SegmentConv computes yᵢ = Σⱼ wⱼ⊙xᵢ₊ₛ₊ⱼ for the rows i of s, over the rows that lie in s; weights has rows as x has, one for each tap.
func SegmentConv[T Float](s Segment, t Tap, x, weights, y []T) {
	var sums [atOnce]float64
	w := Segment{Width: s.Width}
	columns(&s, func(s Segment, _, _ int) {
		acc := sums[:s.Last-s.First]
		w.First, w.Last = s.First, s.Last
		for i := s.From; i < s.To; i++ {
			clear(acc)
			from, to, weight := t.rows(&s, i)
			for k := from; k < to; k++ {
				j := weight + k - from
				if t.Flip {
					j = t.Length - 1 - j
				}
				productsInto(Row(&s, x, k), Row(&w, weights, j), acc)
			}
			Convert(acc, Row(&s, y, i))
		}
	})
}

// SegmentConvGradWeight adds xᵢ₊ₛ₊ⱼ⊙dyᵢ to dwⱼ for the rows i of s, over the rows that lie in s; dw has rows of the columns of s, one for
// each tap.
func SegmentConvGradWeight[T Float](s Segment, t Tap, x, dy []T, dw []float64) {
	all := s.Last - s.First
	columns(&s, func(s Segment, lo, hi int) {
		n := hi - lo
		for i := s.From; i < s.To; i++ {
			from, to, weight := t.rows(&s, i)
			for k := from; k < to; k++ {
				at := (weight+k-from)*all + lo
				productsInto(Row(&s, x, k), Row(&s, dy, i), dw[at:at+n])
			}
		}
	})
}

// productsInto computes acc[i] += x[i]·y[i] for the elements of acc.
func productsInto[T Float](x, y []T, acc []float64) {
	x, y = x[:len(acc)], y[:len(acc)]
	if haveVectors {
		switch x := any(x).(type) {
		case []float32:
			productsInto32(x, any(y).([]float32), acc)
			return
		case []float64:
			productsInto64(x, any(y).([]float64), acc)
			return
		}
	}
	for i, a := range acc {
		acc[i] = a + float64(float64(x[i])*float64(y[i]))
	}
}
