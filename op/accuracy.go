package op

// Accuracy returns the fraction of rows whose greatest score is the label's, a Float32 scalar: scores are (batch, classes) and label (batch)
// Int32 or Int64, or both with more axes in front. Of equal scores the first class wins; a row with a NaN is not right. Rows whose label
// is IgnoreLabel do not count; Count gives the number of those that do, and if none does the accuracy is 0.
func Accuracy(scores, label *Node) *Node {
	return fraction(scores, label, func() *Node {
		best := Max(scores, -1)
		return And(Equal(Cast(ArgMax(scores, -1), label.dtype), label), Equal(best, best))
	})
}

// TopKAccuracy returns the fraction of rows whose label is among the k classes with the greatest scores; see Accuracy. Of equal scores the
// first classes come first; a label whose score is NaN is not among them.
func TopKAccuracy(scores, label *Node, k int) *Node {
	return fraction(scores, label, func() *Node {
		g, classes := scores.graph, scores.Dim(-1)
		if classes < 0 || k < 1 || Dim(k) > classes {
			return g.Fail("the first %d of %s classes, want from 1 to all of a known number", k, g.DimString(classes))
		}
		hot := oneOf(label, int(classes))
		own := Unsqueeze(Sum(Where(hot, scores, g.Full(scores.dtype, 0)), -1), -1)
		before := Less(g.numbers(label.dtype, int(classes)), Unsqueeze(label, -1))
		ahead := Or(Not(LessEqual(scores, own)), And(Equal(scores, own), before))
		rank := Sum(Cast(ahead, Int32), -1)
		return And(Less(rank, g.Full(Int32, float64(k))), Any(hot, -1))
	})
}

// fraction returns the fraction of the rows that count for which right, built once the inputs are known to fit, is true.
func fraction(scores, label *Node, right func() *Node) *Node {
	g, err := commonGraph([]*Node{scores, label})
	if err != nil {
		return g.fail(err)
	}
	for _, n := range []*Node{scores, label} {
		if n.err != nil {
			return n
		}
	}
	s := &Shapes{In: []Spec{{scores.dtype, scores.shape}, {label.dtype, label.shape}}, graph: g, nodes: []*Node{scores, label}}
	if err := inferLabelled(s); err != nil {
		return g.fail(err)
	}
	counts := NotEqual(label, g.Full(label.dtype, IgnoreLabel))
	hits := Sum(Cast(And(right(), counts), Int64))
	total := Sum(Cast(counts, Int64))
	mean := Div(Cast(hits, Float32), Cast(Maximum(total, g.Full(Int64, 1)), Float32))
	return WithCount(mean, Cast(total, Float32))
}
