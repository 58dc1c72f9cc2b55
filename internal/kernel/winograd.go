package kernel

// A convolution with 3 × 3 filters of stride 1 computes 2 × 2 elements of the output, a tile, from a patch d of 4 × 4 of the input as
//
//	y = Aᵀ·[(G·g·Gᵀ) ⊙ (Bᵀ·d·B)]·A
//
// for a filter g: 16 multiplications where the sum of products takes 36 (Winograd, 1980; Lavin and Gray, 2016: F(2×2, 3×3)). Over the channels
// the elementwise products become sixteen products of matrices, (filters, channels) with (channels, tiles). The gradient for the input is such a
// convolution of that for the output; that for the filters is Gᵀ·[Σ (A·dy·Aᵀ) ⊙ (Bᵀ·d·B)]·G, sixteen products as well, summed over the tiles.
//
//	Bᵀ = 1  0 −1  0    G =  1    0    0    Aᵀ = 1  1  1  0
//	     0  1  1  0         1/2  1/2  1/2       0  1 −1 −1
//	     0 −1  1  0         1/2 −1/2  1/2
//	     0  1  0 −1         0    0    1
//
// The transforms are sums of at most four elements, and halves, so that the error is of the size of the sum of products' (TestWinogradError). But
// elements are added that the other way never adds: an Inf or a NaN in x reaches all four elements of the tiles whose patch has it, and sums of
// four elements must not overflow.

// winogradTable holds the transforms. Tiles lie in rows·tiles, and the sixteen transformed elements in planes that are plane apart, from 4i+j for
// row i and column j. What they write beyond the last tile, less than a vector, is arbitrary.
type winogradTable struct {
	// columns copies n elements of each row of x, every second one of them to row r of first, from r·to on, and the others to second.
	columns func(rows, n int, x []float32, row int, first, second []float32, to int)
	// patches computes Bᵀ·d·B. Row i of the patch of tile (r, t) is x[(2r+i)·row+t], [+odd], [+1], [+odd+1]: even and odd columns lie apart.
	patches winogradTransform
	// grads computes |A|·dy·|A|ᵀ, where the signs of A's last row are left out. Row i of tile (r, t) is dy[(2r+i)·row+t], [+odd].
	grads winogradTransform
	// tiles computes Aᵀ·m·A + bias, or ReLU of this, for the elements of the tiles that lie in height rows of width elements, row apart.
	tiles func(rows, tiles int, m []float32, plane int, bias float32, relu bool, y []float32, row, height, width int)
	// filters computes G·g·Gᵀ for n filters whose nine elements lie in planes. Nothing else is written.
	filters func(n int, g []float32, gPlane int, u []float32, uPlane int)
	// taps computes Gᵀ·s·G with the signs that grads left out, for n filters. Nothing else is written.
	taps func(n int, s []float32, sPlane int, g []float32, gPlane int)
}

// winogradTransform transforms what lies in a tileWindow.
type winogradTransform = func(rows, tiles int, x []float32, row, odd int, v []float32, plane int)

const (
	winogradPlanes = 16   // elements of a transformed patch
	winogradCost   = 48   // what transforming a patch or a tile costs, in multiply-adds
	winogradPixels = 36   // the smallest output for which transforming the filters pays
	winogradDepth  = 8    // the fewest channels for which the products are worth more than the transforms
	winogradSums   = 3840 // what the sums of a filter's channel cost besides the products that they are of, in multiply-adds
	planeGap       = 16   // elements left free after a plane, so that planes and rows do not fall on the same lines of the cache
)

// IsWinograd reports whether Winograd computes a convolution and its gradient for the input, and faster than sums of products do. It does not
// depend on the number of images, for an image must give the same bits alone.
func (s *ConvShape) IsWinograd() bool {
	if s.KernelHeight != 3 || s.KernelWidth != 3 || s.StrideHeight != 1 || s.StrideWidth != 1 || s.DilationHeight != 1 || s.DilationWidth != 1 ||
		max(s.PadTop, s.PadBottom, s.PadLeft, s.PadRight) > 2 || s.pixels() < winogradPixels || s.empty() {
		return false
	}
	channels, filters := s.group()
	if channels < winogradDepth {
		return false
	}
	tiles := ceilDiv(s.OutHeight, 2) * ceilDiv(s.OutWidth, 2)
	return tiles*(winogradPlanes*channels*filters+winogradCost*(channels+filters)) < s.pixels()*9*channels*filters
}

