package sequence_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
	"paddle/sequence"
)

// random fills a tensor with numbers from a fixed stream.
func random(r *rand.Rand, shape ...int) *tensor.Dense {
	t := tensor.New(tensor.WithShape(shape...), tensor.Of(tensor.Float64))
	if n := tensor.Shape(shape).TotalSize(); n == 0 {
		return t
	}
	for i := range t.Float64s() {
		t.Float64s()[i] = r.NormFloat64()
	}
	return t
}

// randomRows makes sequences of the given lengths.
func randomRows(r *rand.Rand, width int, lengths ...int) [][]float64 {
	out := make([][]float64, len(lengths))
	for i, n := range lengths {
		for range n * width {
			out[i] = append(out[i], r.NormFloat64())
		}
	}
	return out
}

// compare reports where two results differ by more than the tolerance.
func compare(t *testing.T, what string, got, want *tensor.Dense, tolerance float64) {
	t.Helper()
	if !got.Shape().Eq(want.Shape()) {
		t.Errorf("%s: shape %v, want %v", what, got.Shape(), want.Shape())
		return
	}
	if got.Shape().TotalSize() == 0 {
		return
	}
	a, b := got.Float64s(), want.Float64s()
	for i := range a {
		if d := math.Abs(a[i] - b[i]); !(d <= tolerance*max(1, math.Abs(b[i]))) {
			t.Errorf("%s: element %d is %v, want %v", what, i, a[i], b[i])
			return
		}
	}
}

var groupLengths = [][]int{{4, 2, 2, 1, 0}, {}, {0}, {0, 0}, {1}, {3, 3, 3}, {40, 1, 2, 0, 1}}

// lstmStep is one step of an LSTM made of single ops.
func lstmStep(gates, h, c, w *op.Node) (nextH, nextC *op.Node) {
	p := op.Split(op.Add(gates, op.MatMul(h, w)), 1, 3, 3, 3, 3)
	c = op.Add(op.Mul(op.Sigmoid(p[1]), c), op.Mul(op.Sigmoid(p[0]), op.Tanh(p[2])))
	return op.Mul(op.Sigmoid(p[3]), op.Tanh(c)), c
}

// TestGroupOfLSTMStep: the group of one LSTM step is the fused layer, forward and in all gradients, in both directions.
func TestGroupOfLSTMStep(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, reverse := range []bool{false, true} {
		g := op.NewGraph(nil)
		x := sequence.Input(g, "x", op.Float64, 12)
		w := g.Input("w", op.Float64, 3, 12)
		h0, c0 := g.Input("h0", op.Float64, op.Batch, 3), g.Input("c0", op.Float64, op.Batch, 3)
		weigh := g.Input("weigh", op.Float64, 3)

		h, last := sequence.LSTM{Weight: w, H: h0, C: c0, Reverse: reverse}.Run(x)
		group := sequence.Group{
			Inputs:   []*sequence.Node{x},
			Memories: []sequence.Memory{{Boot: h0}, {Boot: c0}},
			Reverse:  reverse,
			Step: func(s *sequence.Step) sequence.StepResult {
				h, c := lstmStep(s.Inputs[0], s.Memories[0], s.Memories[1], w)
				return sequence.StepResult{Outputs: []*op.Node{h}, Memories: []*op.Node{h, c}}
			},
		}.Run()
		var outputs []*op.Node
		for _, y := range [][]*op.Node{
			{h.Rows(), last.H, last.C},
			{group.Output(0).Rows(), group.Memory(0), group.Memory(1)},
		} {
			loss := op.Add(op.Add(op.Sum(op.Mul(op.Square(y[0]), weigh)), op.Sum(op.Mul(op.Exp(y[1]), weigh))), op.Sum(op.Square(y[2])))
			outputs = append(append(outputs, y...), op.Gradient(loss, x.Rows(), w, h0, c0)...)
		}
		p, err := paddle.NewPredictor(outputs...)
		if err != nil {
			t.Fatal(err)
		}
		for _, lengths := range groupLengths {
			feeds := batch(t, randomRows(r, 12, lengths...), 12).Feeds("x")
			feeds["w"], feeds["weigh"] = random(r, 3, 12), random(r, 3)
			feeds["h0"], feeds["c0"] = random(r, len(lengths), 3), random(r, len(lengths), 3)
			out, err := p.Predict(context.Background(), feeds)
			if err != nil {
				t.Fatalf("lengths %v: %v", lengths, err)
			}
			n := len(out) / 2
			for i := range n {
				compare(t, fmt.Sprintf("reverse %v, lengths %v, value %d", reverse, lengths, i), out[n+i], out[i], 1e-10)
			}
		}
	}
}

