package paddle

import (
	"context"
	"fmt"

	"gorgonia.org/tensor"

	"paddle/internal/exec"
	"paddle/op"
)

// Program is a compiled graph that computes values and changes nothing: inference. It is safe for use by many goroutines at once, at any
// sizes of the symbolic dimensions; the goroutines share the parameters.
type Program struct {
	program *exec.Program
	names   []string
}

// Compile compiles the graph of the given nodes for inference: dropout lets everything through, batch norm reads its running statistics, no
// variable changes. Parameters without a value get their initial one. It returns the first mistake made in building the graph.
func Compile(fetch ...*op.Node) (*Program, error) {
	p, err := compileInference(fetch)
	if err != nil {
		return nil, fmt.Errorf("paddle.Compile: %w", err)
	}
	return p, nil
}

func compileInference(fetch []*op.Node) (*Program, error) {
	if len(fetch) == 0 {
		return nil, fmt.Errorf("nothing to compute")
	}
	for _, n := range fetch {
		if err := n.Err(); err != nil {
			return nil, err
		}
	}
	g, find := op.Copy(fetch[0].Graph(), op.Inference, fetch...)
	p := &Program{}
	nodes := make([]*op.Node, len(fetch))
	for i, n := range fetch {
		if nodes[i] = find(n); nodes[i] == nil {
			return nil, fmt.Errorf("%s belongs to another graph than %s", n.Name(), fetch[0].Name())
		}
		nodes[i] = op.Densify(nodes[i])
		p.names = append(p.names, n.Name())
	}
	nodes = op.Optimize(g, nodes)
	var err error
	p.program, err = exec.Compile(g, nodes, exec.Options{})
	return p, err
}

// Run computes the values for one set of feeds and returns them as new tensors, in the order given to Compile.
func (p *Program) Run(ctx context.Context, feeds op.Feeds) ([]*tensor.Dense, error) {
	var out []*tensor.Dense
	err := p.View(ctx, feeds, func(values []op.Buffer) error {
		for i, v := range values {
			d := v.Clone().Dense()
			if d == nil {
				return fmt.Errorf("%s has type %v, which a tensor.Dense cannot hold: cast it", p.names[i], v.DType)
			}
			out = append(out, d)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// View computes the values for one set of feeds and lets use look at them, in the order given to Compile. They are the program's own memory:
// valid during the call, not to be changed. It allocates nothing once the sizes have been seen. use must not run a program that trains
// the same parameters.
func (p *Program) View(ctx context.Context, feeds op.Feeds, use func(values []op.Buffer) error) error {
	return p.program.Run(ctx, feeds, 0, use)
}

// Memory returns the bytes planned for values in the largest run so far.
func (p *Program) Memory() int { return p.program.Memory() }
