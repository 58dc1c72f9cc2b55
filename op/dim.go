package op

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Dim is the size of one axis: a number from 0 up, a symbol such as Batch, an expression of symbols, or a count that an op finds
// while it runs. Only numbers have a meaning of their own; the others belong to a graph, which prints them (Graph.DimString) and
// compares them: equal expressions are equal Dims.
type Dim int

// Batch is the symbol "batch", the number of samples, in every graph.
const Batch Dim = -1 << 20

// Auto asks Reshape for the size that keeps the number of elements.
const Auto Dim = math.MinInt32

// dimKind tells the entries of a dimension table apart.
type dimKind uint8

const (
	dimSymbol dimKind = iota // bound by the shape of an input
	dimSum                   // Σ coefficient · Π atoms
	dimFloor                 // ⌊num / den⌋
	dimCount                 // found at run time, at most bound
)

type dimEntry struct {
	kind     dimKind
	name     string
	terms    []term
	num, den Dim
	bound    Dim
}

// term is coefficient · Π atoms; an atom is a symbol, a floor or a count. Atoms are sorted.
type term struct {
	coefficient int
	atoms       []Dim
}

// dimTable interns the symbolic dimensions of a graph and of the bodies inside it. Expressions are kept as polynomials in a normal
// form, so that Batch·2+Batch and 3·Batch are one Dim. An entry only refers to earlier ones.
type dimTable struct {
	entries []dimEntry
	index   map[string]Dim
}

func newDimTable() *dimTable {
	t := &dimTable{index: map[string]Dim{}}
	t.symbol("batch")
	return t
}

// clone returns a table in which all of t's dimensions mean the same, and which grows on its own.
func (t *dimTable) clone() *dimTable {
	return &dimTable{entries: slices.Clone(t.entries), index: maps.Clone(t.index)}
}

func (t *dimTable) handle(i int) Dim { return Batch - Dim(i) }

// entry returns the entry of a symbolic dimension, nil for numbers and for handles that are not of this table.
func (t *dimTable) entry(d Dim) *dimEntry {
	i := int(Batch - d)
	if d >= 0 || i < 0 || i >= len(t.entries) {
		return nil
	}
	return &t.entries[i]
}

// valid reports whether d is a number or belongs to t.
func (t *dimTable) valid(d Dim) bool { return d >= 0 || t.entry(d) != nil }

func (t *dimTable) intern(key string, e dimEntry) Dim {
	if d, ok := t.index[key]; ok {
		return d
	}
	d := t.handle(len(t.entries))
	t.entries = append(t.entries, e)
	t.index[key] = d
	return d
}

func (t *dimTable) symbol(name string) Dim {
	return t.intern("symbol "+name, dimEntry{kind: dimSymbol, name: name})
}

// count returns a new dimension that is found at run time.
func (t *dimTable) count(name string, bound Dim) Dim {
	key := "count " + strconv.Itoa(len(t.entries))
	return t.intern(key, dimEntry{kind: dimCount, name: name, bound: bound})
}

// terms returns d as a polynomial.
func (t *dimTable) terms(d Dim) []term {
	if d >= 0 {
		if d == 0 {
			return nil
		}
		return []term{{coefficient: int(d)}}
	}
	if e := t.entry(d); e != nil && e.kind == dimSum {
		return e.terms
	}
	return []term{{coefficient: 1, atoms: []Dim{d}}}
}

// fromTerms normalises a polynomial and returns its Dim.
func (t *dimTable) fromTerms(terms []term) Dim {
	slices.SortFunc(terms, func(a, b term) int { return slices.Compare(b.atoms, a.atoms) }) // the number comes last
	var norm []term
	for _, x := range terms {
		if n := len(norm); n > 0 && slices.Equal(norm[n-1].atoms, x.atoms) {
			norm[n-1].coefficient = plus(norm[n-1].coefficient, x.coefficient)
		} else {
			norm = append(norm, x)
		}
	}
	norm = slices.DeleteFunc(norm, func(x term) bool { return x.coefficient == 0 })
	switch {
	case len(norm) == 0:
		return 0
	case len(norm) == 1 && len(norm[0].atoms) == 0 && norm[0].coefficient > 0:
		return Dim(norm[0].coefficient)
	case len(norm) == 1 && len(norm[0].atoms) == 1 && norm[0].coefficient == 1:
		return norm[0].atoms[0]
	}
	return t.intern(fmt.Sprint("sum ", norm), dimEntry{kind: dimSum, terms: norm})
}