// TestGroupOfEverything runs nested input, statics, static sequences, sequence memories and an inner group at once, and compares with
// a loop over the samples.
func TestGroupOfEverything(t *testing.T) {
	g := op.NewGraph(nil)
	docs := sequence.NestedInput(g, "docs", op.Float64, 2)
	static := g.Input("static", op.Float64, op.Batch, 2)
	attend := sequence.Input(g, "attend", op.Float64, 2)
	board := sequence.Input(g, "board", op.Float64, 2)
	group := sequence.Group{
		Nested:           []*sequence.Nested{docs},
		Static:           []*op.Node{static},
		StaticSequences:  []*sequence.Node{attend},
		Memories:         []sequence.Memory{{Size: 2, DType: op.Float64}, {ID: new(int32(7))}},
		SequenceMemories: []*sequence.Node{board},
		Step: func(s *sequence.Step) sequence.StepResult {
			inner := sequence.Group{ // a running sum inside the sentence that starts from the outer memory
				Inputs:   []*sequence.Node{s.Nested[0]},
				Memories: []sequence.Memory{{Boot: s.Memories[0]}},
				Step: func(in *sequence.Step) sequence.StepResult {
					sum := op.Add(in.Inputs[0], in.Memories[0])
					return sequence.StepResult{Outputs: []*op.Node{op.Tanh(sum)}, Memories: []*op.Node{sum}}
				},
			}.Run()
			m := op.Add(inner.Memory(0), op.Mul(s.Static[0], sequence.Sum(s.StaticSequences[0])))
			next := sequence.Combine(func(x ...*op.Node) *op.Node { return op.MulConst(x[0], 2) }, s.SequenceMemories[0])
			return sequence.StepResult{
				Outputs:          []*op.Node{m, op.Add(sequence.Sum(s.SequenceMemories[0]), op.Cast(op.Unsqueeze(s.Memories[1], 1), op.Float64))},
				Sequences:        []*sequence.Node{inner.Output(0)},
				Memories:         []*op.Node{m, op.Add(s.Memories[1], s.Memories[1])},
				SequenceMemories: []*sequence.Node{next},
			}
		},
	}.Run()
	if group.Err() != nil {
		t.Fatal(group.Err())
	}
	p, err := paddle.NewPredictor(group.Output(0).Rows(), group.Output(1).Rows(), group.Sequences[0].Inner().Rows(),
		group.Memory(0), group.Memory(1), group.SequenceMemories[0].Rows())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, shape := range [][][]int{{{2, 1}, {}, {0, 3}}, {}, {{}}, {{0}}, {{1, 2, 3, 4}, {2}}} {
		e := newEverything(r, shape)
		out, err := p.Predict(context.Background(), e.feeds(t))
		if err != nil {
			t.Fatalf("%v: %v", shape, err)
		}
		for i, want := range e.run() {
			var got []float64
			if i == 4 {
				for _, v := range data[int32](t, out[i]) {
					got = append(got, float64(v))
				}
			} else {
				got = data[float64](t, out[i])
			}
			if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-10 }) {
				t.Errorf("%v: output %d is %v, want %v", shape, i, got, want)
			}
		}
	}
}

