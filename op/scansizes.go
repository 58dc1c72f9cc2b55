package op

// IsCount reports whether d is a count that an op finds while it runs.
func (g *Graph) IsCount(d Dim) bool {
	e := g.dims.entry(d)
	return e != nil && e.kind == dimCount
}

// Unbind takes a symbol's or a count's number away: a count is at its upper bound again at the next Update.
func (s *Sizes) Unbind(d Dim) { s.bound[int(Batch-d)] = false }
