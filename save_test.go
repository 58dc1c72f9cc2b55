package paddle_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"paddle"
	"paddle/internal/safetensors"
	"paddle/layer"
	"paddle/op"
)

// openFile returns the header of a file.
func openFile(t testing.TB, path string) *safetensors.File {
	t.Helper()
	f := must(os.Open(path))(t)
	t.Cleanup(func() { f.Close() })
	return must(safetensors.Open(f, must(f.Stat())(t).Size()))(t)
}

// saved trains an mlp a little, saves it, and returns the file and its values.
func saved(t testing.TB) (path string, want map[string]op.Buffer) {
	t.Helper()
	net, trainer := newTrainer(t, 1)
	losses(t, trainer, batches(t, blobs(t, 64).InOrder(32)), 5)
	path = filepath.Join(t.TempDir(), "m.safetensors")
	if err := paddle.Save(path, net); err != nil {
		t.Fatal(err)
	}
	return path, values(t, net)
}

func TestSaveWritesParametersAndStatisticsByPath(t *testing.T) {
	path, want := saved(t)
	f := openFile(t, path)
	names := []string{"hidden.bias", "hidden.weight", "norm.bias", "norm.mean", "norm.variance", "norm.weight", "out.bias", "out.weight"}
	if !slices.Equal(f.Names(), names) || !f.HasSums() {
		t.Errorf("got %v with checksums %v, want %v with them", f.Names(), f.HasSums(), names)
	}
	for _, name := range names {
		data := make([]byte, len(want[name].Bytes()))
		if err := f.ReadInto(name, data); err != nil || !slices.Equal(data, want[name].Bytes()) {
			t.Errorf("%s differs, error %v", name, err)
		}
	}
	for key, value := range map[string]string{
		"paddle.format": "1", "library": "paddle", "paddle.batch_norm.momentum": "fraction of the running value that a step keeps", "paddle.batch_norm.variance": "divided by n",
	} {
		if got := f.Metadata()[key]; got != value {
			t.Errorf("metadata %s is %q, want %q", key, got, value)
		}
	}
}

// Whenever the file is loaded, its values are those of the model.
func TestK04LoadOverwritesWhenever(t *testing.T) {
	path, want := saved(t)
	load := func(net *mlp) {
		t.Helper()
		if err := paddle.Load(path, net); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	data := batches(t, blobs(t, 32).InOrder(32))
	orders := map[string]func(net *mlp){
		"before the graph is built": func(net *mlp) {
			load(net)
			logits, _, _ := graph(net, 9)
			must(paddle.NewPredictor(logits))(t)
		},
		"after the graph is built": func(net *mlp) {
			logits, _, _ := graph(net, 9)
			load(net)
			must(paddle.NewPredictor(logits))(t)
		},
		"after the values are initialised": func(net *mlp) {
			logits, _, _ := graph(net, 9)
			must(paddle.NewPredictor(logits))(t)
			load(net)
		},
		"after a step": func(net *mlp) {
			_, loss, _ := graph(net, 9)
			trainer := must(paddle.NewTrainer(loss, paddle.SGD{LearningRate: 1}))(t)
			must(trainer.Step(ctx, data[0]))(t)
			load(net)
		},
		"twice": func(net *mlp) { load(net); load(net) },
	}
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			net := newMLP()
			order(net)
			sameValues(t, values(t, net), want)
		})
	}
}

// A predictor compiled before Load answers with the loaded values.
func TestPredictorSeesWhatIsLoaded(t *testing.T) {
	path, _ := saved(t)
	data := batches(t, blobs(t, 32).InOrder(32))[0]
	predict := func(loadFirst bool) []float32 {
		net := newMLP()
		logits, _, _ := graph(net, 9)
		if loadFirst {
			must(0, paddle.Load(path, net))(t)
		}
		p := must(paddle.NewPredictor(logits))(t)
		must(0, paddle.Load(path, net))(t)
		return must(p.Predict(context.Background(), data))(t)[0].Float32s()
	}
	if a, b := predict(true), predict(false); !slices.Equal(a, b) {
		t.Errorf("%v before and %v after", a, b)
	}
}

