package paddle

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"paddle/internal/exec"
	"paddle/op"
)

// Trainer trains the parameters that a loss depends on. It owns a training program (forward, gradient, update) and the optimizer's state.
// Its methods may be called from several goroutines; steps run one after another. Predictors may use the same parameters meanwhile.
type Trainer struct {
	mu        sync.Mutex
	name      string
	graph     *op.TrainingGraph
	program   *exec.Program
	optimizer Optimizer
	loss      *op.Node // in a copy of the user's graph
	metrics   []metric // in the same copy
	rate      *op.Variable
	updates   *op.Variable // how many updates took place
	runs      *op.Variable // how many steps ran, skipped ones too
	samples   axisOf
	tokens    axisOf
	last      Step
	read      func(out []op.Buffer) error
	position  position // of Fit
	fitting   bool

	testing sync.Mutex
	test    *evaluation // compiled at the first Test
	threads int         // that SetThreads was given
}

// Step is what one training step gave. Metrics is valid until the next step of the same trainer.
type Step struct {
	Loss         float64       // mean over Count
	Count        float64       // samples, or whatever the loss is a mean over
	Applied      bool          // whether the parameters were updated; false if a pass found the gradients unusable
	NonFinite    string        // the first parameter with a gradient that is not finite, where a pass looked; else empty
	Update       int64         // how many updates have taken place
	LearningRate float64       // of this step
	Metrics      []MetricValue // tracked values
}

// MetricValue is the value of a tracked metric and the count that it is a mean over.
type MetricValue struct {
	Name  string
	Value float64
	Count float64
}

// NewTrainer compiles a training program for a scalar loss. Passes extend it: Track, Only, Named, ClipGlobalNorm, L2, and those of
// other packages. It returns the first mistake made in building the graph.
func NewTrainer(loss *op.Node, optimizer Optimizer, passes ...op.Pass) (*Trainer, error) {
	t := &Trainer{loss: loss, optimizer: optimizer, name: "trainer"}
	if err := t.compile(passes); err != nil {
		return nil, saidBy("paddle.NewTrainer", err)
	}
	return t, nil
}

func (t *Trainer) compile(passes []op.Pass) error {
	if t.optimizer == nil {
		return fmt.Errorf("the optimizer is nil")
	}
	for i, p := range passes {
		switch p := p.(type) {
		case nil:
			return fmt.Errorf("pass %d is nil", i)
		case metric:
			if p.name == "" || p.name == "loss" || slices.ContainsFunc(t.metrics, func(m metric) bool { return m.name == p.name }) {
				return fmt.Errorf("paddle.Track: metric %q, want a name that is neither empty nor taken", p.name)
			}
			t.metrics = append(t.metrics, p)
		case named:
			t.name = string(p)
		}
	}
	g, err := op.BuildTraining(t.loss, t.update, passes...)
	if err != nil {
		return err
	}
	switch {
	case len(g.Gradients) == 0 && g.Include != nil:
		return errors.New("the loss depends on no parameter that is to be trained: on none of those that paddle.Only was given")
	case len(g.Gradients) == 0:
		return errors.New("the loss depends on no parameter that is to be trained")
	}
	t.graph = g
	t.keep()
	return t.link()
}

// keep copies what Test compiles later, so that the user's graph may grow meanwhile.
func (t *Trainer) keep() {
	roots := []*op.Node{t.loss}
	for _, m := range t.metrics {
		roots = append(roots, m.value)
	}
	_, find := op.Copy(t.loss.Graph(), op.Training, roots...)
	t.loss = find(t.loss)
	for i := range t.metrics {
		t.metrics[i].value = find(t.metrics[i].value)
	}
}

// update adds the trainer's own counters and the optimizer's updates.
func (t *Trainer) update(g *op.TrainingGraph) error {
	rate := g.Variable("learning_rate", op.Float64, nil)
	updates := g.Variable("updates", op.Int64, nil)
	runs := g.Variable("runs", op.Int64, nil)
	t.rate, t.updates, t.runs = rate.Variable(), updates.Variable(), runs.Variable()
	if err := t.optimizer.Build(g, rate, updates); err != nil {
		return err
	}
	op.Increment(g.Apply, updates)
	op.Increment(g.Graph.Full(op.Bool, 1), runs)
	return nil
}

