package op

// Sizes holds the numbers behind the symbolic dimensions of a graph during a run. An executor binds the symbols, calls Update, and reads.
// It allocates only in NewSizes.
type Sizes struct {
	table *dimTable
	value []int
	bound []bool
}

// NewSizes returns Sizes for every dimension that g knows now.
func (g *Graph) NewSizes() *Sizes {
	n := len(g.dims.entries)
	return &Sizes{table: g.dims, value: make([]int, n), bound: make([]bool, n)}
}

// Reset unbinds every symbol and takes every run-time count at its upper bound.
func (s *Sizes) Reset() { clear(s.bound) }

// Bind sets the number behind a symbol or a count. It reports whether the number agrees with one bound before.
func (s *Sizes) Bind(d Dim, n int) bool {
	i := int(Batch - d)
	if s.bound[i] {
		return s.value[i] == n
	}
	s.value[i], s.bound[i] = n, true
	return true
}

// Rebind sets the number behind a symbol or a count, whatever it was.
func (s *Sizes) Rebind(d Dim, n int) {
	i := int(Batch - d)
	s.value[i], s.bound[i] = n, true
}

// IsBound reports whether the symbol d has a number.
func (s *Sizes) IsBound(d Dim) bool { return d >= 0 || s.bound[int(Batch-d)] }

// Update computes the expressions from the bound symbols and counts.
func (s *Sizes) Update() {
	for i := range s.value {
		e := &s.table.entries[i]
		switch e.kind {
		case dimSum:
			s.value[i] = s.sum(e.terms)
		case dimFloor:
			s.value[i] = s.floor(e)
		case dimCount:
			if !s.bound[i] {
				s.value[i] = s.Of(e.bound)
			}
		}
	}
}

func (s *Sizes) sum(terms []term) int {
	total := 0
	for i := range terms {
		p := terms[i].coefficient
		for _, a := range terms[i].atoms {
			p = times(p, s.Of(a))
		}
		total = plus(total, p)
	}
	return total
}

func (s *Sizes) floor(e *dimEntry) int {
	num, den := s.Of(e.num), s.Of(e.den)
	if den == 0 {
		return 0
	}
	if num < 0 {
		return -((-num + den - 1) / den)
	}
	return num / den
}

// Of returns the number behind d.
func (s *Sizes) Of(d Dim) int {
	if d >= 0 {
		return int(d)
	}
	return s.value[int(Batch-d)]
}

// Shape writes the numbers behind shape to dst, which has its length.
func (s *Sizes) Shape(dst []int, shape []Dim) {
	for i, d := range shape {
		dst[i] = s.Of(d)
	}
}

// Len returns the number of elements of shape, the greatest int where it is beyond that.
func (s *Sizes) Len(shape []Dim) int {
	n := 1
	for _, d := range shape {
		n = times(n, s.Of(d))
	}
	return n
}

// Symbols returns the symbols of g that shape depends on, and whether it depends on a run-time count.
func (g *Graph) Symbols(shape []Dim) (symbols []Dim, counted bool) {
	var visit func(d Dim)
	visit = func(d Dim) {
		e := g.dims.entry(d)
		if e == nil {
			return
		}
		switch e.kind {
		case dimSymbol:
			symbols = append(symbols, d)
		case dimSum:
			for _, t := range e.terms {
				for _, a := range t.atoms {
					visit(a)
				}
			}
		case dimFloor:
			visit(e.num)
			visit(e.den)
		case dimCount:
			counted = true
			visit(e.bound)
		}
	}
	for _, d := range shape {
		visit(d)
	}
	return symbols, counted
}

// IsSymbol reports whether d is a plain symbol, neither a number nor an expression nor a count.
func (g *Graph) IsSymbol(d Dim) bool {
	e := g.dims.entry(d)
	return e != nil && e.kind == dimSymbol
}
