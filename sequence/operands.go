package sequence

import "paddle/op"

// operands collects the inputs of an op of which some may be missing.
type operands struct{ nodes []*op.Node }

// add appends nodes, all there or all missing, and reports which.
func (s *operands) add(nodes ...*op.Node) bool {
	if nodes[0] == nil {
		return false
	}
	s.nodes = append(s.nodes, nodes...)
	return true
}

// slots numbers the inputs that operands collected: it is how many have a number.
type slots int

// next returns the place of the next input, 0 where it is not there.
func (p *slots) next(there bool) int {
	if !there {
		return 0
	}
	*p++
	return int(*p) - 1
}

// at returns buffer i, nil for place 0.
func at(b []op.Buffer, i int) op.Buffer {
	if i == 0 {
		return op.Buffer{}
	}
	return b[i]
}

// remaining are the inputs that operands collected, in order.
type remaining []op.Buffer

// next takes the next input off, nil where it is not there.
func (r *remaining) next(there bool) (b op.Buffer) {
	if there {
		b, *r = (*r)[0], (*r)[1:]
	}
	return b
}

// inPlace gives y the contents of x unless it is the same memory.
func inPlace(x, y op.Buffer) { copy(y.Bytes(), x.Bytes()) }
