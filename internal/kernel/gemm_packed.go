package kernel

// Packed is the right operand of products, op(B) (K, N), in the order in which they read it. It is for a matrix that many products use,
// such as a weight: Pack makes it once, and then any number of Gemms read it at the same time. A product by it gives the same bits as one
// by the matrix itself.
//
// There are two forms. In panels, as Gemm makes them for itself, a matrix is read fastest by products of many rows. In strips of the
// width of the widest tile it is read fastest by products of so few rows that all they do is read it; in that form products of more rows
// take up to a third longer than with panels. The columns behind the last whole strip lie in panels.
type Packed[T Float] struct {
	kern    *table[T]
	k, n    int
	chunk   int // steps along K that are summed apart, as in Gemm
	block   int // of these at a time
	strip   int // columns of a strip
	striped int // columns that lie in strips
	row     int // elements of a step
	data    []T // step after step along K, block after block; of each block the strips, then the panels
	task    packTask[T]
}

// Pack makes p of b, on at most threads threads of the team: in strips, or in panels. Where the CPU has no tiles for strips, they are
// panels too. It uses the memory that p has.
func (p *Packed[T]) Pack(team *Team, threads int, b Operand[T], k, n int, strips bool) {
	_, chunk := cutChunks(k)
	p.pack(kernels[T](), team, threads, b, k, n, strips, chunk)
}

// pack is Pack for the kernels of a table and sums in chunks of the given length.
func (p *Packed[T]) pack(t *table[T], team *Team, threads int, b Operand[T], k, n int, strips bool, chunk int) {
	p.kern, p.k, p.n, p.chunk = t, k, n, max(chunk, 1)
	p.block = cutK(p.chunk, t.kBlock)
	p.strip, p.striped = 0, 0
	if strips {
		p.strip = t.widest()
		p.striped = wholeStrips(n, p.strip)
	}
	p.row = p.striped + t.panels(1, n-p.striped)
	p.data = Grow(&p.data, k*p.row)
	p.task.run(team, threads, p, b)
}

// WantsStrips reports whether products of m rows are faster by a matrix in strips than by one in panels.
func WantsStrips[T Float](m int) bool { return kernels[T]().wideCols(m) > 0 }

// wholeStrips returns the columns of n that make whole strips.
func wholeStrips(n, strip int) int {
	if strip == 0 {
		return 0
	}
	return n / strip * strip
}

// blocks returns how many blocks there are at most.
func (p *Packed[T]) blocks() int { return ceilDiv(p.k, p.chunk) * ceilDiv(p.chunk, p.block) }

// bounds returns the first step of a block, and how many it has: none where its chunk is shorter than others.
func (p *Packed[T]) bounds(block int) (first, k int) {
	perChunk := ceilDiv(p.chunk, p.block)
	start, at := block/perChunk*p.chunk, block%perChunk*p.block
	end := min(start+p.chunk, p.k)
	return start + at, max(0, min(p.block, end-start-at))
}

// right returns the block of k steps that begins with step first, from column j on, a multiple of the panels' width.
func (p *Packed[T]) right(first, k, j int) right[T] {
	data := p.data[first*p.row:]
	if j >= p.striped {
		return right[T]{panels: data[k*j:]}
	}
	in := j % p.strip
	return right[T]{panels: data[k*p.striped:], strips: data[k*(j-in)+in:], row: p.strip, strip: p.strip - in, cols: p.striped - j}
}

// packedGrain is the elements that a part packs at least.
const packedGrain = 1 << 16

// packTask is the task of packing. A part is a block, or where all lies in panels some columns of it.
type packTask[T Float] struct {
	packed *Packed[T]
	b      Operand[T]
	cols   int            // of a part
	runs   []int32        // for table.transpose
	rows   Scratch[[]int] // likewise
}

func (t *packTask[T]) run(team *Team, threads int, p *Packed[T], b Operand[T]) {
	if p.k == 0 || p.n == 0 {
		return
	}
	t.packed, t.b = p, b
	t.runs = p.kern.appendRuns(t.runs, p.block)
	t.cols = p.n
	if p.striped == 0 {
		t.cols = roundUp(max(packedGrain/p.block, p.kern.cols), p.kern.cols)
	}
	parts := p.blocks() * ceilDiv(p.n, t.cols)
	t.rows.Prepare(min(threads, parts), t.size)
	team.Run(threads, parts, t)
	t.packed, t.b = nil, Operand[T]{}
}

// size lets the memory of a part grow.
func (t *packTask[T]) size(rows *[]int) { Grow(rows, t.packed.kern.lanes) }

// Do packs the columns of one part.
func (t *packTask[T]) Do(part int) {
	cuts := ceilDiv(t.packed.n, t.cols)
	first, k := t.packed.bounds(part / cuts)
	j0 := part % cuts * t.cols
	j1 := min(j0+t.cols, t.packed.n)
	switch {
	case k == 0:
	case t.b.Trans:
		t.transposed(first, k, j0, j1)
	default:
		t.rowwise(first, k, j0, j1)
	}
}

// rowwise packs columns of a block of a matrix that is stored as it is used. Only where nothing lies in strips are they not all.
func (t *packTask[T]) rowwise(first, k, j0, j1 int) {
	p, src, row := t.packed, t.b.Data[first*t.b.Row:], t.b.Row
	block := p.data[first*p.row:][:k*p.row]
	for j := 0; j < min(p.strip, p.striped); j += p.kern.cols {
		p.kern.splitRows(src[j:], row, k, p.striped/p.strip, p.kern.cols, p.strip, k*p.strip, block[j:])
	}
	if j0 = max(j0, p.striped); j0 < j1 {
		p.kern.packRows(src[j0:], row, k, j1-j0, block[k*j0:])
	}
}

// transposed packs columns of a block of a matrix that is stored the other way round. Of a row no more is shown than belongs to the block:
// whole vectors of it would be written into the next block, which may be packed at the same time.
func (t *packTask[T]) transposed(first, k, j0, j1 int) {
	number, space := t.rows.Take()
	defer t.rows.Release(number)
	p, row, rows := t.packed, t.b.Row, (*space)[:t.packed.kern.lanes]
	block := p.data[first*p.row:][:k*p.row]
	for j := j0; j < j1; j += p.kern.lanes {
		n := min(p.kern.lanes, j1-j)
		at, width := p.column(k, j)
		p.kern.transposeRows(t.b.Data[j*row+first:][:(n-1)*row+k], row, k, n, t.runs, rows, block[at:], width)
	}
}

// column returns where column j of a block of k steps begins, and how far apart its elements are.
func (p *Packed[T]) column(k, j int) (at, width int) {
	if j < p.striped {
		in := j % p.strip
		return k*(j-in) + in, p.strip
	}
	in := (j - p.striped) % p.kern.cols
	width, _ = p.kern.panel(p.n - j + in)
	return k*(j-in) + in, width
}
