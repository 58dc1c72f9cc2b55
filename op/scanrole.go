package op

// roleKind says where, in values over all steps, the value of one step lies.
type roleKind uint8

const (
	roleSame   roleKind = iota // all of it, in every step; of a result the sum over the steps
	rolePrefix                 // the first rows of it; of a result the sum over the steps, row by row
	rolePacked                 // rows of its own
	roleStep                   // element n of the first axis: a value that has no rows
	roleMemory                 // the first rows of what the step before left
)

// role says how the value of one step belongs to a value over all steps. Differentiation turns an input of a body into a result of the
// same role, and a result into an input.
type role struct {
	kind   roleKind
	axis   int // which table gives the rows
	memory int // which memory
}

// scanAxis is a symbol of a body that stands for rows of one step, and the sizes of values over all steps along it.
type scanAxis struct {
	symbol Dim
	total  Dim  // rows of a packed value
	most   Dim  // rows of a value of which a step sees the first ones
	ends   bool // the table has the ends of prefixes, not the bounds of rows
}

// whole returns the shape over all steps of a value with the given shape in one step. A packed value whose first axis is not that of the
// rows, such as a reshaped one, is kept as rows of as many elements.
func (p role) whole(t *dimTable, axes []scanAxis, steps Dim, shape []Dim) []Dim {
	switch p.kind {
	case rolePrefix, roleMemory:
		return append([]Dim{axes[p.axis].most}, shape[1:]...)
	case roleStep:
		return append([]Dim{steps}, shape...)
	case rolePacked:
		a := axes[p.axis]
		if t.startsWith(shape, a.symbol) {
			return append([]Dim{a.total}, shape[1:]...)
		}
		q, _ := t.exact(t.product(shape), a.symbol)
		return []Dim{a.total, q}
	}
	return shape
}

func (t *dimTable) startsWith(shape []Dim, d Dim) bool {
	return len(shape) > 0 && shape[0] == d && !t.mentions(shape[1:], d)
}

func (t *dimTable) product(shape []Dim) Dim {
	p := Dim(1)
	for _, d := range shape {
		p = t.mul(p, d)
	}
	return p
}

// mentions reports whether a size in shape depends on the symbol d.
func (t *dimTable) mentions(shape []Dim, d Dim) bool {
	g := Graph{dims: t}
	symbols, _ := g.Symbols(shape)
	for _, s := range symbols {
		if s == d {
			return true
		}
	}
	return false
}

// roleOf returns where values of the given shape in one step can be kept for all steps; ok is false if they cannot, because their size
// is not that of rows of the table of one axis.
func (t *dimTable) roleOf(axes []scanAxis, shape []Dim) (p role, ok bool) {
	g := Graph{dims: t}
	if _, counted := g.Symbols(shape); counted {
		return role{}, false
	}
	found := -1
	for i, a := range axes {
		if t.mentions(shape, a.symbol) {
			if found >= 0 {
				return role{}, false
			}
			found = i
		}
	}
	if found < 0 {
		return role{kind: roleStep}, len(shape) < MaxRank
	}
	q, exact := t.exact(t.product(shape), axes[found].symbol)
	if !exact || t.mentions([]Dim{q}, axes[found].symbol) {
		return role{}, false
	}
	return role{kind: rolePacked, axis: found}, true
}
