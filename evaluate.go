package paddle

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"paddle/op"
)

// evaluation computes the loss and the tracked metrics in inference mode.
type evaluation struct {
	predictor *Predictor // loss, count, then value and count of each metric
	metrics   []metric
}

// Test computes the loss and the tracked metrics over data in inference mode: dropout lets everything through, batch norm reads its
// running statistics, nothing changes. Each batch is weighted with its count, so that a smaller last batch counts for what it has. The program
// is compiled at the first call, and a batch allocates nothing once its sizes have been seen. Steps that other goroutines take
// meanwhile show in the later batches.
func (t *Trainer) Test(ctx context.Context, data iter.Seq2[op.Feeds, error]) (Result, error) {
	r, batch, err := t.evaluate(ctx, data)
	switch {
	case err == nil:
		return r, nil
	case batch < 0:
		return Result{}, fmt.Errorf("paddle.Trainer.Test: %w", err)
	}
	return Result{}, fmt.Errorf("paddle.Trainer.Test: batch %d: %w", batch, err)
}

// evaluate is Test; on an error it says at which batch, −1 where it was none.
func (t *Trainer) evaluate(ctx context.Context, data iter.Seq2[op.Feeds, error]) (r Result, batch int, err error) {
	if err := t.made(); err != nil {
		return Result{}, -1, err
	}
	e, err := t.evaluation()
	if err != nil {
		return Result{}, -1, err
	}
	if data == nil {
		return Result{}, -1, errors.New("the data is nil")
	}
	m := means{}
	s := Step{Metrics: make([]MetricValue, len(e.metrics))}
	read := func(out []op.Buffer) error {
		e.read(out, &s)
		m.add(&s, size{}, 0)
		return nil
	}
	for feeds, err := range data {
		if err == nil {
			err = e.predictor.program.Run(ctx, feeds, 0, read)
		} else {
			err = fmt.Errorf("reading: %w", err)
		}
		if err != nil {
			return Result{}, batch, err
		}
		batch++
	}
	return m.result(), batch, nil
}

// read sets s from the outputs.
func (e *evaluation) read(out []op.Buffer, s *Step) {
	s.Loss, s.Count = out[0].Scalar(), out[1].Scalar()
	for i, m := range e.metrics {
		s.Metrics[i] = MetricValue{m.name, out[2+2*i].Scalar(), out[3+2*i].Scalar()}
	}
}

// evaluation returns the program, compiling it once.
func (t *Trainer) evaluation() (*evaluation, error) {
	t.testing.Lock()
	defer t.testing.Unlock()
	if t.test != nil {
		return t.test, nil
	}
	outputs := []*op.Node{t.loss, op.Count(t.loss)}
	for _, m := range t.metrics {
		outputs = append(outputs, m.value, op.Count(m.value))
	}
	p, err := newPredictor(outputs)
	if err != nil {
		return nil, err
	}
	p.SetThreads(t.threads)
	t.test = &evaluation{p, t.metrics}
	return t.test, nil
}