func (t *dimTable) add(a, b Dim) Dim {
	if a >= 0 && b >= 0 {
		return Dim(plus(int(a), int(b)))
	}
	return t.fromTerms(append(slices.Clone(t.terms(a)), t.terms(b)...))
}

func (t *dimTable) sub(a, b Dim) Dim {
	if a >= 0 && b >= 0 {
		return a - b
	}
	minus := slices.Clone(t.terms(b))
	for i := range minus {
		minus[i].coefficient = -minus[i].coefficient
	}
	return t.fromTerms(append(slices.Clone(t.terms(a)), minus...))
}

func (t *dimTable) mul(a, b Dim) Dim {
	if a >= 0 && b >= 0 {
		return Dim(times(int(a), int(b)))
	}
	var out []term
	for _, x := range t.terms(a) {
		for _, y := range t.terms(b) {
			atoms := append(slices.Clone(x.atoms), y.atoms...)
			slices.SortFunc(atoms, func(a, b Dim) int { return int(b - a) }) // the oldest first
			out = append(out, term{times(x.coefficient, y.coefficient), atoms})
		}
	}
	return t.fromTerms(out)
}

// addConst returns a+n, where n may be negative; a negative number is returned as such and means an impossible size.
func (t *dimTable) addConst(a Dim, n int) Dim {
	if a >= 0 {
		return Dim(plus(int(a), n))
	}
	return t.fromTerms(append(slices.Clone(t.terms(a)), term{coefficient: n}))
}

// div returns ⌊a/b⌋, exactly where the polynomial a is divisible by the monomial b.
func (t *dimTable) div(a, b Dim) Dim {
	if b == 0 {
		return 0
	}
	if a >= 0 && b >= 0 {
		return a / b
	}
	if q, ok := t.exact(a, b); ok {
		return q
	}
	return t.intern(fmt.Sprint("floor ", a, b), dimEntry{kind: dimFloor, num: a, den: b})
}

func (t *dimTable) exact(a, b Dim) (Dim, bool) {
	divisor := t.terms(b)
	if len(divisor) != 1 {
		return 1, a == b
	}
	var out []term
	for _, x := range t.terms(a) {
		if x.coefficient%divisor[0].coefficient != 0 {
			return 0, false
		}
		rest := slices.Clone(x.atoms)
		for _, atom := range divisor[0].atoms {
			i := slices.Index(rest, atom)
			if i < 0 {
				return 0, false
			}
			rest = slices.Delete(rest, i, i+1)
		}
		out = append(out, term{x.coefficient / divisor[0].coefficient, rest})
	}
	return t.fromTerms(out), true
}

func (t *dimTable) string(d Dim) string {
	e := t.entry(d)
	switch {
	case d == Auto:
		return "auto"
	case e == nil:
		return strconv.Itoa(int(d))
	case e.kind == dimSum:
		parts := make([]string, len(e.terms))
		for i, x := range e.terms {
			parts[i] = t.termString(x)
		}
		return strings.ReplaceAll(strings.Join(parts, "+"), "+-", "-")
	case e.kind == dimFloor:
		return t.factor(e.num) + "/" + t.factor(e.den)
	case e.kind == dimCount:
		return e.name + "≤" + t.string(e.bound)
	}
	return e.name
}

func (t *dimTable) termString(x term) string {
	var parts []string
	sign := ""
	switch {
	case x.coefficient == -1 && len(x.atoms) > 0:
		sign = "-"
	case x.coefficient != 1 || len(x.atoms) == 0:
		parts = append(parts, strconv.Itoa(x.coefficient))
	}
	alone := len(x.atoms) == 1 && len(parts) == 0
	for _, a := range x.atoms {
		if alone {
			parts = append(parts, t.string(a))
		} else {
			parts = append(parts, t.factor(a))
		}
	}
	return sign + strings.Join(parts, "·")
}

// factor returns d as text that can stand in a product.
func (t *dimTable) factor(d Dim) string {
	text := t.string(d)
	if e := t.entry(d); e != nil && e.kind != dimSymbol {
		return "(" + text + ")"
	}
	return text
}

func (t *dimTable) shapeString(shape []Dim) string {
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = t.string(d)
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
