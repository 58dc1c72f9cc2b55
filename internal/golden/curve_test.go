package golden

import (
	"context"
	"encoding/json"
	"flag"
	"math"
	"os"
	"testing"

	"paddle"
	"paddle/datasets"
	"paddle/op"
)

var update = flag.Bool("update", false, "write testdata/curve.json anew")

// curve is a training of LeNet from this library's own initial values on its own digits.
type curve struct {
	Made   string    `json:"made"`
	Losses []float64 `json:"losses"` // of each step
	Test   float64   `json:"test"`   // loss on other digits in the end
}

const curveSteps = 10

// trainCurve trains and returns the curve, and the bytes of the parameters in the end.
func trainCurve(ctx context.Context) (*curve, []byte, error) {
	model := newLeNet()
	g := op.NewGraph(model)
	g.Seed = 1
	image := g.Input("image", op.Float32, op.Batch, 1, 28, 28)
	label := g.Input("label", op.Int32, op.Batch)
	loss := op.CrossEntropy(model.Forward(image), label)
	trainer, err := paddle.NewTrainer(loss, paddle.Adam{LearningRate: 3e-3})
	if err != nil {
		return nil, nil, err
	}
	digits, err := datasets.Digits{Records: 32 * curveSteps, Noise: 0.1, Seed: 1}.Set()
	if err != nil {
		return nil, nil, err
	}
	c := &curve{Made: "go test ./internal/golden -run TestCurve -update"}
	for feeds, err := range digits.Shuffled(1, datasets.BatchOptions{Size: 32})(0) {
		if err != nil {
			return nil, nil, err
		}
		s, err := trainer.Step(ctx, feeds)
		if err != nil {
			return nil, nil, err
		}
		c.Losses = append(c.Losses, s.Loss)
	}
	others, err := datasets.Digits{Records: 50, Noise: 0.1, Seed: 2}.Set()
	if err != nil {
		return nil, nil, err
	}
	result, err := trainer.Test(ctx, others.InOrder(50))
	if err != nil {
		return nil, nil, err
	}
	c.Test = result.Loss
	named, err := op.Walk(model)
	return c, bits(named), err
}

// TestCurve compares with the curve that is kept. Where it fails, initial values, random numbers, the digits or the arithmetic have
// changed: if that is meant, -update keeps the new curve.
func TestCurve(t *testing.T) {
	got, _, err := trainCurve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const file = "testdata/curve.json"
	if *update {
		text, err := json.MarshalIndent(got, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want curve
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if len(got.Losses) != curveSteps || len(want.Losses) != curveSteps {
		t.Fatalf("%d steps, kept are %d, want %d", len(got.Losses), len(want.Losses), curveSteps)
	}
	tol := tolerances[op.Float32].loss
	for i, w := range want.Losses {
		if x := got.Losses[i]; !(math.Abs(x-w) <= tol*w) {
			t.Errorf("step %d: loss %v, kept is %v", i+1, x, w)
		}
	}
	if !(math.Abs(got.Test-want.Test) <= tol*want.Test) {
		t.Errorf("loss on other digits %v, kept is %v", got.Test, want.Test)
	}
	if got.Test > got.Losses[0]*0.75 {
		t.Errorf("loss on other digits %v after %d steps, want less than three quarters of the first, %v", got.Test, curveSteps, got.Losses[0])
	}
}
