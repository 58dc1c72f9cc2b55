package paddle_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"paddle"
)

func ExampleHistory_WriteCSV() {
	accuracy := func(x float64) []paddle.MetricValue {
		return []paddle.MetricValue{{Name: "accuracy", Value: x, Count: 100}}
	}
	h := &paddle.History{Epochs: []paddle.EndEpoch{
		{Epoch: 0, Train: paddle.Result{Loss: 0.5, Metrics: accuracy(0.75)}, LearningRate: 0.1, Duration: 2 * time.Second, Samples: 100},
		{Epoch: 1, Train: paddle.Result{Loss: 0.25, Metrics: accuracy(0.875)}, LearningRate: 0.05, Duration: 4 * time.Second, Samples: 100,
			Validation: &paddle.Result{Loss: 0.3, Metrics: accuracy(0.8)}},
	}}
	h.WriteCSV(os.Stdout)
	// Output:
	// epoch,samples,seconds,samples_per_second,learning_rate,loss,accuracy,validation_loss,validation_accuracy
	// 0,100,2,50,0.1,0.5,0.75,,
	// 1,100,4,25,0.05,0.25,0.875,0.3,0.8
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteCSV(t *testing.T) {
	h := &paddle.History{Epochs: []paddle.EndEpoch{{Epoch: 3, Train: paddle.Result{Loss: 1}}}}
	var b strings.Builder
	must(0, h.WriteCSV(&b))(t)
	if want := "epoch,samples,seconds,samples_per_second,learning_rate,loss\n3,0,0,0,0,1\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	if err := h.WriteCSV(full{}); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("got %v, want the writer's error", err)
	}
	b.Reset()
	must(0, (&paddle.History{}).WriteCSV(&b))(t)
	if want := "epoch,samples,seconds,samples_per_second,learning_rate\n"; b.String() != want {
		t.Errorf("of an empty history got %q, want %q", b.String(), want)
	}
}
