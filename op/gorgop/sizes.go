package gorgop

import (
	"fmt"
	"slices"
	"strings"

	"paddle/op"
)

// Gorgonia knows numbers for sizes, no symbols. To find out how the sizes of a result follow the symbols, an expression is built with
// several numbers in their place, and the sizes that come out are solved for the polynomial that gives them all.

// survey is the set of sizes that an expression is built at.
type survey struct {
	graph *op.Graph
	free  []op.Dim // the symbols, and the dimensions with a run-time count
	like  []op.Dim // the dimensions of the arguments, each once
	// points hold a number for each of free: for every subset of free, prime numbers with 1 added to the subset's; then two more, by
	// which the polynomial is checked.
	points [][]int
}

// primes are far enough from the sizes 0 and 1, which Gorgonia treats in ways of their own.
var primes = []int{7, 11, 13, 17, 19}

func newSurvey(g *op.Graph, shapes ...[]op.Dim) (*survey, error) {
	s := &survey{graph: g}
	for _, shape := range shapes {
		for _, d := range shape {
			if d < 0 && !slices.Contains(s.like, d) {
				s.like = append(s.like, d)
			}
		}
	}
	for _, d := range s.like {
		symbols, counted := g.Symbols([]op.Dim{d})
		if counted {
			symbols = []op.Dim{d}
		}
		for _, f := range symbols {
			if !slices.Contains(s.free, f) {
				s.free = append(s.free, f)
			}
		}
	}
	if len(s.free) > len(primes) {
		return nil, fmt.Errorf("the shapes of the inputs have %d different symbols, want at most %d", len(s.free), len(primes))
	}
	s.place()
	return s, nil
}

func (s *survey) place() {
	m := len(s.free)
	for subset := range 1 << m {
		p := slices.Clone(primes[:m])
		for i := range p {
			p[i] += subset >> i & 1
		}
		s.points = append(s.points, p)
	}
	for k := range 2 {
		if m == 0 {
			return
		}
		p := slices.Clone(primes[:m])
		for i := range p {
			p[i] = (2+k)*p[i] + 4*i + 2
		}
		s.points = append(s.points, p)
	}
}

// at returns the numbers behind dimensions at a point.
func (s *survey) at(point []int) func(op.Dim) int {
	sizes := s.graph.NewSizes()
	counts := map[op.Dim]int{}
	for i, d := range s.free {
		if s.graph.IsSymbol(d) {
			sizes.Rebind(d, point[i])
		} else {
			counts[d] = point[i]
		}
	}
	sizes.Update()
	return func(d op.Dim) int {
		if n, ok := counts[d]; ok {
			return n
		}
		return sizes.Of(d)
	}
}

// text returns a point as text, such as "batch=7, length=11".
func (s *survey) text(point []int) string {
	var parts []string
	for i, d := range s.free {
		parts = append(parts, fmt.Sprintf("%s=%d", s.graph.DimString(d), point[i]))
	}
	return strings.Join(parts, ", ")
}

// formula is number + Σ terms.
type formula struct {
	number int
	terms  []term
}

// term is coefficient · Π factors.
type term struct {
	coefficient int
	factors     []op.Dim
}

// dim returns the formula as a dimension of the graph that s infers for.
func (f formula) dim(s *op.Shapes) op.Dim {
	sum := op.Dim(0)
	for _, t := range f.terms {
		p := op.Dim(t.coefficient)
		for _, d := range t.factors {
			p = s.Mul(p, d)
		}
		sum = s.Add(sum, p)
	}
	return s.AddConst(sum, f.number)
}

// solve returns the formula of a size that is samples[i] at point i: one of the arguments' own sizes, else a polynomial in the symbols.
func (s *survey) solve(samples []int) (formula, bool) {
	for _, d := range s.like {
		if s.fits(func(size func(op.Dim) int) int { return size(d) }, samples) {
			return formula{terms: []term{{1, []op.Dim{d}}}}, true
		}
	}
	f, ok := s.polynomial(samples)
	return f, ok && s.fits(f.value, samples)
}

func (s *survey) fits(f func(func(op.Dim) int) int, samples []int) bool {
	for i, p := range s.points {
		if f(s.at(p)) != samples[i] {
			return false
		}
	}
	return true
}

func (f formula) value(size func(op.Dim) int) int {
	sum := f.number
	for _, t := range f.terms {
		p := t.coefficient
		for _, d := range t.factors {
			p *= size(d)
		}
		sum += p
	}
	return sum
}

// polynomial returns the polynomial of degree at most 1 in each symbol that goes through the samples at the subsets. Its differences there
// are the coefficients of Π (symbol − prime), which are then multiplied out.
func (s *survey) polynomial(samples []int) (formula, bool) {
	m := len(s.free)
	c := slices.Clone(samples[:1<<m])
	for i := range m {
		for subset := range c {
			if subset>>i&1 == 1 {
				c[subset] -= c[subset&^(1<<i)]
			}
		}
	}
	for i := range m {
		for subset := range c {
			if subset>>i&1 == 1 {
				c[subset&^(1<<i)] -= primes[i] * c[subset]
			}
		}
	}
	f := formula{number: c[0]}
	for subset := 1; subset < len(c); subset++ {
		if c[subset] < 0 {
			return f, false
		}
		if c[subset] > 0 {
			f.terms = append(f.terms, term{c[subset], s.factors(subset)})
		}
	}
	return f, true
}

func (s *survey) factors(subset int) []op.Dim {
	var out []op.Dim
	for i, d := range s.free {
		if subset>>i&1 == 1 {
			out = append(out, d)
		}
	}
	return out
}

// texts lists a size at each point, such as "6 at batch=7, 8 at batch=8".
func (s *survey) texts(samples []int) string {
	var out []string
	for i, p := range s.points {
		out = append(out, fmt.Sprintf("%d at %s", samples[i], s.text(p)))
	}
	return strings.Join(out, "; ")
}
