package exec

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"paddle/op"
)

// Program is a compiled graph. It is safe for use by many goroutines: runs that write variables exclude those that use the same ones.
type Program struct {
	unit      *unit
	graph     *op.Graph
	feeds     []feed
	variables []access
	threads   atomic.Int64
	shows     bool // a fetched value is a variable's own memory

	mu   sync.Mutex
	free []*workspace
}

// feed is an input that has to be fed.
type feed struct {
	node *op.Node
	slot int
}

// access is a variable that the program uses.
type access struct {
	variable *op.Variable
	name     string
	writes   bool
	derived  *op.Derived // of a program that writes no variable
}

// Options choose how a Program runs.
type Options struct {
	// Threads is what SetThreads is called with at first.
	Threads int
}

// Compile compiles g, which it takes over, for the values of fetch. All effects of g run too. It allocates and initialises the variables
// that have no value yet. It fails with the graph's first mistake, or where a value loaded before does not fit.
func Compile(g *op.Graph, fetch []*op.Node, o Options) (*Program, error) {
	p, err := build(g, fetch, o)
	if err != nil {
		return nil, err
	}
	return p, initialise(g, p.variables)
}

// build makes a program whose variables may have no memory yet.
func build(g *op.Graph, fetch []*op.Node, o Options) (*Program, error) {
	if err := firstMistake(g, fetch); err != nil {
		return nil, err
	}
	calls, err := order(g, fetch)
	if err != nil {
		return nil, err
	}
	p := &Program{graph: g}
	p.SetThreads(o.Threads)
	p.variables = accesses(calls, fetch)
	p.deriving()
	p.shows = slices.ContainsFunc(fetch, func(n *op.Node) bool { return source(n).Variable() != nil })
	if p.unit, err = newUnit(g, calls, fetch); err != nil {
		return nil, err
	}
	return p, p.findFeeds(calls)
}

func firstMistake(g *op.Graph, fetch []*op.Node) error {
	for _, n := range fetch {
		if err := n.Err(); err != nil {
			return err
		}
		if n.Graph() != g {
			return fmt.Errorf("exec: %s belongs to another graph", n.Name())
		}
		if n.Sparse() != nil {
			return fmt.Errorf("exec: %s is sparse, fetch it made dense", n.Name())
		}
	}
	return g.Err()
}

// order returns the calls that fetch and the effects of g need. An update of a variable runs after everything that reads its old value.
func order(g *op.Graph, fetch []*op.Node) ([]*op.Call, error) {
	var roots []*op.Call
	for _, n := range fetch {
		if c, _ := n.Call(); c != nil {
			roots = append(roots, c)
		}
	}
	for _, c := range g.Calls() {
		if c.Effect() {
			roots = append(roots, c)
		}
	}
	orderWrites(op.Schedule(roots))
	calls := op.Schedule(roots)
	scheduled := map[*op.Call]bool{}
	for _, c := range calls {
		scheduled[c] = true
	}
	for _, c := range roots {
		if !scheduled[c] {
			return nil, fmt.Errorf("exec: %s needs, by way of others, its own result", c.Name())
		}
	}
	return calls, nil
}

// orderWrites makes each update depend on the readers of the variables that it writes, unless they are updates made later.
func orderWrites(calls []*op.Call) {
	readers := map[*op.Variable][]*op.Call{}
	for _, c := range calls {
		for _, in := range c.In {
			if v := source(in).Variable(); v != nil {
				readers[v] = append(readers[v], c)
			}
		}
	}
	place := map[*op.Call]int{}
	for i, c := range calls {
		place[c] = i
	}
	for _, c := range calls {
		for _, i := range op.TraitsOf(c.Op).Writes {
			for _, r := range readers[source(c.In[i]).Variable()] {
				if place[r] < place[c] {
					c.Deps = append(c.Deps, r)
				}
			}
		}
	}
}

// source follows views to the node whose memory n shows.
func source(n *op.Node) *op.Node {
	for {
		c, i := n.Call()
		if c == nil {
			return n
		}
		v := viewOf(op.TraitsOf(c.Op), i)
		if v < 0 {
			return n
		}
		n = c.In[v]
	}
}

// Detached returns fetch with copies in the place of values that are a variable's own memory. A program that fetches these instead needs
// no locks while its results are looked at.
func Detached(fetch []*op.Node) []*op.Node {
	out := slices.Clone(fetch)
	for i, n := range out {
		if n.Err() == nil && source(n).Variable() != nil {
			out[i] = op.Duplicate(n)
		}
	}
	return out
}

