package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"

	"paddle/op"
)

// Digits draws a set in the form of MNIST, for tests and examples that must run with no data: images of 28×28 pixels in [0, 1] of the
// digits 0 to 9. A digit is a glyph of 5×7 cells, turned by up to 12°, scaled to between 2.2 and 2.8 pixels a cell, moved by up to 2
// pixels each way, and drawn with bilinear edges in an ink of 0.7 to 1, with normal noise. They are easier than handwriting:
// a linear classifier trained on 1000 tells more than 95 % of others apart.
type Digits struct {
	// Records is the number of images, at least 1.
	Records int
	// Noise is the standard deviation of the noise on each pixel, before it is cut off to [0, 1]; 0 is none.
	Noise float64
	// Seed selects the images. Record i depends on Seed and i only, so a longer set begins with a shorter one.
	Seed uint64
	// Image and Label name the inputs; "" is "image" and "label".
	Image, Label string
}

// Set draws the set: Image float32 (records, 1, 28, 28) and Label int32 (records). The digit of record i is i modulo 10, so that
// every slice is balanced.
func (d Digits) Set() (*Set, error) {
	if d.Records < 1 {
		return nil, fmt.Errorf("datasets.Digits: %d records, want at least 1", d.Records)
	}
	if most := op.MaxBytes / 4 / (mnistSide * mnistSide); d.Records > most {
		return nil, fmt.Errorf("datasets.Digits: %d records, want at most %d", d.Records, most)
	}
	if !(d.Noise >= 0) || math.IsInf(d.Noise, 0) {
		return nil, fmt.Errorf("datasets.Digits: the noise is %v, want a number of at least 0", d.Noise)
	}
	name, label, err := inputNames(d.Image, "image", d.Label)
	if err != nil {
		return nil, fmt.Errorf("datasets.Digits: %w", err)
	}
	image, class := op.NewBuffer(op.Float32, d.Records, 1, mnistSide, mnistSide), op.NewBuffer(op.Int32, d.Records)
	const size = mnistSide * mnistSide
	for i, pixels := 0, image.Float32s(); i < d.Records; i, pixels = i+1, pixels[size:] {
		digit := i % mnistClasses
		class.Int32s()[i] = int32(digit)
		drawDigit(pixels[:size], &glyphs[digit], d.Noise, Random{Seed: d.Seed}.Sample(i))
	}
	return pairSet(name, image, label, class), nil
}

// drawDigit draws a glyph with a random slant, size, place and ink: each pixel looks up where in the glyph it comes from.
func drawDigit(pixels []float32, g *glyph, noise float64, rng *rand.Rand) {
	between := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
	sin, cos := math.Sincos(between(-12, 12) * math.Pi / 180)
	cell := between(2.2, 2.8)
	right, down, ink := between(-2, 2), between(-2, 2), between(0.7, 1)
	const middle = (mnistSide - 1) / 2.0
	for i := range pixels {
		dx, dy := float64(i%mnistSide)-middle-right, float64(i/mnistSide)-middle-down
		x := (cos*dx+sin*dy)/cell + (glyphWidth-1)/2.0
		y := (cos*dy-sin*dx)/cell + (glyphHeight-1)/2.0
		value := ink * g.at(x, y)
		if noise > 0 {
			value += noise * rng.NormFloat64()
		}
		pixels[i] = float32(min(max(value, 0), 1))
	}
}

const (
	glyphWidth  = 5
	glyphHeight = 7
)

// A glyph is a digit as rows of cells; # is ink.
type glyph [glyphHeight]string

// at returns the ink at a point, 0 to 1, interpolated between the middles of cells.
func (g *glyph) at(x, y float64) float64 {
	x0, y0 := math.Floor(x), math.Floor(y)
	fx, fy := x-x0, y-y0
	top := (1-fx)*g.cell(int(x0), int(y0)) + fx*g.cell(int(x0)+1, int(y0))
	bottom := (1-fx)*g.cell(int(x0), int(y0)+1) + fx*g.cell(int(x0)+1, int(y0)+1)
	return (1-fy)*top + fy*bottom
}

func (g *glyph) cell(x, y int) float64 {
	if x < 0 || x >= glyphWidth || y < 0 || y >= glyphHeight || g[y][x] != '#' {
		return 0
	}
	return 1
}

var glyphs = [mnistClasses]glyph{
	{" ### ", "#   #", "#   #", "#   #", "#   #", "#   #", " ### "},
	{"  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "},
	{" ### ", "#   #", "    #", "   # ", "  #  ", " #   ", "#####"},
	{" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "},
	{"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "},
	{"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "},
	{" ### ", "#    ", "#    ", "#### ", "#   #", "#   #", " ### "},
	{"#####", "    #", "   # ", "  #  ", "  #  ", "  #  ", "  #  "},
	{" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "},
	{" ### ", "#   #", "#   #", " ####", "    #", "    #", " ### "},
}
