package paddle_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/datasets"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// Classifier tells three kinds of points apart.
type Classifier struct{ Hidden, Out layer.FC }

// NewClassifier returns a classifier without values.
func NewClassifier() *Classifier {
	return &Classifier{Hidden: layer.FC{Size: 16, Act: op.ReLU}, Out: layer.FC{Size: 3}}
}

// Forward maps points (batch, 2) to logits (batch, 3).
func (m *Classifier) Forward(point *op.Node) *op.Node { return m.Out.Forward(m.Hidden.Forward(point)) }

// NewServer builds the classifier's graph, loads its values from a file and returns what answers requests: the class of each point.
func NewServer(file string) (*paddle.Predictor, error) {
	net := NewClassifier()
	g := op.NewGraph(net)
	class := op.ArgMax(net.Forward(g.Input("point", op.Float32, op.Batch, 2)), -1)
	if err := paddle.Load(file, net); err != nil {
		return nil, err
	}
	return paddle.NewPredictor(class)
}

// A model is built, trained, tested, saved, and served by another part of the program.
func Example() {
	// Build.
	net := NewClassifier()
	g := op.NewGraph(net)
	g.Seed = 1
	point, label := g.Input("point", op.Float32, op.Batch, 2), g.Input("label", op.Int32, op.Batch)
	logits := net.Forward(point)
	loss := op.CrossEntropy(logits, label)

	// Compile.
	trainer, err := paddle.NewTrainer(loss, paddle.Adam{LearningRate: 0.01}, paddle.Track("accuracy", op.Accuracy(logits, label)))
	if err != nil {
		log.Fatal(err)
	}

	// Train.
	set, err := datasets.Blobs{Records: 400, Features: 2, Classes: 3, Seed: 1}.Set()
	if err != nil {
		log.Fatal(err)
	}
	training, _ := set.Slice(0, 300)
	testing, _ := set.Slice(300, 400)
	ctx := context.Background()
	_, err = trainer.Fit(ctx, training.Shuffled(1, datasets.BatchOptions{Size: 32, Live: 1}), paddle.FitOptions{Epochs: 10})
	if err != nil {
		log.Fatal(err)
	}
	result, err := trainer.Test(ctx, testing.InOrder(50))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("loss %.1f, accuracy %.1f on %v points\n", result.Loss, result.Metrics[0].Value, result.Count)

	// Save.
	file := filepath.Join(os.TempDir(), "classifier.safetensors")
	defer os.Remove(file)
	if err := paddle.Save(file, net); err != nil {
		log.Fatal(err)
	}

	// Serve.
	server, err := NewServer(file)
	if err != nil {
		log.Fatal(err)
	}
	answers, err := server.Predict(ctx, op.Feeds{
		"point": tensor.New(tensor.WithShape(2, 2), tensor.WithBacking([]float32{-0.5, -0.5, -0.4, 0.6})),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("classes", answers[0])
	// Output:
	// loss 0.0, accuracy 1.0 on 100 points
	// classes [0  2]
}

// A handler sees every step and epoch; here it ends the training once the validation is good enough.
func ExampleTrainer_Fit() {
	net := NewClassifier()
	g := op.NewGraph(net)
	point, label := g.Input("point", op.Float32, op.Batch, 2), g.Input("label", op.Int32, op.Batch)
	trainer, err := paddle.NewTrainer(op.CrossEntropy(net.Forward(point), label), paddle.Adam{LearningRate: 0.01}, paddle.ClipGlobalNorm(1))
	if err != nil {
		log.Fatal(err)
	}
	set, err := datasets.Blobs{Records: 300, Features: 2, Classes: 3}.Set()
	if err != nil {
		log.Fatal(err)
	}
	skipped := 0
	handler := func(e paddle.Event) error {
		switch e := e.(type) {
		case *paddle.EndStep:
			if !e.Step.Applied {
				skipped++ // e.Step.NonFinite says which parameter had a gradient that is not finite
			}
		case *paddle.EndEpoch:
			if e.Validation.Loss < 0.3 {
				return paddle.Stop
			}
		}
		return nil
	}
	history, err := trainer.Fit(context.Background(), set.Shuffled(1, datasets.BatchOptions{Size: 30}), paddle.FitOptions{
		Epochs: 100, Validate: set.InOrder(100), Handler: handler,
	})
	if err != nil {
		log.Fatal(err)
	}
	last := history.Epochs[len(history.Epochs)-1]
	fmt.Printf("good enough before epoch 20: %v, loss falls: %v, steps skipped: %d\n",
		len(history.Epochs) < 20, last.Train.Loss < history.Epochs[0].Train.Loss, skipped)
	// Output: good enough before epoch 20: true, loss falls: true, steps skipped: 0
}

// newClassifierTrainer is what a program does at its start, whether it begins a training or goes on with one.
func newClassifierTrainer() (*paddle.Trainer, error) {
	net := NewClassifier()
	g := op.NewGraph(net)
	point, label := g.Input("point", op.Float32, op.Batch, 2), g.Input("label", op.Int32, op.Batch)
	return paddle.NewTrainer(op.CrossEntropy(net.Forward(point), label), paddle.Momentum{LearningRate: 0.1})
}

// A training that is broken off goes on in another process where it stopped, in the middle of an epoch, and gives the same bits as one that
// was not.
func ExampleTrainer_Load() {
	set, err := datasets.Blobs{Records: 100, Features: 2, Classes: 3}.Set()
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	train := set.Shuffled(1, datasets.BatchOptions{Size: 10}) // an order for each epoch, the same every time
	checkpoint := filepath.Join(os.TempDir(), "checkpoint.safetensors")
	defer os.Remove(checkpoint)

	first, err := newClassifierTrainer()
	if err != nil {
		log.Fatal(err)
	}
	ctx1, interrupt := context.WithCancel(ctx)
	_, err = first.Fit(ctx1, train, paddle.FitOptions{Epochs: 3, Checkpoint: checkpoint, Handler: func(e paddle.Event) error {
		if e, ok := e.(*paddle.EndStep); ok && e.Epoch == 1 && e.Batch == 3 {
			interrupt()
		}
		return nil
	}})
	fmt.Println(err)

	second, err := newClassifierTrainer()
	if err != nil {
		log.Fatal(err)
	}
	if err := second.Load(checkpoint); err != nil {
		log.Fatal(err)
	}
	epoch, batch := second.Position()
	fmt.Printf("goes on at epoch %d, batch %d, after %d updates\n", epoch, batch, second.Updates())
	resumed, err := second.Fit(ctx, train, paddle.FitOptions{Epochs: 3})
	if err != nil {
		log.Fatal(err)
	}

	third, err := newClassifierTrainer()
	if err != nil {
		log.Fatal(err)
	}
	whole, err := third.Fit(ctx, train, paddle.FitOptions{Epochs: 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same loss:", resumed.Epochs[1].Train.Loss == whole.Epochs[2].Train.Loss)
	// Output:
	// paddle.Trainer.Fit: epoch 1, batch 4: context canceled
	// goes on at epoch 1, batch 4, after 14 updates
	// the same loss: true
}

// The body of a network is taken over from a file, and its last layer, which has another size here, starts anew.
func ExampleLoadPartial() {
	old, file := NewClassifier(), filepath.Join(os.TempDir(), "old.safetensors")
	defer os.Remove(file)
	if _, err := paddle.NewPredictor(old.Forward(op.NewGraph(old).Input("point", op.Float32, op.Batch, 2))); err != nil {
		log.Fatal(err)
	}
	if err := paddle.Save(file, old); err != nil {
		log.Fatal(err)
	}
	net := NewClassifier()
	net.Out.Size = 5
	logits := net.Forward(op.NewGraph(net).Input("point", op.Float32, op.Batch, 2))
	differences, err := paddle.LoadPartial(file, net)
	fmt.Println(differences, err)
	_, err = paddle.NewPredictor(logits)
	fmt.Println(logits.ShapeString(), err)
	// Output:
	// out.weight is float32 (16, 3), want float32 (16, 5); out.bias is float32 (3,), want float32 (5,) <nil>
	// (batch, 5) <nil>
}

// Signum moves every weight by the learning rate against the sign of a running mean of its gradient: m ← β·m + (1−β)·g, w ← w − lr·sign(m)
// (Bernstein et al., 2018).
type Signum struct{ LearningRate, Beta float64 }

// Rate implements paddle.Optimizer.
func (o Signum) Rate(int64) float64 { return o.LearningRate }

// Build implements paddle.Optimizer. The mean is part of the trainer's checkpoints, under the name that it gets here.
func (o Signum) Build(t *op.TrainingGraph, rate, _ *op.Node) error {
	if !(o.LearningRate > 0) {
		return fmt.Errorf("learning rate %v, want more than 0", o.LearningRate)
	}
	for _, p := range t.Gradients {
		mean := t.Variable("mean."+p.Name, p.Parameter.DType(), nil, p.Parameter.Shape()...)
		next := op.Add(op.MulConst(mean, o.Beta), op.MulConst(op.Densify(p.Gradient), 1-o.Beta))
		op.UpdateSGD(t.Apply, p.Node, op.Sign(next), rate)
		op.Assign(t.Apply, mean, next)
	}
	return nil
}

// An optimizer of one's own is built from the gradients, state and the update ops.
func ExampleOptimizer() {
	net := NewClassifier()
	g := op.NewGraph(net)
	point, label := g.Input("point", op.Float32, op.Batch, 2), g.Input("label", op.Int32, op.Batch)
	trainer, err := paddle.NewTrainer(op.CrossEntropy(net.Forward(point), label), Signum{LearningRate: 0.01, Beta: 0.9})
	if err != nil {
		log.Fatal(err)
	}
	set, err := datasets.Blobs{Records: 300, Features: 2, Classes: 3}.Set()
	if err != nil {
		log.Fatal(err)
	}
	history, err := trainer.Fit(context.Background(), set.Shuffled(1, datasets.BatchOptions{Size: 30}), paddle.FitOptions{Epochs: 10})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("loss after %d updates: %.1f\n", trainer.Updates(), history.Epochs[9].Train.Loss)
	// Output: loss after 100 updates: 0.0
}

// Reader tells texts apart, of any lengths: their words are ids.
type Reader struct {
	Words layer.Embedding
	LSTM  layer.LSTM
	Out   layer.FC
}

// NewReader returns a reader without values.
func NewReader() *Reader {
	return &Reader{
		Words: layer.Embedding{Vocabulary: 1000, Width: 16},
		LSTM:  layer.LSTM{Size: 16},
		Out:   layer.FC{Size: 2},
	}
}

// Forward maps words (tokens), those of all texts one after another, to logits (batch, 2).
func (m *Reader) Forward(words *sequence.Node) *op.Node {
	h := m.LSTM.Forward(words.Map(m.Words.Forward)) // (tokens, 16)
	return m.Out.Forward(sequence.Max(h))           // one row a text
}

// Texts become words, a vocabulary numbers them, and both the model and the vocabulary are saved, for whoever classifies further texts.
func Example_texts() {
	dir, err := os.MkdirTemp("", "texts")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	// Train.
	texts, err := datasets.Tabbed{}.Read(strings.NewReader("dull\tA dull film.\nfine\tFine, a fine film!\ndull\tOh so dull\nfine\tSo fine"))
	if err != nil {
		log.Fatal(err)
	}
	words, err := datasets.NewVocabulary(texts.Strings(), datasets.VocabularyOptions{})
	if err != nil {
		log.Fatal(err)
	}
	corpus, err := texts.Encode(words, datasets.EncodeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	net := NewReader()
	g := op.NewGraph(net)
	g.Seed = 1
	logits := net.Forward(sequence.Input(g, "words", op.Int32))
	trainer, err := paddle.NewTrainer(op.CrossEntropy(logits, g.Input("label", op.Int32, op.Batch)), paddle.Adam{LearningRate: 0.05})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	batches := corpus.Shuffled(datasets.CorpusFeeds{Tokens: "words", Labels: "label"}, 1, datasets.LengthOptions{Size: 2})
	if _, err := trainer.Fit(ctx, batches, paddle.FitOptions{Epochs: 20}); err != nil {
		log.Fatal(err)
	}
	if err := paddle.Save(filepath.Join(dir, "reader.safetensors"), net); err != nil {
		log.Fatal(err)
	}
	if err := words.Save(filepath.Join(dir, "reader.words")); err != nil {
		log.Fatal(err)
	}

	// Classify.
	words, err = datasets.LoadVocabulary(filepath.Join(dir, "reader.words"))
	if err != nil {
		log.Fatal(err)
	}
	net = NewReader()
	class := op.ArgMax(net.Forward(sequence.Input(op.NewGraph(net), "words", op.Int32)), -1)
	if err := paddle.Load(filepath.Join(dir, "reader.safetensors"), net); err != nil {
		log.Fatal(err)
	}
	reader, err := paddle.NewPredictor(class)
	if err != nil {
		log.Fatal(err)
	}
	further, err := sequence.NewBatch([][]int32{words.Encode("FINE."), words.Encode("a dull, dull plot")})
	if err != nil {
		log.Fatal(err)
	}
	answers, err := reader.Predict(ctx, further.Feeds("words"))
	if err != nil {
		log.Fatal(err)
	}
	for _, class := range answers[0].Int32s() {
		fmt.Println(texts.Labels()[class])
	}
	// Output:
	// fine
	// dull
}

// Sequences are fed as the rows of all samples and their lengths; nothing is padded.
func Example_sequences() {
	net := NewReader()
	g := op.NewGraph(net)
	g.Seed = 1
	words, label := sequence.Input(g, "words", op.Int32), g.Input("label", op.Int32, op.Batch)
	logits := net.Forward(words)
	trainer, err := paddle.NewTrainer(op.CrossEntropy(logits, label), paddle.Adam{LearningRate: 0.05})
	if err != nil {
		log.Fatal(err)
	}
	texts := [][]int32{{5, 3, 7, 2}, {4}, {2, 2, 9, 4, 1, 3}, {7, 1}, {}} // those with the word 7 belong to class 1
	batch, err := sequence.NewBatch(texts)
	if err != nil {
		log.Fatal(err)
	}
	feeds := batch.Feeds("words")
	feeds["label"] = tensor.New(tensor.WithBacking([]int32{1, 0, 0, 1, 0}))
	for range 50 {
		if _, err := trainer.Step(context.Background(), feeds); err != nil {
			log.Fatal(err)
		}
	}
	predictor, err := paddle.NewPredictor(op.ArgMax(logits, -1))
	if err != nil {
		log.Fatal(err)
	}
	class, err := predictor.Predict(context.Background(), feeds)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(class[0].Data())
	// Output: [1 0 0 1 0]
}