// everything is a batch for TestGroupOfEverything, and its loop.
type everything struct {
	docs          [][][]float64
	static        []float64
	attend, board [][]float64
}

func newEverything(r *rand.Rand, shape [][]int) *everything {
	e := &everything{}
	for _, s := range shape {
		e.docs = append(e.docs, randomRows(r, 2, s...))
		e.attend = append(e.attend, randomRows(r, 2, r.IntN(4))...)
		e.board = append(e.board, randomRows(r, 2, r.IntN(4))...)
		e.static = append(e.static, r.NormFloat64(), r.NormFloat64())
	}
	return e
}

func (e *everything) feeds(t *testing.T) op.Feeds {
	b, err := sequence.NewNestedBatch(e.docs, 2)
	if err != nil {
		t.Fatal(err)
	}
	f := b.Feeds("docs")
	batch(t, e.attend, 2).Feed(f, "attend")
	batch(t, e.board, 2).Feed(f, "board")
	f["static"] = tensor.New(tensor.WithShape(len(e.docs), 2), tensor.WithBacking(append(make([]float64, 0, 1), e.static...)))
	return f
}

func (e *everything) run() [6][]float64 {
	var out [6][]float64
	for i, doc := range e.docs {
		memory, id := [2]float64{}, 7.0
		board := slices.Clone(e.board[i])
		var sums [2]float64
		for k, v := range e.attend[i] {
			sums[k%2] += v
		}
		for _, sentence := range doc {
			var total [2]float64
			for k, v := range board {
				total[k%2] += v
			}
			for k, v := range sentence {
				memory[k%2] += v
				out[2] = append(out[2], math.Tanh(memory[k%2]))
			}
			for k := range memory {
				memory[k] += e.static[2*i+k] * sums[k]
			}
			out[0] = append(out[0], memory[:]...)
			out[1] = append(out[1], total[0]+id, total[1]+id)
			id *= 2
			for k := range board {
				board[k] *= 2
			}
		}
		out[3] = append(out[3], memory[:]...)
		out[4] = append(out[4], id)
		out[5] = append(out[5], board...)
	}
	return out
}

