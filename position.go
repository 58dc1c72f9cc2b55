package paddle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"paddle/op"
)

// position is how far Trainer.Fit has come in the data, and what the steps of the epoch gave.
type position struct {
	epoch, batch int // batch: how many batches of the epoch have been taken
	means        means
}

// Position returns how far Fit has come: the epoch that it trains next, or is in the middle of, and how many batches of it were taken.
func (t *Trainer) Position() (epoch, batch int) {
	if t == nil || t.program == nil {
		return 0, 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.position.epoch, t.position.batch
}

// enter keeps the position for one Fit.
func (t *Trainer) enter() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fitting {
		return errors.New("the trainer is in another Fit")
	}
	t.fitting = true
	return nil
}

func (t *Trainer) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fitting = false
}

// advance takes the step on the next batch of the epoch, whose reading began at the given time.
func (t *Trainer) advance(ctx context.Context, batch op.Feeds, began time.Time) (s Step, n size, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s, err = t.step(ctx, batch); err != nil {
		return Step{}, size{}, err
	}
	n = size{t.samples.of(batch, 1), t.tokens.of(batch, 0)}
	t.position.means.add(&s, n, time.Since(began))
	t.position.batch++
	return s, n, nil
}

// finish moves the position to the next epoch.
func (t *Trainer) finish() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.position = position{epoch: t.position.epoch + 1}
}

// positionState is a position and a seed as they stand in a file.
type positionState struct {
	Seed         uint64        `json:"seed"`
	Epoch        int           `json:"epoch"`
	Batch        int           `json:"batch"`
	Samples      int           `json:"samples"`
	Tokens       int           `json:"tokens,omitempty"`
	Nanoseconds  int64         `json:"nanoseconds"`
	LearningRate exact         `json:"learning_rate"`
	Loss         exact         `json:"loss"`
	Count        exact         `json:"count"`
	Metrics      []metricState `json:"metrics,omitempty"`
}

type metricState struct {
	Name  string `json:"name"`
	Sum   exact  `json:"sum"`
	Count exact  `json:"count"`
}

// exact is a number that JSON text keeps bit for bit, NaN and infinities included.
type exact float64

// MarshalText implements encoding.TextMarshaler.
func (x exact) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(x), 'g', -1, 64), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (x *exact) UnmarshalText(text []byte) error {
	v, err := strconv.ParseFloat(string(text), 64)
	*x = exact(v)
	return err
}

func (p *position) encode(seed uint64) (string, error) {
	m := &p.means
	s := positionState{
		Seed: seed, Epoch: p.epoch, Batch: p.batch, Samples: m.size.samples, Tokens: m.size.tokens, Nanoseconds: int64(m.duration),
		LearningRate: exact(m.learningRate), Loss: exact(m.loss), Count: exact(m.count),
	}
	for _, w := range m.metrics {
		s.Metrics = append(s.Metrics, metricState{w.name, exact(w.sum), exact(w.count)})
	}
	text, err := json.Marshal(s)
	return string(text), err
}

func decodePosition(text string) (p position, seed uint64, err error) {
	var s positionState
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return position{}, 0, err
	}
	if s.Epoch < 0 || s.Batch < 0 || s.Samples < 0 || s.Tokens < 0 {
		return position{}, 0, fmt.Errorf("epoch %d, batch %d, %d samples, %d tokens, want 0 or more", s.Epoch, s.Batch, s.Samples, s.Tokens)
	}
	p = position{epoch: s.Epoch, batch: s.Batch, means: means{
		loss: float64(s.Loss), count: float64(s.Count), size: size{s.Samples, s.Tokens}, duration: time.Duration(s.Nanoseconds), learningRate: float64(s.LearningRate),
	}}
	for _, w := range s.Metrics {
		p.means.metrics = append(p.means.metrics, weighted{w.Name, float64(w.Sum), float64(w.Count)})
	}
	return p, s.Seed, nil
}
