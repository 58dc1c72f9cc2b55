package exec

import (
	"fmt"
	"slices"

	"paddle/op"
)

// unit is a compiled graph or body: what does not depend on the sizes.
type unit struct {
	graph    *op.Graph
	steps    []step
	slots    []slot
	storages []storage
	index    map[*op.Node]int // slot of a node
	inputs   []int            // slots of the graph's inputs, in order
	outputs  []int            // slots of the results
	effects  int              // first step with an effect; none may fail or be cancelled from there on
	dynamic  []int            // slots whose shape depends on a run-time count
	counts   []op.Dim         // the run-time counts that steps set
}

// step is one application to run.
type step struct {
	call    *op.Call
	in, out []int // slots
	body    *unit // of an op with a body
	counts  bool  // sets run-time counts
}

// slot is a value: a node and the storage that holds it.
type slot struct {
	node    *op.Node
	storage int // -1: nobody reads it and the op can do without
}

// storageKind says where a storage's memory comes from.
type storageKind uint8

const (
	inArena storageKind = iota
	isFed
	isVariable
	isConstant
)

// storage is a block of memory that one or more slots share.
type storage struct {
	kind     storageKind
	owner    int // the slot that the block was made for
	from, to int // first and last step that uses it
}

// newUnit compiles g for the results outputs. Its calls are already in the wanted order.
func newUnit(g *op.Graph, calls []*op.Call, outputs []*op.Node) (*unit, error) {
	u := &unit{graph: g, index: map[*op.Node]int{}}
	for _, in := range g.Inputs() {
		u.inputs = append(u.inputs, u.leaf(in))
	}
	last := lastReads(calls, outputs)
	u.effects = -1
	for _, c := range calls {
		if err := u.add(c, last); err != nil {
			return nil, err
		}
	}
	if u.effects < 0 {
		u.effects = len(u.steps)
	}
	for _, n := range outputs {
		s := u.leaf(n)
		u.outputs = append(u.outputs, s)
		u.storages[u.slots[s].storage].to = len(calls)
	}
	for i, s := range u.slots {
		if _, counted := g.Symbols(s.node.Shape()); counted {
			u.dynamic = append(u.dynamic, i)
		}
	}
	return u, nil
}

// lastReads returns for each node the position of the last call that reads it; len(calls) for results.
func lastReads(calls []*op.Call, outputs []*op.Node) map[*op.Node]int {
	last := map[*op.Node]int{}
	for i, c := range calls {
		for _, in := range c.In {
			last[in] = i
		}
	}
	for _, n := range outputs {
		last[n] = len(calls)
	}
	return last
}

// leaf returns the slot of a node, making one for a node that no call computes.
func (u *unit) leaf(n *op.Node) int {
	if s, ok := u.index[n]; ok {
		return s
	}
	kind := isFed
	if n.Variable() != nil {
		kind = isVariable
	} else if _, ok := n.Constant(); ok {
		kind = isConstant
	} else if n.IsApply() {
		kind = isConstant
	}
	return u.newSlot(n, u.newStorage(storage{kind: kind, owner: len(u.slots)}))
}

func (u *unit) newSlot(n *op.Node, storage int) int {
	u.slots = append(u.slots, slot{n, storage})
	u.index[n] = len(u.slots) - 1
	return len(u.slots) - 1
}

func (u *unit) newStorage(s storage) int {
	u.storages = append(u.storages, s)
	return len(u.storages) - 1
}

// add appends the step of c and chooses the memory of its outputs. Positions in last and in storages are those of calls, views included.
func (u *unit) add(c *op.Call, last map[*op.Node]int) error {
	at := u.position()
	st := step{call: c}
	for _, n := range c.In {
		s := u.leaf(n)
		st.in = append(st.in, s)
		if m := &u.storages[u.slots[s].storage]; m.to < at {
			m.to = at
		}
	}
	traits := op.TraitsOf(c.Op)
	isView := false
	for i, n := range c.Out {
		storage := u.place(c, i, st.in, traits, last, at)
		st.out = append(st.out, u.newSlot(n, storage))
		isView = isView || viewOf(traits, i) >= 0
		if _, counted := c.Graph().Symbols(n.Shape()); counted {
			st.counts = true
			if d := n.Dim(0); c.Graph().IsCount(d) && !slices.Contains(u.counts, d) {
				u.counts = append(u.counts, d)
			}
		}
	}
	u.steps = append(u.steps, st)
	if isView {
		u.steps[len(u.steps)-1].call = nil
	}
	if c.Effect() && u.effects < 0 {
		u.effects = len(u.steps) - 1
	}
	return u.compileBody(c)
}

func (u *unit) position() int { return len(u.steps) }

// place chooses the storage of output i: that of the input it is a view of, that of an input it may overwrite, or a new one.
func (u *unit) place(c *op.Call, i int, in []int, t op.Traits, last map[*op.Node]int, at int) int {
	n := c.Out[i]
	lastRead, read := last[n]
	if !read {
		if t.OptionalOutputs && i >= t.RequiredOutputs {
			return -1
		}
		lastRead = at
	}
	if v := viewOf(t, i); v >= 0 {
		s := u.slots[in[v]].storage
		u.storages[s].to = max(u.storages[s].to, lastRead)
		return s
	}
	for _, p := range t.InPlace {
		if p.Out == i && p.In < len(in) && u.free(c, p.In, in, n, at) {
			s := u.slots[in[p.In]].storage
			u.storages[s].to = max(u.storages[s].to, lastRead)
			return s
		}
	}
	return u.newStorage(storage{kind: inArena, owner: len(u.slots), from: at, to: lastRead})
}

func viewOf(t op.Traits, output int) int {
	for _, p := range t.Views {
		if p.Out == output {
			return p.In
		}
	}
	return -1
}

// free reports whether output n of the call at position at may overwrite its input i.
func (u *unit) free(c *op.Call, i int, in []int, n *op.Node, at int) bool {
	x := c.In[i]
	s := u.slots[in[i]].storage
	if u.storages[s].kind != inArena || u.storages[s].to > at {
		return false
	}
	if x.DType().Size() != n.DType().Size() || !op.SameShape(x.Shape(), n.Shape()) {
		return false
	}
	for k, other := range in {
		if k != i && u.slots[other].storage == s {
			return false
		}
	}
	for _, o := range c.Out {
		if k, made := u.index[o]; made && u.slots[k].storage == s {
			return false
		}
	}
	return true
}

// compileBody compiles the inner graph of an op that has one.
func (u *unit) compileBody(c *op.Call) error {
	b, ok := c.Op.(op.Bodied)
	if !ok {
		return nil
	}
	g, outputs := b.Body()
	var roots []*op.Call
	for _, n := range outputs {
		if call, _ := n.Call(); call != nil {
			roots = append(roots, call)
		}
	}
	inner, err := newUnit(g, op.Schedule(roots), outputs)
	if err != nil {
		return fmt.Errorf("body of %s: %w", c.Name(), err)
	}
	u.steps[len(u.steps)-1].body = inner
	return nil
}