func TestGroupMistakes(t *testing.T) {
	step := func(s *sequence.Step) sequence.StepResult {
		return sequence.StepResult{Outputs: s.Inputs, Memories: s.Memories}
	}
	memory := []sequence.Memory{{Size: 3}}
	for _, c := range []struct {
		name  string
		group func(g *op.Graph, x, y *sequence.Node) sequence.Group
		want  string
	}{
		{"no inputs", func(g *op.Graph, x, y *sequence.Node) sequence.Group {
			return sequence.Group{Step: step, Memories: memory}
		},
			"sequence.Group: no inputs, want one sequence or more"},
		{"no step", func(g *op.Graph, x, y *sequence.Node) sequence.Group {
			return sequence.Group{Inputs: []*sequence.Node{x}, Memories: memory}
		}, "sequence.Group: Step is nil"},
		{"other lengths", func(g *op.Graph, x, y *sequence.Node) sequence.Group {
			return sequence.Group{Inputs: []*sequence.Node{x, y}, Step: step, Memories: memory}
		}, "sequence.Group: input 1, y, has lengths y.lengths, want those of input 0, x, which has x.lengths: see sequence.Node.As"},
		{"two boots", func(g *op.Graph, x, y *sequence.Node) sequence.Group {
			return sequence.Group{Inputs: []*sequence.Node{x}, Step: step, Memories: []sequence.Memory{{Size: 3, ID: new(int32(1))}}}
		}, "sequence.Group: memory 0 has 2 of Boot, Size and ID, want one of them"},
		{"no boot", func(g *op.Graph, x, y *sequence.Node) sequence.Group {
			return sequence.Group{Inputs: []*sequence.Node{x}, Step: step, Memories: []sequence.Memory{{}}}
		}, "sequence.Group: memory 0 has 0 of Boot, Size and ID, want one of them"},
		{"negative size", func(g *op.Graph, x, y *sequence.Node) sequence.Group {
			return sequence.Group{Inputs: []*sequence.Node{x}, Step: step, Memories: []sequence.Memory{{Size: -3}}}
		}, "sequence.Group: memory 0 has Size -3, want 1 or more"},
		{"boot", func(g *op.Graph, x, y *sequence.Node) sequence.Group {
			return sequence.Group{Inputs: []*sequence.Node{x}, Step: step, Memories: []sequence.Memory{{Boot: x.Rows()}}}
		}, "sequence.Group: memory 0 begins with x, which has shape (x.tokens, 3), want (batch, …): one row a sequence"},
		{"static", func(g *op.Graph, x, y *sequence.Node) sequence.Group {
			return sequence.Group{Inputs: []*sequence.Node{x}, Step: step, Memories: memory, Static: []*op.Node{x.Rows()}}
		}, "sequence.Group: static 0, x, has shape (x.tokens, 3), want (batch, …): one row a sequence"},
		{"memories returned", func(g *op.Graph, x, y *sequence.Node) sequence.Group {
			return sequence.Group{Inputs: []*sequence.Node{x}, Memories: memory, Step: func(s *sequence.Step) sequence.StepResult { return sequence.StepResult{} }}
		}, "sequence.Group: the step returns 0 memories and 0 sequence memories, want 1 and 0"},
		{"memory of another shape", func(g *op.Graph, x, y *sequence.Node) sequence.Group {
			return sequence.Group{Inputs: []*sequence.Node{x}, Memories: memory, Step: func(s *sequence.Step) sequence.StepResult {
				return sequence.StepResult{Memories: []*op.Node{op.Concat(1, s.Memories[0], s.Inputs[0])}}
			}}
		}, "memory 0 of the step is"},
	} {
		g := op.NewGraph(nil)
		r := c.group(g, sequence.Input(g, "x", op.Float32, 3), sequence.Input(g, "y", op.Float32, 3)).Run()
		if err := r.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
		if r.Output(3).Err() == nil || r.Memory(4).Err() == nil {
			t.Errorf("%s: the results have no error", c.name)
		}
	}
}

// TestGroupWithoutMemories: each step sees its row and a whole sequence. Pooled outside and expanded the values and the gradients are the same.
func TestGroupWithoutMemories(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	x, s := batch(t, randomRows(r, 3, 2, 0, 4, 1), 3), batch(t, randomRows(r, 3, 3, 1, 0, 2), 3)
	feeds := x.Feeds("x")
	s.Feed(feeds, "s")
	run := func(build func(x, s *sequence.Node, w *op.Node) *sequence.Node) []*tensor.Dense {
		g := op.NewGraph(nil)
		w := g.Constant(random(rand.New(rand.NewPCG(1, 2)), 3))
		y := build(sequence.Input(g, "x", op.Float64, 3), sequence.Input(g, "s", op.Float64, 3), w)
		gradients := op.Gradient(op.Sum(op.Mul(y.Rows(), y.Rows())), w)
		return predict(t, feeds, y.Rows(), gradients[0])
	}
	got := run(func(x, s *sequence.Node, w *op.Node) *sequence.Node {
		return sequence.Group{
			Inputs:          []*sequence.Node{x},
			StaticSequences: []*sequence.Node{s},
			Step: func(step *sequence.Step) sequence.StepResult {
				if len(step.Memories) != 0 {
					t.Errorf("the step has %d memories, want none", len(step.Memories))
				}
				y := op.Add(step.Inputs[0], op.Mul(sequence.Mean(step.StaticSequences[0]), w))
				return sequence.StepResult{Outputs: []*op.Node{y}}
			},
		}.Run().Output(0)
	})
	want := run(func(x, s *sequence.Node, w *op.Node) *sequence.Node {
		add := func(rows ...*op.Node) *op.Node { return op.Add(rows[0], op.Mul(rows[1], w)) }
		return sequence.Combine(add, x, sequence.Expand(sequence.Mean(s), x))
	})
	compare(t, "rows", got[0], want[0], 1e-12)
	compare(t, "gradient", got[1], want[1], 1e-12)
}

