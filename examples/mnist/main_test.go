package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
)

// TestG06ExampleRunsToTheEnd trains both networks on drawn digits with a partial last batch, then loads the saved model in a graph of its
// own and predicts single images: they get what they get in a batch.
func TestG06ExampleRunsToTheEnd(t *testing.T) {
	for _, name := range []string{"lenet", "mlp"} {
		t.Run(name, func(t *testing.T) {
			o := options{model: name, out: t.TempDir(), epochs: 1, batch: 96, seed: 1, digits: true}
			accuracy, err := run(context.Background(), o)
			if err != nil || accuracy < 0.9 {
				t.Fatalf("accuracy %v, error %v, want at least 0.9", accuracy, err)
			}
			if info, err := os.Stat(filepath.Join(o.out, "mnist.png")); err != nil || info.Size() < 1000 {
				t.Errorf("learning curve: %v, error %v", info, err)
			}
			checkReload(t, o)
		})
	}
}

func checkReload(t *testing.T, o options) {
	net := networks[o.model]()
	if err := paddle.Load(filepath.Join(o.out, "mnist.safetensors"), net); err != nil {
		t.Fatal(err)
	}
	g := op.NewGraph(net)
	predictor, err := paddle.NewPredictor(net.Forward(g.Input("image", op.Float32, op.Batch, 1, 28, 28)))
	if err != nil {
		t.Fatal(err)
	}
	_, test, err := load(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for batch, err := range test.InOrder(5) {
		if err != nil {
			t.Fatal(err)
		}
		compareSingles(t, predictor, batch)
		break
	}
}

func compareSingles(t *testing.T, p *paddle.Predictor, batch op.Feeds) {
	whole := predict(t, p, batch["image"])
	pixels := batch["image"].Float32s()
	for i := range 5 {
		one := predict(t, p, tensor.New(tensor.WithShape(1, 1, 28, 28), tensor.WithBacking(pixels[i*784:(i+1)*784])))
		for k, v := range one {
			if d := v - whole[10*i+k]; d > 1e-4 || d < -1e-4 {
				t.Errorf("image %d alone has logit %v for class %d, in a batch %v", i, v, k, whole[10*i+k])
			}
		}
	}
}

func predict(t *testing.T, p *paddle.Predictor, images *tensor.Dense) []float32 {
	t.Helper()
	out, err := p.Predict(context.Background(), op.Feeds{"image": images})
	if err != nil {
		t.Fatal(err)
	}
	return out[0].Float32s()
}

func TestMistakes(t *testing.T) {
	for want, o := range map[string]options{
		`-model "cnn", want lenet or mlp`: {model: "cnn", digits: true, epochs: 1, batch: 8},
		"-batch 0, want 1 or more":        {model: "mlp", digits: true, epochs: 1},
		"-epochs 0, want 1 or more":       {model: "mlp", digits: true, batch: 8},
	} {
		if _, err := run(context.Background(), o); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
