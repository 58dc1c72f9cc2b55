package cpu

import (
	"slices"

	"paddle/op"
)

// stretch is a walk over the rows of a result, the runs of its last axis, along which each operand either has an element for each of
// the result, or a single one. Long rows are walked in pieces; short ones are joined, see joinedRows.
type stretch struct {
	rows        layout
	cols, piece int
	perRow      int            // pieces
	wide        [operands]bool // whether an operand has an element for each of a row
	joins       bool
	span        span // of pieces
}

// plan plans the walk over a shape for operands of the given shapes.
func (s *stretch) plan(shape []int, from ...[]int) {
	if allEqual(shape, from) {
		s.rows.rank, s.cols, s.wide = 0, product(shape), [operands]bool{true, true, true}
	} else {
		s.rows.broadcast(shape, from...)
		cols, stride := s.rows.pop()
		for j, step := range stride {
			s.wide[j] = step != 0
		}
		s.cols = cols
	}
	s.joins = s.joinsRows(len(from))
	s.piece = max(1, min(s.cols, lightGrain))
	s.perRow = ceilDiv(s.cols, s.piece)
	s.span = rowSpan(s.rows.count()*s.perRow, s.piece, lightGrain)
}

// allEqual reports whether the shapes of all operands are that of the result.
func allEqual(shape []int, from [][]int) bool {
	for _, f := range from {
		if !slices.Equal(f, shape) {
			return false
		}
	}
	return true
}

// piecePlace is the place of a piece: where it is in the result, and in each operand.
type piecePlace struct {
	col   int             // in its row
	index [op.MaxRank]int // of the row
	to    int
	at    [operands]int
}

// begin returns the place of piece i.
func (s *stretch) begin(i int) (p piecePlace) {
	if i == 0 {
		return p
	}
	row := i / s.perRow
	p.col = i % s.perRow * s.piece
	p.to = row*s.cols + p.col
	p.at = s.rows.at(row)
	for j := range p.at {
		p.at[j] += s.elements(j, p.col+1) - 1
	}
	for k := s.rows.rank - 1; k >= 0; k-- {
		p.index[k] = row % s.rows.shape[k]
		row /= s.rows.shape[k]
	}
	return p
}

// width returns how many elements the piece at p has.
func (s *stretch) width(p *piecePlace) int { return min(s.piece, s.cols-p.col) }

// elements returns how many elements operand j has for n of the result.
func (s *stretch) elements(j, n int) int {
	if s.wide[j] {
		return n
	}
	return 1
}

// next goes on from the piece at p, which has n elements.
func (s *stretch) next(p *piecePlace, n int) {
	p.to += n
	if s.perRow > 1 {
		forward := n
		if p.col += n; p.col == s.cols {
			forward, p.col = n-s.cols, 0
		}
		for j := range p.at {
			if s.wide[j] {
				p.at[j] += forward
			}
		}
	}
	if p.col == 0 && s.rows.rank > 0 {
		s.down(p, 1)
	}
}

// down goes on by n rows, no further than to the end of the last axis of rows.
func (s *stretch) down(p *piecePlace, n int) {
	l := &s.rows
	k := l.rank - 1
	for j, step := range l.stride[k] {
		p.at[j] += n * step
	}
	for p.index[k] += n; k > 0 && p.index[k] == l.shape[k]; p.index[k]++ {
		p.index[k] = 0
		for j := range p.at {
			p.at[j] += l.stride[k-1][j] - l.shape[k]*l.stride[k][j]
		}
		k--
	}
}
