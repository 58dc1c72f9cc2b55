package paddle_test

import (
	"bytes"
	"context"
	"iter"
	"math"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/datasets"
	"paddle/layer"
	"paddle/op"
)

// mlp is a small classifier with everything that has state: parameters, running statistics and random numbers.
type mlp struct {
	Hidden layer.FC
	Norm   layer.BatchNorm
	Drop   layer.Dropout
	Out    layer.FC
}

func newMLP() *mlp {
	return &mlp{Hidden: layer.FC{Size: 16}, Norm: layer.BatchNorm{Act: op.ReLU}, Drop: layer.Dropout{P: 0.2}, Out: layer.FC{Size: 3}}
}

func (m *mlp) Forward(x *op.Node) *op.Node {
	return m.Out.Forward(m.Drop.Forward(m.Norm.Forward(m.Hidden.Forward(x))))
}

// graph builds net on points of two features and returns the logits, the loss and the accuracy.
func graph(net interface{ Forward(*op.Node) *op.Node }, seed uint64) (logits, loss, accuracy *op.Node) {
	g := op.NewGraph(net)
	g.Seed = seed
	point, label := g.Input("point", op.Float32, op.Batch, 2), g.Input("label", op.Int32, op.Batch)
	logits = net.Forward(point)
	return logits, op.CrossEntropy(logits, label), op.Accuracy(logits, label)
}

// newTrainer returns a trainer of a new mlp.
func newTrainer(t testing.TB, seed uint64, passes ...op.Pass) (*mlp, *paddle.Trainer) {
	t.Helper()
	net := newMLP()
	_, loss, accuracy := graph(net, seed)
	passes = append(passes, paddle.Track("accuracy", accuracy))
	return net, must(paddle.NewTrainer(loss, paddle.Adam{LearningRate: 0.01}, passes...))(t)
}

// blobs returns a set of points in three classes.
func blobs(t testing.TB, records int) *datasets.Set {
	t.Helper()
	return must(datasets.Blobs{Records: records, Features: 2, Classes: 3}.Set())(t)
}

func shuffled(t testing.TB, records, size int) func(epoch int) iter.Seq2[op.Feeds, error] {
	return blobs(t, records).Shuffled(5, datasets.BatchOptions{Size: size, Live: 1})
}

// batches collects the batches of a reader.
func batches(t testing.TB, r iter.Seq2[op.Feeds, error]) []op.Feeds {
	t.Helper()
	return must(datasets.Collect(r))(t)
}

// must returns the value of a call that may not fail.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// values returns copies of all variables of a model.
func values(t testing.TB, net any) map[string]op.Buffer {
	t.Helper()
	out := map[string]op.Buffer{}
	for _, n := range must(op.Walk(net))(t) {
		if b, ok := n.Variable.Snapshot(); ok {
			out[n.Name] = b
		}
	}
	return out
}

// sameValues reports every variable whose bits differ.
func sameValues(t testing.TB, got, want map[string]op.Buffer) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d variables, want %d", len(got), len(want))
	}
	for name, w := range want {
		g, ok := got[name]
		if !ok || g.DType != w.DType || !slices.Equal(g.Shape, w.Shape) || !bytes.Equal(g.Bytes(), w.Bytes()) {
			t.Errorf("%s differs: got %v, want %v", name, g.Float32s(), w.Float32s())
		}
	}
}

func floats(shape []int, x ...float32) *tensor.Dense {
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(x))
}

// losses takes n steps and returns the bits of their losses.
func losses(t testing.TB, trainer *paddle.Trainer, data []op.Feeds, n int) []uint64 {
	t.Helper()
	var out []uint64
	for i := range n {
		out = append(out, math.Float64bits(must(trainer.Step(context.Background(), data[i%len(data)]))(t).Loss))
	}
	return out
}

// scalarModel has one parameter.
type scalarModel struct{ W *op.Parameter }

// scalar returns a model of one Float32 parameter w with the given start, its graph and the node of w.
func scalar(t testing.TB, start float64, shape ...int) (*scalarModel, *op.Graph, *op.Node) {
	t.Helper()
	m := &scalarModel{}
	g := op.NewGraph(m)
	if err := m.W.Define(op.Float32, op.InitConstant(start), shape...); err != nil {
		t.Fatal(err)
	}
	return m, g, g.ReadParameter(m.W)
}

func (m *scalarModel) value() []float32 {
	b, _ := m.W.Snapshot()
	return b.Float32s()
}

// sequenceOf reads feeds and then ends with err, unless that is nil.
func sequenceOf(err error, feeds ...op.Feeds) iter.Seq2[op.Feeds, error] {
	return func(yield func(op.Feeds, error) bool) {
		for _, f := range feeds {
			if !yield(f, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }
