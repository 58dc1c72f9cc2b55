package golden

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"paddle/op"
)

// threads are the values of GOMAXPROCS that have to give the same bits.
var threads = []int{1, 2, 3, 8}

// sameAtAnyThreads runs a training at each number of threads and compares its losses and variables, bit for bit.
func sameAtAnyThreads(t *testing.T, train func() (losses []float64, variables []byte, err error)) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var losses []float64
	var variables []byte
	for _, n := range threads {
		runtime.GOMAXPROCS(n)
		l, v, err := train()
		switch {
		case err != nil:
			t.Fatal(err)
		case losses == nil:
			losses, variables = l, v
		case !slices.Equal(l, losses):
			t.Errorf("losses at GOMAXPROCS %d are %v, and at %d %v", n, l, threads[0], losses)
		case !bytes.Equal(v, variables):
			t.Errorf("variables at GOMAXPROCS %d differ from those at %d", n, threads[0])
		}
	}
	if len(losses) == 0 || len(variables) == 0 {
		t.Errorf("%d losses and %d bytes of variables, want some to compare", len(losses), len(variables))
	}
}

func TestCurveAtAnyThreads(t *testing.T) {
	sameAtAnyThreads(t, func() ([]float64, []byte, error) {
		c, variables, err := trainCurve(t.Context())
		if err != nil {
			return nil, nil, err
		}
		return append(c.Losses, c.Test), variables, nil
	})
}

func TestModelsAtAnyThreads(t *testing.T) {
	for _, c := range read[modelCase](t, "models.json") {
		for _, d := range []op.DType{op.Float64, op.Float32} {
			t.Run(fmt.Sprintf("%s/%v", c.Name, d), func(t *testing.T) {
				sameAtAnyThreads(t, func() ([]float64, []byte, error) { return c.train(d) })
			})
		}
	}
}

// train trains the model and returns its losses and variables.
func (c *modelCase) train(d op.DType) (losses []float64, variables []byte, err error) {
	tr, err := c.newTraining(d)
	if err != nil {
		return nil, nil, err
	}
	for i := range c.Losses {
		s, err := tr.step(i)
		if err != nil {
			return nil, nil, err
		}
		losses = append(losses, s.Loss)
	}
	return losses, bits(tr.names), nil
}

// bits returns the bytes of all variables.
func bits(named []op.Named) []byte {
	var out bytes.Buffer
	for _, n := range named {
		if b, ok := n.Variable.Snapshot(); ok {
			out.Write(b.Bytes())
		}
	}
	return out.Bytes()
}
