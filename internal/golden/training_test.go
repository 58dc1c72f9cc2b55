package golden

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"paddle"
	"paddle/op"
)

// training is a model with PyTorch's initial values and a trainer for it.
type training struct {
	c       *modelCase
	dtype   op.DType
	logits  *op.Node
	names   []op.Named
	begin   map[string][]float64
	trainer *paddle.Trainer
}

// newTraining builds the model in the given type and sets its parameters.
func (c *modelCase) newTraining(d op.DType) (*training, error) {
	kind, _, _ := strings.Cut(c.Name, "/")
	make, by := nets[kind], methods[c.Name]
	if make == nil || by.optimizer == nil {
		return nil, fmt.Errorf("there is no model or no method for %q", c.Name)
	}
	model := make(d)
	t := &training{c: c, dtype: d, begin: map[string][]float64{}}
	g := op.NewGraph(model)
	x, label := c.input(g, &c.In[0], d), c.input(g, &c.In[1], d)
	t.logits = model.Forward(x)
	loss := op.CrossEntropy(t.logits, label)
	if err := g.Err(); err != nil {
		return nil, err
	}
	var err error
	if t.names, err = op.Walk(model); err != nil {
		return nil, err
	}
	t.names = slices.DeleteFunc(t.names, func(n op.Named) bool { return !n.Variable.Defined() }) // the bias of a layer with NoBias
	if err := t.assign(); err != nil {
		return nil, err
	}
	t.trainer, err = paddle.NewTrainer(loss, by.optimizer, by.passes...)
	return t, err
}

// input makes a node for batches of an array.
func (c *modelCase) input(g *op.Graph, a *array, d op.DType) *op.Node {
	return g.Input(a.Name, a.dtype(d), append([]op.Dim{op.Batch}, dims(a.Shape[1:])...)...)
}

// assign gives the parameters their initial values. There must be one for each.
func (t *training) assign() error {
	given := map[string]*array{}
	for i := range t.c.Parameters {
		given[t.c.Parameters[i].Name] = &t.c.Parameters[i]
	}
	for _, n := range t.names {
		if n.Parameter == nil {
			continue
		}
		a := given[n.Name]
		if a == nil {
			return fmt.Errorf("parameter %s has no initial value", n.Name)
		}
		delete(given, n.Name)
		b := a.all(t.dtype)
		if err := n.Variable.Assign(b); err != nil {
			return fmt.Errorf("parameter %s: %w", n.Name, err)
		}
		t.begin[n.Name] = numbersOf(b)
	}
	for name := range given {
		return fmt.Errorf("the model has no parameter %s", name)
	}
	return nil
}

// feeds returns the batch of step i, from 0.
func (t *training) feeds(i int) op.Feeds {
	f := op.Feeds{}
	for k := range t.c.In {
		a := &t.c.In[k]
		lo := i * t.c.Batch % a.Shape[0]
		f[a.Name] = a.buffer(t.dtype, lo, lo+t.c.Batch).Dense()
	}
	return f
}

// step takes step i.
func (t *training) step(i int) (paddle.Step, error) {
	return t.trainer.Step(context.Background(), t.feeds(i))
}

// changes returns by how much each parameter has moved since the beginning.
func (t *training) changes() map[string]digest {
	out := map[string]digest{}
	for name, begin := range t.begin {
		x := t.values(name)
		for i := range x {
			x[i] -= begin[i]
		}
		out[name] = digestOf(name, x)
	}
	return out
}

// values returns the numbers of a variable of the model.
func (t *training) values(name string) []float64 {
	for _, n := range t.names {
		if n.Name == name {
			b, _ := n.Variable.Snapshot()
			return numbersOf(b)
		}
	}
	return nil
}