// accesses lists the variables in the order in which they are locked.
func accesses(calls []*op.Call, fetch []*op.Node) []access {
	found := map[*op.Variable]*access{}
	add := func(n *op.Node) *access {
		v := source(n).Variable()
		if v == nil {
			return nil
		}
		if found[v] == nil {
			found[v] = &access{variable: v, name: source(n).Name()}
		}
		return found[v]
	}
	for _, n := range fetch {
		add(n)
	}
	for _, c := range calls {
		for _, in := range c.In {
			add(in)
		}
		for _, i := range op.TraitsOf(c.Op).Writes {
			if a := add(c.In[i]); a != nil {
				a.writes = true
			}
		}
	}
	var out []access
	for _, a := range found {
		out = append(out, *a)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].variable.ID() < out[j].variable.ID() })
	return out
}

// deriving gives each variable of a program that writes none a place for what backends make of its value. A program that trains does
// without: what it makes of a weight would be out of date after a step.
func (p *Program) deriving() {
	if slices.ContainsFunc(p.variables, func(a access) bool { return a.writes }) {
		return
	}
	for i := range p.variables {
		p.variables[i].derived = op.NewDerived(p.variables[i].variable)
	}
}

// initialise checks every loaded value before it changes anything, then gives all variables their memory.
func initialise(g *op.Graph, variables []access) error {
	var wrong []string
	for _, a := range variables {
		if err := a.variable.Ready(); err != nil {
			wrong = append(wrong, fmt.Sprintf("%s %v", a.name, err))
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return fmt.Errorf("the loaded values do not fit the model: %s", strings.Join(wrong, "; "))
	}
	b := newBackend()
	for _, a := range variables {
		if err := a.variable.Allocate(b, g.Seed, a.name); err != nil {
			return err
		}
	}
	return nil
}

// Run binds the inputs to feeds, runs the program with the random numbers of the given step, and calls use with the fetched values,
// which are valid during that call only. If none of them is a variable's own memory, the variables are free for others by then. The variables that the program writes change if and only if the error is nil or comes from use.
func (p *Program) Run(ctx context.Context, feeds op.Feeds, step uint64, use func(out []op.Buffer) error) (err error) {
	if ctx == nil {
		return errors.New("the context is nil")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w := p.acquire()
	defer p.release(w)
	w.env.Call = nil
	defer func() {
		if r := recover(); r != nil {
			err = w.recovered(op.Recovered(r))
		}
	}()
	if err := w.bind(feeds); err != nil {
		return err
	}
	p.lock()
	locked := true
	defer func() {
		if locked {
			p.unlock()
		}
	}()
	w.env.Context, w.env.Key = ctx, op.Key{Seed: p.graph.Seed, Step: step}
	if err := w.frame.run(&w.env); err != nil {
		return err
	}
	w.env.Context, w.env.Call = nil, nil
	for i, s := range p.unit.outputs {
		w.out[i] = w.frame.buffers[s]
	}
	if !p.shows {
		p.unlock()
		locked = false
	}
	return use(w.out)
}

func (p *Program) lock() {
	for i := range p.variables {
		if a := &p.variables[i]; a.writes {
			a.variable.Lock()
		} else {
			a.variable.RLock()
		}
	}
}

func (p *Program) unlock() {
	for i := range p.variables {
		if a := &p.variables[i]; a.writes {
			a.variable.Unlock()
		} else {
			a.variable.RUnlock()
		}
	}
}

// SetThreads sets the most goroutines that a run computes on from the next one on, its caller's included; 0, and any number above, is
// GOMAXPROCS at the time of the run.
func (p *Program) SetThreads(n int) { p.threads.Store(int64(n)) }

// most returns the most goroutines that a run which begins now computes on.
func (p *Program) most() int {
	most := runtime.GOMAXPROCS(0)
	if n := int(p.threads.Load()); n > 0 {
		return min(n, most)
	}
	return most
}

func (p *Program) acquire() *workspace {
	w := p.take()
	if w == nil {
		w = newWorkspace(p)
	}
	w.backend.SetThreads(p.most())
	return w
}

// take returns a workspace that no run uses, nil if there is none.
func (p *Program) take() *workspace {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return nil
	}
	w := p.free[n-1]
	p.free = p.free[:n-1]
	return w
}

func (p *Program) release(w *workspace) {
	p.mu.Lock()
	p.free = append(p.free, w)
	p.mu.Unlock()
}

// recovered returns the error of a panic with the application that it came from.
func (w *workspace) recovered(err error) error {
	if c := w.env.Call; c != nil {
		return c.RunError(err)
	}
	return err
}

// Memory returns the most bytes that a workspace of the program holds for values.
func (p *Program) Memory() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	most := 0
	for _, w := range p.free {
		most = max(most, w.frame.memory())
	}
	return most
}

// Graph returns the compiled graph.
func (p *Program) Graph() *op.Graph { return p.graph }