// link compiles the program and prepares what a step reads from it.
func (t *Trainer) link() error {
	g := t.graph
	fetch := []*op.Node{g.Loss, g.Count, g.Apply, g.Graph.Read(t.updates), g.Graph.Read(t.rate)} // the rate also where no update reads it
	for _, r := range g.Reports {
		fetch = append(fetch, r.Value)
		if r.Count == nil {
			r.Count = g.Graph.Full(op.Float32, 1)
		}
		fetch = append(fetch, r.Count)
		t.last.Metrics = append(t.last.Metrics, MetricValue{Name: r.Name})
	}
	if g.Finite != nil {
		fetch = append(fetch, g.Finite)
	}
	fetch = op.Optimize(g.Graph, fetch)
	var err error
	if t.program, err = exec.Compile(g.Graph, fetch, exec.Options{}); err != nil {
		return err
	}
	t.samples, t.tokens = findSamples(t.program.Inputs()), findTokens(t.program.Inputs())
	t.read = func(out []op.Buffer) error { t.take(out); return nil }
	return nil
}

// take sets the last step from what the program computed.
func (t *Trainer) take(out []op.Buffer) {
	s := &t.last
	s.Loss, s.Count = out[0].Scalar(), out[1].Scalar()
	s.Applied, s.Update, s.LearningRate = out[2].Scalar() != 0, int64(out[3].Scalar()), out[4].Scalar()
	for i := range s.Metrics {
		s.Metrics[i].Value, s.Metrics[i].Count = out[5+2*i].Scalar(), out[6+2*i].Scalar()
	}
	s.NonFinite = ""
	if t.graph.Finite == nil {
		return
	}
	if i := slices.Index(out[len(out)-1].Bools(), false); i >= 0 {
		s.NonFinite = t.graph.Gradients[i].Name
	}
}

// Step runs one training step on a batch: forward, gradient, update. On an error, a cancelled context included, nothing has changed.
// Once the sizes have been seen it allocates nothing.
func (t *Trainer) Step(ctx context.Context, batch op.Feeds) (Step, error) {
	if err := t.made(); err != nil {
		return Step{}, fmt.Errorf("paddle.Trainer.Step: %w", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s, err := t.step(ctx, batch)
	if err != nil {
		return Step{}, fmt.Errorf("paddle.Trainer.Step: %w", err)
	}
	return s, nil
}

// made returns an error for a trainer that NewTrainer has not returned.
func (t *Trainer) made() error {
	if t == nil || t.program == nil {
		return errors.New("the trainer is nil or empty, want one that NewTrainer returned")
	}
	return nil
}

// step is Step for callers that hold the mutex.
func (t *Trainer) step(ctx context.Context, batch op.Feeds) (Step, error) {
	n := t.counter(t.updates)
	rate := t.optimizer.Rate(n)
	if !(rate >= 0) || math.IsInf(rate, 0) {
		return Step{}, fmt.Errorf("the learning rate after %d updates is %v, want a number from 0 up", n, rate)
	}
	t.rate.Lock()
	t.rate.Memory().Float64s()[0] = rate
	t.rate.Unlock()
	if err := t.program.Run(ctx, batch, uint64(t.counter(t.runs)), t.read); err != nil {
		return Step{}, err
	}
	return t.last, nil
}

// counter reads a counter; only steps of this trainer, which holds its mutex, write it.
func (t *Trainer) counter(v *op.Variable) int64 { return v.Memory().Int64s()[0] }

// Updates returns how many updates have taken place.
func (t *Trainer) Updates() int64 {
	if t == nil || t.program == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counter(t.updates)
}

// SetThreads sets the most goroutines that a step or a batch of Test computes on from the next one on; see Predictor.SetThreads.
func (t *Trainer) SetThreads(n int) {
	if t == nil || t.program == nil {
		return
	}
	t.program.SetThreads(n)
	t.testing.Lock()
	defer t.testing.Unlock()
	if t.threads = n; t.test != nil {
		t.test.predictor.SetThreads(n)
	}
}

// Memory returns the bytes planned for values in the largest step so far.
func (t *Trainer) Memory() int {
	if t == nil || t.program == nil {
		return 0
	}
	return t.program.Memory()
}
