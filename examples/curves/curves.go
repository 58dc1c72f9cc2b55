// Package curves draws what a training did as a picture: a panel for the loss and one for each metric, over the epochs, with the
// validation beside the training. It is a package of its own so that only programs which draw carry the fonts.
package curves

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"paddle"
	"paddle/internal/atomicfile"
)

const (
	panelWidth  = 12 * vg.Centimeter
	panelHeight = 8 * vg.Centimeter
	columns     = 2
	margin      = 3 * vg.Millimeter
	resolution  = 144 // dots per inch of a PNG
)

// Save draws the history of a training to a file, a PNG or an SVG by its ending, and replaces an older one in one step. Where the history has steps
// (FitOptions.RecordSteps) the training is drawn step by step, thin, behind the means of the epochs. A history without epochs and
// without steps and another ending are errors.
func Save(path string, h *paddle.History) error {
	if err := save(path, h); err != nil {
		return fmt.Errorf("curves.Save: %w", err)
	}
	return nil
}

func save(path string, h *paddle.History) error {
	if h == nil || len(h.Epochs)+len(h.Steps) == 0 {
		return fmt.Errorf("the history is empty")
	}
	var draw func(io.Writer, [][]*plot.Plot) error
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case ".png":
		draw = writePNG
	case ".svg":
		draw = writeSVG
	default:
		return fmt.Errorf("%s has the ending %q, want .png or .svg", path, ending)
	}
	panels, err := panelsOf(h)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error { return draw(w, rowsOf(panels)) })
}

// panelsOf returns the panel of the loss and those of the metrics.
func panelsOf(h *paddle.History) ([]*plot.Plot, error) {
	var panels []*plot.Plot
	for _, name := range append([]string{"loss"}, metrics(h)...) {
		p, err := panel(name, seriesOf(h, name))
		if err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	return panels, nil
}

// metrics returns the names of all metrics in the order in which they turn up.
func metrics(h *paddle.History) []string {
	var names []string
	add := func(values []paddle.MetricValue) {
		for _, m := range values {
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	for _, e := range h.Epochs {
		add(e.Train.Metrics)
		if e.Validation != nil {
			add(e.Validation.Metrics)
		}
	}
	for _, s := range h.Steps {
		add(s.Step.Metrics)
	}
	return names
}

// rowsOf puts the panels in rows of columns; the last may end with nil.
func rowsOf(panels []*plot.Plot) [][]*plot.Plot {
	width := min(columns, len(panels))
	for len(panels)%width != 0 {
		panels = append(panels, nil)
	}
	return slices.Collect(slices.Chunk(panels, width))
}

func size(rows [][]*plot.Plot) (width, height vg.Length) {
	return panelWidth * vg.Length(len(rows[0])), panelHeight * vg.Length(len(rows))
}

func writePNG(w io.Writer, rows [][]*plot.Plot) error {
	width, height := size(rows)
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(resolution))
	paint(rows, draw.New(c))
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

func writeSVG(w io.Writer, rows [][]*plot.Plot) error {
	c := vgsvg.New(size(rows))
	paint(rows, draw.New(c))
	_, err := c.WriteTo(w)
	return err
}

// paint draws the panels so that their axes lie in line.
func paint(rows [][]*plot.Plot, c draw.Canvas) {
	tiles := draw.Tiles{
		Rows: len(rows), Cols: len(rows[0]), PadX: margin, PadY: margin, PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin,
	}
	canvases := plot.Align(rows, tiles, c)
	for i, row := range rows {
		for k, p := range row {
			if p != nil {
				p.Draw(canvases[i][k])
			}
		}
	}
}
