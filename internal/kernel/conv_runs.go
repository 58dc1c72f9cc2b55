package kernel

// Runs are how the pixels of a block of output rows lie in a band: pieces of at most one vector that are neighbours in both. Pixels
// count from the first of the block.

// rowRuns appends the runs (from, to), or with counts (from, to, n), of rows output rows; every row has as many.
func (b *band) rowRuns(runs []int32, width, rows, lanes int, counts bool) []int32 {
	runs = runs[:0]
	for r := range rows {
		for x := 0; x < width; x += lanes {
			runs = append(runs, int32(r*b.stride+x), int32(r*width+x))
			if counts {
				runs = append(runs, int32(min(lanes, width-x)))
			}
		}
	}
	return runs
}

// panelRuns holds, for every panel of cols pixels, the runs whose to is a column of the panel.
type panelRuns struct {
	runs   []int32
	starts []int32 // of each panel in runs, and the end
}

// panel returns the runs of panel i. The last panel of a block of fewer rows has runs for pixels that it does not have: what they bring is
// overwritten or never read.
func (p *panelRuns) panel(i int) []int32 { return p.runs[p.starts[i]:p.starts[i+1]] }

// fill makes the runs of rows output rows.
func (p *panelRuns) fill(b *band, width, rows, cols, lanes int) {
	p.runs, p.starts = p.runs[:0], append(p.starts[:0], 0)
	for pixel, n := 0, rows*width; pixel < n; {
		for col := 0; col < cols && pixel < n; {
			r, x := pixel/width, pixel%width
			piece := min(width-x, cols-col)
			for i := 0; i < piece; i += lanes {
				p.runs = append(p.runs, int32(r*b.stride+x+i), int32(col+i))
			}
			pixel += piece
			col += piece
		}
		p.starts = append(p.starts, int32(len(p.runs)))
	}
}
