package curves_test

import (
	"fmt"
	"os"
	"path/filepath"

	"paddle"
	"paddle/examples/curves"
)

// A History comes from Trainer.Fit.
func Example() {
	h := &paddle.History{Epochs: []paddle.EndEpoch{
		{Epoch: 0, Train: paddle.Result{Loss: 1.2}, Validation: &paddle.Result{Loss: 0.9}},
		{Epoch: 1, Train: paddle.Result{Loss: 0.7}, Validation: &paddle.Result{Loss: 0.6}},
	}}
	path := filepath.Join(os.TempDir(), "loss.svg")
	defer os.Remove(path)
	fmt.Println(curves.Save(path, h))
	// Output: <nil>
}