// TestGroupInputsOfOtherLengths: lengths that only the run can compare.
func TestGroupInputsOfOtherLengths(t *testing.T) {
	g := op.NewGraph(nil)
	x, y := sequence.Input(g, "x", op.Float64), sequence.Input(g, "y", op.Float64)
	r := sequence.Group{
		Inputs:   []*sequence.Node{x, y.As(x)},
		Memories: []sequence.Memory{{Boot: op.Cast(x.Lengths(), op.Float64)}},
		Step: func(s *sequence.Step) sequence.StepResult {
			m := op.Add(s.Memories[0], op.Mul(s.Inputs[0], s.Inputs[1]))
			return sequence.StepResult{Memories: []*op.Node{m}}
		},
	}.Run()
	f := batch(t, [][]float64{{1}, {2, 3}}).Feeds("x")
	batch(t, [][]float64{{1, 2}, {3}}).Feed(f, "y")
	if _, err := tryPredict(f, r.Memory(0)); err == nil || !strings.Contains(err.Error(), "sequence 0 has length 2 by y.lengths, want 1, as by x.lengths") {
		t.Errorf("got %v", err)
	}
	batch(t, [][]float64{{5}, {7, 11}}).Feed(f, "y")
	out := predict(t, f, r.Memory(0))
	if got := data[float64](t, out[0]); !slices.Equal(got, []float64{6, 49}) {
		t.Errorf("got %v, want 6 and 49", got)
	}
}