// writeTensors writes a file of zeros.
func writeTensors(t testing.TB, shapes map[string][]int) string {
	t.Helper()
	var tensors []safetensors.Tensor
	for name, shape := range shapes {
		n := 4
		for _, d := range shape {
			n *= d
		}
		tensors = append(tensors, safetensors.Tensor{Name: name, DType: safetensors.F32, Shape: shape, Data: make([]byte, n)})
	}
	path := filepath.Join(t.TempDir(), "t.safetensors")
	f := must(os.Create(path))(t)
	defer f.Close()
	must(0, safetensors.Write(f, tensors, nil))(t)
	return path
}

type pair struct{ A, B layer.FC }

func newPair() *pair { return &pair{A: layer.FC{Size: 32}, B: layer.FC{Size: 2, NoBias: true}} }

func (m *pair) Forward(x *op.Node) *op.Node { return m.B.Forward(m.A.Forward(x)) }

func TestK02LoadListsAllDifferencesAndChangesNothing(t *testing.T) {
	path := writeTensors(t, map[string][]int{"a.weight": {1, 32}, "a.scale": {2}, "head.bias": {1}, "b.weight": {32, 2}})
	net := newPair()
	g := op.NewGraph(net)
	y := net.Forward(g.Input("x", op.Float32, op.Batch, 64))
	must(paddle.NewPredictor(y))(t)
	before := values(t, net)
	err := paddle.Load(path, net)
	want := "paddle.Load: " + path + " does not fit the model: a.weight is float32 (1, 32), want float32 (64, 32); " +
		"missing in the file: a.bias; not in the model: a.scale, head.bias"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	sameValues(t, values(t, net), before)
	d := must(paddle.LoadPartial(path, net))(t)
	if !slices.Equal(d.Missing, []string{"a.bias"}) || !slices.Equal(d.Surplus, []string{"a.scale", "head.bias"}) || len(d.Misshapen) != 1 {
		t.Errorf("LoadPartial: %+v", d)
	}
	after := values(t, net)
	if slices.Max(after["b.weight"].Float32s()) != 0 || slices.Equal(before["b.weight"].Float32s(), after["b.weight"].Float32s()) {
		t.Error("LoadPartial did not load b.weight")
	}
	delete(before, "b.weight")
	delete(after, "b.weight")
	sameValues(t, after, before)
	if _, err := paddle.LoadPartial(writeTensors(t, map[string][]int{"other": {1}}), net); err == nil || !strings.Contains(err.Error(), "has nothing for the model") {
		t.Errorf("got %v, want an error: nothing agrees", err)
	}
}

// Without a graph nothing is known of shapes, so the first program checks them.
func TestLoadBeforeTheGraphIsCheckedWhenCompiled(t *testing.T) {
	build := func(net *pair) error {
		g := op.NewGraph(net)
		_, err := paddle.NewPredictor(net.Forward(g.Input("x", op.Float32, op.Batch, 4)))
		return err
	}
	path := writeTensors(t, map[string][]int{"a.weight": {1, 32}, "a.bias": {31}, "b.weight": {32, 2}})
	net := newPair()
	must(0, paddle.Load(path, net))(t)
	want := "the loaded values do not fit the model: a.bias is float32 (31,), want float32 (32,); a.weight is float32 (1, 32), want float32 (4, 32)"
	if err := build(net); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	for name, b := range values(t, net) {
		if slices.ContainsFunc(b.Float32s(), func(x float32) bool { return x != 0 }) {
			t.Errorf("%s has a value that was not loaded", name)
		}
	}
	path = writeTensors(t, map[string][]int{"a.weight": {4, 32}, "b.weight": {32, 2}})
	net = newPair()
	must(0, paddle.Load(path, net))(t)
	if err := build(net); err == nil || !strings.Contains(err.Error(), "a.bias is missing in "+path) {
		t.Errorf("got %v, want an error: a.bias must not start at random", err)
	}
	must(0, paddle.Load(writeTensors(t, map[string][]int{"a.weight": {4, 32}, "a.bias": {32}, "b.weight": {32, 2}}), net))(t)
	if err := build(net); err != nil {
		t.Errorf("a whole file after one that lacked a.bias: %v", err)
	}
	net = newPair()
	must(paddle.LoadPartial(path, net))(t)
	if err := build(net); err != nil {
		t.Errorf("LoadPartial leaves a.bias its initial value, got %v", err)
	}
	if err := paddle.Load(writeTensors(t, map[string][]int{"c.weight": {4}}), newPair()); err == nil || !strings.Contains(err.Error(), "not in the model: c.weight") {
		t.Errorf("got %v, want an error about c.weight", err)
	}
}

