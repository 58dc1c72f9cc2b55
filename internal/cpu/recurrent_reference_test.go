package cpu

import "math/cmplx"

// The reference of the recurrent cells: one sequence after another, one number after another, from the formulas. It computes with complex
// numbers, so that a small imaginary part of one input gives the derivative of all results to that input, exactly: no difference of
// nearly equal numbers is taken (Squire and Trapp, 1998).

type numbersByName map[string][]complex128

// sequenceRows returns the rows of the sequence of one rank in the order in which it is walked.
func sequenceRows(steps []int32, reverse bool, rank int) (rows []int) {
	for t := 0; t+1 < len(steps); t++ {
		if row := int(steps[t]) + rank; row < int(steps[t+1]) {
			if reverse {
				rows = append([]int{row}, rows...)
			} else {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// recurrentReference walks all sequences of a case and returns the results by name.
func recurrentReference(c *recurrentCase, in numbersByName) numbersByName {
	n, rows, batch := c.hidden, c.rows(), c.batch()
	out := numbersByName{
		"gates": append([]complex128{}, in["gates"]...), "inner": make([]complex128, rows*n),
		"h": make([]complex128, rows*n), "c": make([]complex128, rows*n),
		"hLast": make([]complex128, batch*n), "cLast": make([]complex128, batch*n),
	}
	for rank := range batch {
		s := state{n: n, in: in, h: make([]complex128, n), c: make([]complex128, n), mask: make([]complex128, n)}
		for j := range n {
			s.mask[j] = 1
			if in["mask"] != nil {
				s.mask[j] = in["mask"][rank*n+j]
			}
			if in["h0"] != nil {
				s.h[j] = in["h0"][rank*n+j]
			}
			if in["c0"] != nil {
				s.c[j] = in["c0"][rank*n+j]
			}
		}
		for _, row := range sequenceRows(c.steps, c.reverse, rank) {
			c.cell.reference(&s, out["gates"][row*c.width():][:c.width()], out["inner"][row*n:][:n])
			copy(out["h"][row*n:], s.h)
			copy(out["c"][row*n:], s.c)
		}
		copy(out["hLast"][rank*n:], s.h)
		copy(out["cLast"][rank*n:], s.c)
	}
	return out
}

// state is that of one sequence.
type state struct {
	n          int
	in         numbersByName
	h, c, mask []complex128
}

// product computes Σ x·W[:, column], of a W of width columns.
func (s *state) product(x []complex128, column, width int) (sum complex128) {
	w := s.in["w"]
	for k, v := range x {
		sum += v * w[k*width+column]
	}
	return sum
}

// masked returns mask⊙h.
func (s *state) masked() []complex128 {
	m := make([]complex128, s.n)
	for j := range m {
		m[j] = s.mask[j] * s.h[j]
	}
	return m
}

func sigmoidReference(x complex128) complex128 { return 1 / (1 + cmplx.Exp(-x)) }

func lstmReference(s *state, gates, _ []complex128) {
	n, m := s.n, s.masked()
	for j := range gates {
		gates[j] += s.product(m, j, 4*n)
	}
	peephole := func(k, j int) complex128 {
		if p := s.in["peephole"]; p != nil {
			return p[k*n+j] * s.c[j]
		}
		return 0
	}
	for j := range n {
		i, f, g, o := &gates[j], &gates[n+j], &gates[2*n+j], &gates[3*n+j]
		*i, *f, *g = sigmoidReference(*i+peephole(0, j)), sigmoidReference(*f+peephole(1, j)), cmplx.Tanh(*g)
		s.c[j] = *f*s.c[j] + *i**g
		*o = sigmoidReference(*o + peephole(2, j))
		s.h[j] = *o * cmplx.Tanh(s.c[j])
	}
}

func gruAfterReference(s *state, gates, inner []complex128) {
	n, m := s.n, s.masked()
	for j := range n {
		r, z, c := &gates[j], &gates[n+j], &gates[2*n+j]
		*r, *z = sigmoidReference(*r+s.product(m, j, 3*n)), sigmoidReference(*z+s.product(m, n+j, 3*n))
		inner[j] = s.product(m, 2*n+j, 3*n)
		if s.in["bias"] != nil {
			inner[j] += s.in["bias"][j]
		}
		*c = cmplx.Tanh(*c + *r*inner[j])
		s.h[j] = (1-*z)**c + *z*s.h[j]
	}
}

func gruBeforeReference(s *state, gates, inner []complex128) {
	n, m := s.n, s.masked()
	for j := range 2 * n {
		gates[j] = sigmoidReference(gates[j] + s.product(m, j, 3*n))
	}
	for j := range n {
		inner[j] = gates[j] * m[j]
	}
	for j := range n {
		z, c := gates[n+j], &gates[2*n+j]
		*c = cmplx.Tanh(*c + s.product(inner, 2*n+j, 3*n))
		s.h[j] = (1-z)**c + z*s.h[j]
	}
}

// rnnReference returns the reference of a simple cell.
func rnnReference(act func(complex128) complex128) func(s *state, gates, _ []complex128) {
	return func(s *state, gates, _ []complex128) {
		m := s.masked()
		for j := range gates {
			gates[j] = act(gates[j] + s.product(m, j, s.n))
		}
		copy(s.h, gates)
	}
}

func reluReference(x complex128) complex128 {
	if real(x) > 0 {
		return x
	}
	return 0
}
