package curves_test

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddle"
	"paddle/examples/curves"
)

// history is a training whose loss halves from epoch to epoch, with 4 steps each.
func history(epochs int, steps bool) *paddle.History {
	h := &paddle.History{}
	for e := range epochs {
		loss := math.Pow(0.5, float64(e))
		accuracy := paddle.MetricValue{Name: "accuracy", Value: 1 - loss/2}
		h.Epochs = append(h.Epochs, paddle.EndEpoch{
			Epoch: e, Train: paddle.Result{Loss: loss, Metrics: []paddle.MetricValue{accuracy}},
			Validation: &paddle.Result{Loss: loss + 0.1, Metrics: []paddle.MetricValue{accuracy}},
		})
		for b := range 4 {
			if steps {
				s := paddle.Step{Loss: loss * (1 + 0.3*math.Cos(float64(3*b+e))), Metrics: []paddle.MetricValue{accuracy}}
				h.Steps = append(h.Steps, paddle.EndStep{Epoch: e, Batch: b, Step: s})
			}
		}
	}
	return h
}

func TestPNG(t *testing.T) {
	path := filepath.Join(t.TempDir(), "curve.png")
	for _, h := range []*paddle.History{history(1, false), history(6, false), history(6, true), {Steps: history(2, true).Steps}} {
		if err := curves.Save(path, h); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if b := picture.Bounds(); b.Dx() != 1361 || b.Dy() != 454 { // 24×8 cm at 144 dots in 2.54 cm
			t.Errorf("the picture has %d×%d pixels, want 1361×454", b.Dx(), b.Dy())
		}
		coloured := 0
		for y := range picture.Bounds().Dy() {
			for x := range picture.Bounds().Dx() {
				if r, _, b, _ := picture.At(x, y).RGBA(); r>>8 == 0 && b>>8 == 178 {
					coloured++
				}
			}
		}
		if len(h.Epochs) > 1 && coloured < 100 {
			t.Errorf("%d pixels have the colour of the training, want its curve", coloured)
		}
	}
}

func TestSVG(t *testing.T) {
	path := filepath.Join(t.TempDir(), "curve.SVG")
	h := history(3, true)
	h.Epochs[1].Train.Loss = math.NaN()
	if err := curves.Save(path, h); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<svg", ">loss<", ">accuracy<", ">training<", ">validation<", "#D55E00"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	if strings.Contains(string(data), "NaN") {
		t.Error("the picture has a point that is not a number")
	}
}

func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		path string
		h    *paddle.History
		want string
	}{
		{"a.png", &paddle.History{}, "curves.Save: the history is empty"},
		{"a.png", nil, "curves.Save: the history is empty"},
		{"a.gif", history(1, false), `has the ending ".gif", want .png or .svg`},
		{"none/a.png", history(1, false), "no such file or directory"},
	} {
		err := curves.Save(filepath.Join(dir, c.path), c.h)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
