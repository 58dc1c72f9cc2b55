package paddle

import (
	"context"
	"errors"
	"fmt"

	"gorgonia.org/tensor"

	"paddle/internal/exec"
	"paddle/op"
)

// Predictor computes values of a graph and changes nothing: inference. It is safe for use by many goroutines at once, at any sizes of
// the symbolic dimensions; the goroutines share the parameters. A trainer may train these meanwhile: each call sees them as they are
// between two steps.
type Predictor struct {
	program *exec.Program
	names   []string
}

// NewPredictor compiles the graph of the given nodes for inference: dropout lets everything through, batch norm reads its running
// statistics, no variable changes. Parameters without a value, neither trained nor loaded, get their initial one. It returns the first
// mistake made in building the graph, or where a loaded value does not fit.
func NewPredictor(outputs ...*op.Node) (*Predictor, error) {
	p, err := newPredictor(outputs)
	if err != nil {
		return nil, saidBy("paddle.NewPredictor", err)
	}
	return p, nil
}

func newPredictor(outputs []*op.Node) (*Predictor, error) {
	if len(outputs) == 0 {
		return nil, fmt.Errorf("nothing to compute")
	}
	for _, n := range outputs {
		if g := n.Graph(); g != nil && g.Err() != nil {
			return nil, g.Err() // the first mistake, of which an output's own may be a consequence
		}
		if err := n.Err(); err != nil {
			return nil, err
		}
	}
	g, find := op.Copy(outputs[0].Graph(), op.Inference, outputs...)
	p := &Predictor{}
	nodes := make([]*op.Node, len(outputs))
	for i, n := range outputs {
		if nodes[i] = find(n); n.Graph() != outputs[0].Graph() || nodes[i] == nil {
			return nil, fmt.Errorf("%s belongs to another graph than %s", n.Name(), outputs[0].Name())
		}
		nodes[i] = op.Densify(nodes[i])
		p.names = append(p.names, n.Name())
	}
	nodes = op.Optimize(g, exec.Detached(nodes))
	var err error
	p.program, err = exec.Compile(g, nodes, exec.Options{})
	return p, err
}

// Predict computes the outputs for one set of feeds and returns them as new tensors, in the order given to NewPredictor. Read their
// elements with Float32s, Int32s and the like: where there are none, as for a batch of no samples, Data panics.
func (p *Predictor) Predict(ctx context.Context, feeds op.Feeds) ([]*tensor.Dense, error) {
	var out []*tensor.Dense
	err := p.run(ctx, feeds, func(outputs []op.Buffer) error {
		for i, v := range outputs {
			d := v.Clone().Dense()
			if d == nil {
				return fmt.Errorf("%s has type %v, which a tensor.Dense cannot hold: cast it", p.names[i], v.DType)
			}
			out = append(out, d)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("paddle.Predictor.Predict: %w", err)
	}
	return out, nil
}

// View computes the outputs for one set of feeds and lets use look at them, in the order given to NewPredictor. They are the predictor's
// own memory: valid during the call, not to be changed. It allocates nothing once the sizes have been seen. use may take its time
// and run anything: it holds no lock.
func (p *Predictor) View(ctx context.Context, feeds op.Feeds, use func(outputs []op.Buffer) error) error {
	if err := p.run(ctx, feeds, use); err != nil {
		return fmt.Errorf("paddle.Predictor.View: %w", err)
	}
	return nil
}

func (p *Predictor) run(ctx context.Context, feeds op.Feeds, use func(outputs []op.Buffer) error) error {
	if p == nil || p.program == nil {
		return errors.New("the predictor is nil or empty, want one that NewPredictor returned")
	}
	if use == nil {
		return errors.New("the function is nil")
	}
	return p.program.Run(ctx, feeds, 0, use)
}

// SetThreads sets the most goroutines that a call computes on from the next one on, its caller's included. 0, the default, is GOMAXPROCS at
// the time of the call, and so is any number above. The results do not depend on it. However many predictors and trainers run at once,
// together they have no more goroutines computing than their callers and GOMAXPROCS−1 helpers, which they share: where as many goroutines
// predict as there are processors, one thread each saves them the attempt to share what is taken.
func (p *Predictor) SetThreads(n int) {
	if p != nil && p.program != nil {
		p.program.SetThreads(n)
	}
}

// Memory returns the bytes planned for values in the largest run so far, for one goroutine. The parameters are not counted, nor what is
// packed of them, once for all goroutines: the matrices that products multiply by, each at most once for single rows and once for batches, or once
// for both where it has more than 16 MB.
func (p *Predictor) Memory() int {
	if p == nil || p.program == nil {
		return 0
	}
	return p.program.Memory()
}