// TestGroupAttends: a decoder that attends to keys and values of the same lengths in every step, and hands on two sequences of
// different lengths, gives each sample what it gets alone, gradients included.
func TestGroupAttends(t *testing.T) {
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Float64, 2)
	keys := sequence.Input(g, "keys", op.Float64, 3)
	values := keys.Map(func(r *op.Node) *op.Node { return op.Slice(op.Exp(r), 1, 0, 2) })
	coverage := keys.Map(func(r *op.Node) *op.Node { return op.Slice(op.MulConst(r, 0), 1, 0, 1) })
	board := sequence.Input(g, "board", op.Float64, 2)
	v, w := g.Input("v", op.Float64, 3), g.Input("w", op.Float64, 2, 3)
	r := sequence.Group{
		Inputs:           []*sequence.Node{x},
		StaticSequences:  []*sequence.Node{values, keys},
		Memories:         []sequence.Memory{{Size: 2}},
		SequenceMemories: []*sequence.Node{board, coverage},
		Step: func(s *sequence.Step) sequence.StepResult {
			covered := s.SequenceMemories[1]
			keys := sequence.Combine(func(r ...*op.Node) *op.Node { return op.Sub(r[0], r[1]) }, s.StaticSequences[1], covered)
			context, weights := sequence.AdditiveAttention(s.StaticSequences[0], keys, op.MatMul(s.Memories[0], w), v)
			next := op.Tanh(op.Add(op.Add(s.Inputs[0], context), sequence.Sum(s.SequenceMemories[0])))
			add := func(r ...*op.Node) *op.Node { return op.Add(r[0], op.Reshape(r[1], r[1].Dim(0), 1)) }
			return sequence.StepResult{
				Outputs:          []*op.Node{next},
				Memories:         []*op.Node{next},
				SequenceMemories: []*sequence.Node{s.SequenceMemories[0].Map(op.Tanh), sequence.Combine(add, covered, weights)},
			}
		},
	}.Run()
	loss := op.Add(op.Sum(op.Square(r.Output(0).Rows())), op.Sum(op.Square(r.SequenceMemories[1].Rows())))
	grads := op.Gradient(loss, x.Rows(), keys.Rows(), board.Rows(), w, v)
	p, err := paddle.NewPredictor(append([]*op.Node{r.Output(0).Rows(), r.SequenceMemories[0].Rows(), r.SequenceMemories[1].Rows()}, grads...)...)
	if err != nil {
		t.Fatal(err)
	}
	random4 := rand.New(rand.NewPCG(7, 8))
	xs, ks, bs := randomRows(random4, 2, 3, 0, 5, 1), randomRows(random4, 3, 2, 4, 1, 0), randomRows(random4, 2, 1, 2, 0, 3)
	shared := op.Feeds{"v": random(random4, 3), "w": random(random4, 2, 3)}
	run := func(samples ...int) []*tensor.Dense {
		var x, k, b [][]float64
		for _, i := range samples {
			x, k, b = append(x, xs[i]), append(k, ks[i]), append(b, bs[i])
		}
		f := batch(t, x, 2).Feeds("x")
		batch(t, k, 3).Feed(f, "keys")
		batch(t, b, 2).Feed(f, "board")
		f["v"], f["w"] = shared["v"], shared["w"]
		out, err := p.Predict(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	all := run(0, 1, 2, 3)
	var alone [8][]float64
	for i := range xs {
		for k, o := range run(i) {
			if k < 6 {
				alone[k] = append(alone[k], data[float64](t, o)...)
				continue
			}
			for e, d := range o.Float64s() {
				if i == 0 {
					alone[k] = append(alone[k], 0)
				}
				alone[k][e] += d
			}
		}
	}
	for k, o := range all {
		if got := o.Float64s(); !slices.EqualFunc(got, alone[k], func(a, b float64) bool { return math.Abs(a-b) < 1e-10 }) {
			t.Errorf("output %d is %v, alone %v", k, got, alone[k])
		}
	}
}

// countRows passes rows on and counts them.
type countRows struct{ rows *int }

func (countRows) Name() string { return "count_rows" }

func (countRows) Infer(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0]}, s.Arity(1) }

func (o countRows) Run(e *op.Env, in, out []op.Buffer) error {
	*o.rows += in[0].Shape[0]
	copy(out[0].Bytes(), in[0].Bytes())
	return nil
}

// TestGroupRowSteps: a batch takes as many steps of single rows as it has tokens, no more and no fewer, in either direction.
func TestGroupRowSteps(t *testing.T) {
	for _, reverse := range []bool{false, true} {
		rows := 0
		g := op.NewGraph(nil)
		r := sequence.Group{
			Inputs:   []*sequence.Node{sequence.Input(g, "x", op.Float64, 1)},
			Memories: []sequence.Memory{{Size: 1}},
			Reverse:  reverse,
			Step: func(s *sequence.Step) sequence.StepResult {
				h := op.Apply(countRows{&rows}, op.Add(s.Inputs[0], s.Memories[0]))[0]
				return sequence.StepResult{Memories: []*op.Node{h}}
			},
		}.Run()
		p, err := paddle.NewPredictor(r.Memory(0))
		if err != nil {
			t.Fatal(err)
		}
		for _, lengths := range append(groupLengths, []int{1000, 0, 1, 3, 3}) {
			rows = 0
			tokens := 0
			for _, n := range lengths {
				tokens += n
			}
			if _, err := p.Predict(context.Background(), batch(t, randomRows(rand.New(rand.NewPCG(1, 1)), 1, lengths...), 1).Feeds("x")); err != nil {
				t.Fatal(err)
			}
			if rows != tokens {
				t.Errorf("reverse %v, lengths %v: %d rows in all steps, want %d", reverse, lengths, rows, tokens)
			}
		}
	}
}
