package paddle

import (
	"context"
	"fmt"
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
	loss      *op.Node // in the user's graph
	metrics   []metric // in the user's graph
	rate      *op.Variable
	updates   *op.Variable // how many updates took place
	runs      *op.Variable // how many steps ran, skipped ones too
	test      *Program     // compiled at the first Test
	last      Step
	read      func(out []op.Buffer) error
}

// Step is what one training step gave. Metrics is valid until the next step of the same trainer.
type Step struct {
	Loss         float64       // mean over Count
	Count        float64       // samples, or whatever the loss is a mean over
	Applied      bool          // whether the parameters were updated; false if a pass found the gradients unusable
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
		return nil, fmt.Errorf("paddle.NewTrainer: %w", err)
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
			t.metrics = append(t.metrics, p)
		case named:
			t.name = string(p)
		}
	}
	g, err := op.BuildTraining(t.loss, t.update, passes...)
	if err != nil {
		return err
	}
	if len(g.Gradients) == 0 {
		return fmt.Errorf("the loss depends on no parameter that is to be trained")
	}
	t.graph = g
	return t.link()
}

// update adds the trainer's own counters and the optimizer's updates.
func (t *Trainer) update(g *op.TrainingGraph) error {
	rate := g.Variable("learning_rate", op.Float64, op.InitConstant(t.optimizer.Rate(0)))
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
	fetch := []*op.Node{g.Loss, g.Count, g.Apply, g.Graph.Read(t.updates)}
	for _, r := range g.Reports {
		fetch = append(fetch, r.Value)
		if r.Count == nil {
			r.Count = g.Graph.Full(op.Float32, 1)
		}
		fetch = append(fetch, r.Count)
		t.last.Metrics = append(t.last.Metrics, MetricValue{Name: r.Name})
	}
	fetch = op.Optimize(g.Graph, fetch)
	var err error
	if t.program, err = exec.Compile(g.Graph, fetch, exec.Options{}); err != nil {
		return err
	}
	t.read = func(out []op.Buffer) error {
		t.last.Loss, t.last.Count = out[0].Scalar(), out[1].Scalar()
		t.last.Applied, t.last.Update = out[2].Scalar() != 0, int64(out[3].Scalar())
		for i := range t.last.Metrics {
			t.last.Metrics[i].Value, t.last.Metrics[i].Count = out[4+2*i].Scalar(), out[5+2*i].Scalar()
		}
		return nil
	}
	return nil
}

// Step runs one training step on a batch: forward, gradient, update. On an error, a cancelled context included, nothing has changed.
// Once the sizes have been seen it allocates nothing.
func (t *Trainer) Step(ctx context.Context, batch op.Feeds) (Step, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	run := t.counter(t.runs)
	t.last.LearningRate = t.optimizer.Rate(t.counter(t.updates))
	t.rate.Lock()
	t.rate.Memory().Float64s()[0] = t.last.LearningRate
	t.rate.Unlock()
	if err := t.program.Run(ctx, batch, uint64(run), t.read); err != nil {
		return Step{}, err
	}
	return t.last, nil
}

// counter reads a counter; only steps of this trainer, which holds its mutex, write it.
func (t *Trainer) counter(v *op.Variable) int64 { return v.Memory().Int64s()[0] }

// Updates returns how many updates have taken place.
func (t *Trainer) Updates() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counter(t.updates)
}

// Memory returns the bytes planned for values in the largest step so far.
func (t *Trainer) Memory() int { return t.program.Memory() }
