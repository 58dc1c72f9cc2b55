package exec

import (
	"slices"

	"paddle/op"
)

// body is the inner graph of an op in one workspace. It implements op.BodyRunner.
type body struct {
	frame   *frame
	args    op.BodyArgs
	symbols []op.Dim       // of the rows
	depends []op.Dim       // symbols and counts that shapes depend on
	seen    []int          // the numbers behind them when the shapes were last written
	in, out [][]*op.Buffer // the places in the frame that hold input i, and result i where it is written directly
	own     []op.Buffer    // memory of the frame for results that are written directly, where nobody else has any
	derived bool           // a size is an expression of others, and may be impossible
	fresh   bool           // nothing is linked yet
}

func newBody(u *unit, symbols []op.Dim, sizes *op.Sizes) *body {
	b := &body{frame: newFrame(u, sizes), symbols: symbols, fresh: true}
	b.args = op.BodyArgs{
		Rows: make([]int, len(symbols)), From: make([]int, len(symbols)),
		In: make([]op.Buffer, len(u.inputs)), Out: make([]op.Buffer, len(u.outputs)),
	}
	for _, s := range u.slots {
		for _, d := range s.node.Shape() {
			b.derived = b.derived || d < 0 && !u.graph.IsSymbol(d)
		}
		symbols, _ := u.graph.Symbols(s.node.Shape())
		for _, d := range symbols {
			if !slices.Contains(b.depends, d) {
				b.depends = append(b.depends, d)
			}
		}
	}
	b.seen = make([]int, len(b.depends))
	b.findPlaces()
	return b
}

// findPlaces lists where the buffers of inputs and results stand in the tables of the frame.
func (b *body) findPlaces() {
	u := b.frame.unit
	places := make([][]*op.Buffer, len(u.storages))
	add := func(slot int, at *op.Buffer) {
		if s := u.slots[slot].storage; s >= 0 {
			places[s] = append(places[s], at)
		}
	}
	for i := range u.slots {
		add(i, &b.frame.buffers[i])
	}
	for k, st := range u.steps {
		for j, s := range st.in {
			add(s, &b.frame.in[k][j])
		}
		for j, s := range st.out {
			add(s, &b.frame.out[k][j])
		}
	}
	for _, s := range u.inputs {
		b.in = append(b.in, places[u.slots[s].storage])
	}
	b.out, b.own = make([][]*op.Buffer, len(u.outputs)), make([]op.Buffer, len(u.outputs))
	taken := map[int]bool{}
	for i, s := range u.outputs {
		at := u.slots[s].storage
		if u.storages[at].kind == inArena && !taken[at] {
			taken[at] = true
			b.out[i] = places[at]
		}
	}
}

// Args implements op.BodyRunner.
func (b *body) Args() *op.BodyArgs { return &b.args }

// Reserve implements op.BodyRunner.
func (b *body) Reserve() error {
	b.bindRows()
	f := b.frame
	f.shape()
	if err := f.possible(); err != nil {
		return err
	}
	if f.plan() || b.fresh {
		b.link()
	}
	b.note()
	return nil
}

// bindRows gives the symbols of the rows their numbers.
func (b *body) bindRows() {
	changed := false
	for i, d := range b.symbols {
		if !b.frame.sizes.IsBound(d) || b.frame.sizes.Of(d) != b.args.Rows[i] {
			b.frame.sizes.Rebind(d, b.args.Rows[i])
			changed = true
		}
	}
	for _, i := range b.frame.unit.counts {
		b.frame.sizes.Unbind(i)
		changed = true
	}
	if changed {
		b.frame.sizes.Update()
	}
}

// link points the tables at the memory of the frame and remembers what of it results are written to.
func (b *body) link() {
	b.frame.link()
	b.fresh = false
	for i, s := range b.frame.unit.outputs {
		b.own[i] = b.frame.buffers[s]
	}
}

// note remembers the sizes that the shapes were written for.
func (b *body) note() {
	for i, d := range b.depends {
		b.seen[i] = b.frame.sizes.Of(d)
	}
}

// resized reports whether the shapes have to be written anew.
func (b *body) resized() bool {
	for i, d := range b.depends {
		if b.seen[i] != b.frame.sizes.Of(d) {
			return true
		}
	}
	return len(b.frame.unit.dynamic) > 0
}

// Run implements op.BodyRunner.
func (b *body) Run(e *op.Env) error {
	call, node := e.Call, e.Key.Node
	f := b.frame
	b.bindRows()
	if b.resized() {
		f.shape()
		if b.derived {
			if err := f.possible(); err != nil {
				return err
			}
		}
		if f.plan() {
			b.link()
		}
		b.note()
	}
	for i, places := range b.in {
		point(places, &b.args.In[i])
	}
	for i, places := range b.out {
		if to := &b.args.Out[i]; !to.IsNil() {
			point(places, to)
		} else {
			point(places, &b.own[i])
		}
	}
	if err := f.run(e); err != nil {
		return err
	}
	for i, s := range f.unit.outputs {
		if b.out[i] == nil && !b.args.Out[i].IsNil() {
			to := f.buffers[s]
			to.PointAt(&b.args.Out[i], 0)
			copy(to.Bytes(), f.buffers[s].Bytes())
		}
	}
	e.Call, e.Key.Node, e.Body = call, node, b
	return nil
}

// point gives buffers, which keep their types and shapes, the memory of to. They all have the same memory before.
func point(places []*op.Buffer, to *op.Buffer) {
	if len(places) == 0 || places[0].Shares(to) {
		return
	}
	for _, p := range places {
		p.PointAt(to, 0)
	}
}

// Result implements op.BodyRunner.
func (b *body) Result(i int) op.Buffer { return b.frame.buffers[b.frame.unit.outputs[i]] }