// IsWinogradGradFilter reports the same of WinogradGradFilter, for which there must be images enough.
func (s *ConvShape) IsWinogradGradFilter() bool {
	tiles := ceilDiv(s.OutHeight, 2) * ceilDiv(s.OutWidth, 2)
	return s.IsWinograd() && s.Batch*(9*s.pixels()-winogradPlanes*tiles) >= winogradSums
}

// tiling returns the tiles of a convolution's output as the pixels of one whose windows, of the size of a patch, are two apart.
func (s *ConvShape) tiling() ConvShape {
	t := *s
	t.KernelHeight, t.KernelWidth, t.StrideHeight, t.StrideWidth = 4, 4, 2, 2
	t.OutHeight, t.OutWidth = ceilDiv(s.OutHeight, 2), ceilDiv(s.OutWidth, 2)
	return t
}

// adjoint returns the shape of the convolution that computes the gradient for the input: of dy with filters that are turned by half a circle and
// exchanged for channels.
func (s *ConvShape) adjoint() ConvShape {
	t := *s
	t.Channels, t.Filters = s.Filters, s.Channels
	t.Height, t.Width, t.OutHeight, t.OutWidth = s.OutHeight, s.OutWidth, s.Height, s.Width
	t.PadTop, t.PadBottom, t.PadLeft, t.PadRight = 2-s.PadTop, 2-s.PadBottom, 2-s.PadLeft, 2-s.PadRight
	return t
}

// tileCut divides the tiles into blocks: some rows of tiles of an image, or some whole images, or a piece of one row where it is very long.
type tileCut struct {
	rows, rowCuts     int // rows of tiles
	cols, colCuts     int // tiles of a row
	images, imageCuts int
	row               int // elements of a row of a plane, in which a block's tiles lie
}

// longRow is how many times the tiles that a block should have a row of tiles may have without being divided.
const longRow = 4

// cutTiles chooses blocks of about most tiles, or of one row, unless it is longer than longRow blocks. Where an image is divided, the columns that fill up the last panel are few.
func cutTiles(t *table[float32], s *ConvShape, most int) (c tileCut) {
	c.rows, c.cols, c.images = s.OutHeight, s.OutWidth, 1
	if s.OutWidth > longRow*most {
		c.cols = roundUp(ceilDiv(s.OutWidth, s.OutWidth/most), t.cols)
	}
	if n := s.pixels(); n <= most {
		c.images = min(s.Batch, max(1, most/n))
		c.images = ceilDiv(s.Batch, ceilDiv(s.Batch, c.images))
	} else {
		least := 0
		for rows := min(s.OutHeight, max(1, 2*most/s.OutWidth)); rows > 0 && (least == 0 || 2*rows*s.OutWidth > most); rows-- {
			if cost := blocksCost(t, s, rows, most); least == 0 || cost < least {
				least, c.rows = cost, rows
			}
		}
	}
	c.rowCuts, c.colCuts, c.imageCuts = ceilDiv(s.OutHeight, c.rows), ceilDiv(s.OutWidth, c.cols), ceilDiv(s.Batch, c.images)
	c.row = (ceilDiv(roundUp(c.images*c.rows*c.cols, t.cols), planeGap) | 1) * planeGap
	return c
}

// blocksCost compares divisions of an image into blocks of rows of tiles: by the columns of the products, those of blocks of more than most tiles
// counting an eighth more, and by what a block costs besides.
func blocksCost(t *table[float32], s *ConvShape, rows, most int) (cost int) {
	for row := 0; row < s.OutHeight; row += rows {
		cols := roundUp(min(rows, s.OutHeight-row)*s.OutWidth, t.cols)
		cost += 8*cols + 4*t.cols
		if cols > most {
			cost += cols
		}
	}
	return cost
}

// plane returns the elements from a plane of n rows to the next.
func (c *tileCut) plane(n int) int { return n*c.row + planeGap }

// tileBlock is a block of tiles.
type tileBlock struct {
	image, images int
	row, rows     int
	col, cols     int
}

// tiles returns the number of tiles.
func (b *tileBlock) tiles() int { return b.images * b.rows * b.cols }

// block returns block i.
func (c *tileCut) block(s *ConvShape, i int) tileBlock {
	col := i % c.colCuts * c.cols
	i /= c.colCuts
	image, row := i/c.rowCuts*c.images, i%c.rowCuts*c.rows
	return tileBlock{image, min(c.images, s.Batch-image), row, min(c.rows, s.OutHeight-row), col, min(c.cols, s.OutWidth-col)}
}

// blocks returns the number of blocks.
func (c *tileCut) blocks() int { return c.imageCuts * c.rowCuts * c.colCuts }