func TestSharedParametersAreSavedOnce(t *testing.T) {
	shared := new(op.Parameter)
	net := &pair{A: layer.FC{Size: 4, Weight: shared, NoBias: true}, B: layer.FC{Size: 4, Weight: shared, NoBias: true}}
	g := op.NewGraph(net)
	y := net.Forward(g.Input("x", op.Float32, op.Batch, 4))
	must(paddle.NewPredictor(y))(t)
	path := filepath.Join(t.TempDir(), "m.safetensors")
	must(0, paddle.Save(path, net))(t)
	if names := openFile(t, path).Names(); !slices.Equal(names, []string{"a.weight"}) {
		t.Errorf("the file has %v, want a.weight", names)
	}
	must(0, paddle.Load(path, net))(t)
}

func TestSaveMistakes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.safetensors")
	built := newPair()
	built.Forward(op.NewGraph(built).Input("x", op.Float32, op.Batch, 4))
	for _, c := range []struct {
		net  any
		path string
		want string
	}{
		{newPair(), path, "*paddle_test.pair has no values yet: build its graph and compile a trainer or a predictor, or load the model, before it is saved"},
		{built, path, "a.weight, a.bias, b.weight without a value: compile a trainer or a predictor that uses it"},
		{&struct{ N int }{}, path, "has no parameters"},
		{pair{}, path, "the model is a paddle_test.pair, want a pointer"},
		{nil, path, "has no parameters"},
	} {
		if err := paddle.Save(c.path, c.net); err == nil || !strings.HasPrefix(err.Error(), "paddle.Save: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	must(paddle.NewPredictor(built.Forward(op.NewGraph(built).Input("x", op.Float32, op.Batch, 4))))(t)
	if err := paddle.Save(filepath.Join(dir, "none", "m"), built); err == nil || !strings.Contains(err.Error(), "no such file or directory") {
		t.Errorf("got %v, want an error about the directory", err)
	}
	if entries := must(os.ReadDir(dir))(t); len(entries) != 0 {
		t.Errorf("%v is left behind", entries)
	}
}

func TestLoadMistakes(t *testing.T) {
	path, _ := saved(t)
	whole := must(os.ReadFile(path))(t)
	net, _ := newTrainer(t, 3)
	before := values(t, net)
	bad := filepath.Join(t.TempDir(), "bad.safetensors")
	for cut := 0; cut < len(whole); cut += 1 + len(whole)/97 {
		must(0, os.WriteFile(bad, whole[:cut], 0o644))(t)
		if paddle.Load(bad, net) == nil {
			t.Fatalf("the first %d of %d bytes are loaded", cut, len(whole))
		}
	}
	for at := 8; at < len(whole); at += 1 + len(whole)/97 {
		flipped := slices.Clone(whole)
		flipped[at] ^= 4
		must(0, os.WriteFile(bad, flipped, 0o644))(t)
		if paddle.Load(bad, net) == nil {
			t.Fatalf("a file with a bit of byte %d changed is loaded", at)
		}
	}
	sameValues(t, values(t, net), before)
	for want, file := range map[string]string{"no such file": filepath.Join(t.TempDir(), "none"), "is a directory": t.TempDir()} {
		if err := paddle.Load(file, net); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	half := filepath.Join(t.TempDir(), "half")
	f := must(os.Create(half))(t)
	must(0, safetensors.Write(f, []safetensors.Tensor{{Name: "out.bias", DType: safetensors.F16, Shape: []int{3}, Data: make([]byte, 6)}, {Name: "norm.bias", DType: "I8", Shape: []int{2}, Data: make([]byte, 2)}}, nil))(t)
	f.Close()
	_, err := paddle.LoadPartial(half, net)
	if err == nil || !strings.Contains(err.Error(), "has nothing for the model") {
		t.Errorf("got %v", err)
	}
	err = paddle.Load(half, net)
	for _, want := range []string{"out.bias is float16 (3,), want float32 (3,)", "norm.bias has the type I8, which the library does not compute with", "missing in the file: hidden.weight, hidden.bias, "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	future := filepath.Join(t.TempDir(), "future")
	f = must(os.Create(future))(t)
	must(0, safetensors.Write(f, nil, map[string]string{"paddle.format": "2"}))(t)
	f.Close()
	if err := paddle.Load(future, net); err == nil || !strings.Contains(err.Error(), `has the format "2", want "1"`) {
		t.Errorf("got %v, want an error about the format", err)
	}
}

// While a trainer runs, what is saved is of one moment: all parameters of this model are equal after every step.
func TestSaveWhileTraining(t *testing.T) {
	type model struct{ A, B, C *op.Parameter }
	m := &model{}
	g := op.NewGraph(m)
	var sum *op.Node
	for _, p := range []*op.Parameter{m.A, m.B, m.C} {
		must(0, p.Define(op.Float32, op.InitConstant(1), 1000))(t)
		if w := op.Sum(g.ReadParameter(p)); sum == nil {
			sum = w
		} else {
			sum = op.Add(sum, w)
		}
	}
	x := g.Input("x", op.Float32, op.Batch)
	trainer := must(paddle.NewTrainer(op.Mul(sum, op.Mean(x)), paddle.SGD{LearningRate: 0.001}))(t)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			if _, err := trainer.Step(context.Background(), op.Feeds{"x": floats([]int{2}, 1, 2)}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	other := &model{}
	path, state := filepath.Join(t.TempDir(), "m"), filepath.Join(t.TempDir(), "t")
	last := float32(math.Inf(1))
	for k := range 20 {
		must(0, paddle.Save(path, m))(t)
		must(0, trainer.Save(state))(t)
		for _, file := range []string{path, state} {
			if k%2 == 0 { // also a trainer's state is a model
				file = state
			}
			must(0, paddle.Load(file, other))(t)
			v := values(t, other)
			a := v["a"].Float32s()[0]
			for name, b := range v {
				if slices.Min(b.Float32s()) != a || slices.Max(b.Float32s()) != a {
					t.Fatalf("%s is from %v to %v, and a begins with %v", name, slices.Min(b.Float32s()), slices.Max(b.Float32s()), a)
				}
			}
			last = min(last, a)
		}
	}
	cancel()
	wg.Wait()
	if last == 1 {
		t.Error("nothing was trained")
	}
}

func TestSaveWantsWholeVariables(t *testing.T) {
	m := &scalarModel{}
	g := op.NewGraph(m)
	must(0, m.W.Define(op.Float32, op.InitConstant(1), 4, 2))(t)
	must(0, m.W.SetLocal(1, 3))(t)
	must(paddle.NewPredictor(op.Neg(g.ReadParameter(m.W))))(t)
	err := paddle.Save(filepath.Join(t.TempDir(), "m"), m)
	if err == nil || !strings.Contains(err.Error(), "w: this process holds the rows 1 to 2 of 4, want all") {
		t.Errorf("got %v, want an error: the rest of w would be lost", err)
	}
}

// Every element type comes back as it was.
func TestEveryTypeIsSaved(t *testing.T) {
	type model struct{ V []*op.Variable }
	types := []op.DType{op.Float32, op.Float64, op.BFloat16, op.Float16, op.Int32, op.Int64, op.Uint8, op.Bool}
	fresh := func() *model {
		m := &model{}
		for range types {
			m.V = append(m.V, new(op.Variable))
		}
		return m
	}
	m := fresh()
	for i, d := range types {
		b := op.NewBuffer(d, 2, 0, 3)
		if i%2 == 0 {
			b = op.NewBuffer(d, 3)
		}
		for k := range b.Bytes() {
			b.Bytes()[k] = byte(k % 2)
		}
		must(0, m.V[i].Assign(b))(t)
	}
	path := filepath.Join(t.TempDir(), "m")
	must(0, paddle.Save(path, m))(t) // loaded values that no program uses yet are values
	other := fresh()
	must(0, paddle.Load(path, other))(t)
	sameValues(t, values(t, other), values(t, m))
}
