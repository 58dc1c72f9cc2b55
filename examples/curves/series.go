package curves

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paddle"
)

// series are the curves of one panel.
type series struct{ steps, train, validation plotter.XYs }

// seriesOf collects the values of that name: those of an epoch at its end, 1 for the first, those of its steps before. Values that are
// not finite are left out.
func seriesOf(h *paddle.History, name string) series {
	var s series
	for _, e := range h.Epochs {
		end := float64(e.Epoch + 1)
		s.train = appended(s.train, end, &e.Train, name)
		if e.Validation != nil {
			s.validation = appended(s.validation, end, e.Validation, name)
		}
	}
	batches := map[int]int{} // of each epoch
	for _, e := range h.Steps {
		batches[e.Epoch] = max(batches[e.Epoch], e.Batch+1)
	}
	for _, e := range h.Steps {
		at := float64(e.Epoch) + float64(e.Batch+1)/float64(batches[e.Epoch])
		r := paddle.Result{Loss: e.Step.Loss, Metrics: e.Step.Metrics}
		s.steps = appended(s.steps, at, &r, name)
	}
	return s
}

func appended(to plotter.XYs, x float64, r *paddle.Result, name string) plotter.XYs {
	y, ok := r.Metric(name)
	if name == "loss" {
		y, ok = r.Loss, true
	}
	if !ok || math.IsNaN(y) || math.IsInf(y, 0) {
		return to
	}
	return append(to, plotter.XY{X: x, Y: y})
}

// Colours that people with any colour vision tell apart (Okabe and Ito, 2008).
func blue() color.Color   { return color.RGBA{0, 114, 178, 255} }
func orange() color.Color { return color.RGBA{213, 94, 0, 255} }
func pale() color.Color   { return color.RGBA{168, 203, 224, 255} }

// panel draws the series of one name.
func panel(name string, s series) (*plot.Plot, error) {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "epoch", name
	for _, t := range []*text.Style{&p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		t.Font.Variant = "Sans"
	}
	p.Legend.Top = falls(s.train) || falls(s.validation) // away from the curves
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{230}, color.Gray{230}
	p.Add(grid)
	if err := add(p, s.steps, "", pale(), vg.Points(0.5)); err != nil {
		return nil, err
	}
	if err := add(p, s.train, "training", blue(), vg.Points(1.5)); err != nil {
		return nil, err
	}
	return p, add(p, s.validation, "validation", orange(), vg.Points(1.5))
}

// falls reports whether a curve ends lower than it begins.
func falls(xys plotter.XYs) bool { return len(xys) > 0 && xys[len(xys)-1].Y < xys[0].Y }

// add draws one curve, with a dot at each epoch if it has a legend.
func add(p *plot.Plot, xys plotter.XYs, legend string, c color.Color, width vg.Length) error {
	if len(xys) == 0 {
		return nil
	}
	line, points, err := plotter.NewLinePoints(xys)
	if err != nil {
		return err
	}
	line.Color, line.Width = c, width
	p.Add(line)
	if legend == "" {
		return nil
	}
	points.Color, points.Radius, points.Shape = c, 1.5*width, draw.CircleGlyph{}
	p.Add(points)
	p.Legend.Add(legend, line, points)
	return nil
}
