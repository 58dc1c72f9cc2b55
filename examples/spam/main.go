// Command spam learns to tell spam from other text messages on the SMS Spam Collection (Almeida and Gómez Hidalgo, 2011), a file of lines
// of "ham" or "spam", a tab and the message, and says how many of the held-out spam messages it finds (recall) and how many of
// those that it calls spam are (precision):
//
//	go run ./examples/spam -data sms.tsv
//	go run ./examples/spam -tiny             messages made here: needs no data
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"

	"paddle"
	"paddle/datasets"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

type options struct {
	data   string
	epochs int
	seed   uint64
	tiny   bool
}

func main() {
	var o options
	flag.StringVar(&o.data, "data", "", "file of labelled messages")
	flag.IntVar(&o.epochs, "epochs", 6, "passes over the training messages")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the weights, the dropout, the order and the choice of held-out messages")
	flag.BoolVar(&o.tiny, "tiny", false, "make messages here instead of reading a file")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "spam: argument %q, want flags only: see -help\n", flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	found, err := run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "spam:", err)
		os.Exit(1)
	}
	fmt.Println(found)
}

// network reads a message in both directions and pools over its words.
type network struct {
	Words layer.Embedding
	Drop  layer.Dropout
	Walk  layer.Bidirectional
	Out   layer.FC
}

func newNetwork(words int) *network {
	return &network{
		Words: layer.Embedding{Vocabulary: words, Width: 64},
		Drop:  layer.Dropout{P: 0.3},
		Walk:  layer.Bidirectional{FromStart: &layer.GRU{Size: 32}, FromEnd: &layer.GRU{Size: 32, Reverse: true}},
		Out:   layer.FC{Size: 2},
	}
}

// Forward maps the words of messages (tokens) to logits (batch, 2).
func (n *network) Forward(words *sequence.Node) *op.Node {
	h := n.Walk.Forward(words.TimeMajor().Map(n.Words.Forward).Map(n.Drop.Forward))
	return n.Out.Forward(n.Drop.Forward(sequence.Max(h)))
}

// run trains on four fifths of the messages and returns how the others were classified.
func run(ctx context.Context, o options) (confusion, error) {
	messages, err := load(o)
	if err != nil {
		return confusion{}, err
	}
	train, test, err := messages.Split(0.8, o.seed)
	if err != nil {
		return confusion{}, err
	}
	words, err := datasets.NewVocabulary(train.Strings(), datasets.VocabularyOptions{MinCount: 2})
	if err != nil {
		return confusion{}, err
	}
	trainWords, err := train.Encode(words, datasets.EncodeOptions{})
	if err != nil {
		return confusion{}, err
	}
	testWords, err := test.Encode(words, datasets.EncodeOptions{})
	if err != nil {
		return confusion{}, err
	}
	net := newNetwork(words.Len())
	g := op.NewGraph(net)
	g.Seed = o.seed
	logits := net.Forward(sequence.Input(g, "words", op.Int32))
	loss := op.CrossEntropy(logits, g.Input("label", op.Int32, op.Batch))
	trainer, err := paddle.NewTrainer(loss, paddle.Adam{LearningRate: 2e-3})
	if err != nil {
		return confusion{}, err
	}
	feeds := datasets.CorpusFeeds{Tokens: "words", Labels: "label"}
	batches := trainWords.Shuffled(feeds, o.seed, datasets.LengthOptions{Tokens: 1000, Pool: 1000})
	if _, err := trainer.Fit(ctx, batches, paddle.FitOptions{Epochs: o.epochs, Progress: os.Stderr}); err != nil {
		return confusion{}, err
	}
	return classify(ctx, logits, testWords.InOrder(feeds, datasets.LengthOptions{Size: 500}))
}

func load(o options) (*datasets.Texts, error) {
	switch {
	case o.tiny:
		return tinyMessages(1000, 1)
	case o.data == "":
		return nil, fmt.Errorf("no file: give -data FILE, or -tiny")
	}
	return datasets.Tabbed{Labels: []string{"ham", "spam"}}.Load(o.data)
}

// tinyMessages makes messages.
func tinyMessages(n int, seed uint64) (*datasets.Texts, error) {
	r := rand.New(rand.NewPCG(seed, 0))
	words := [2][]string{
		strings.Fields("hi see you later at home ok thanks love the bus is late call me when free tonight sorry"),
		strings.Fields("win free prize call now claim your cash urgent text reply stop offer late tonight mobile"),
	}
	records := make([]datasets.Text, n)
	for i := range records {
		label := min(1, r.IntN(5)/4)
		var said []string
		for range 3 + r.IntN(12) {
			said = append(said, words[label][r.IntN(len(words[label]))])
		}
		records[i] = datasets.Text{Text: strings.Join(said, " "), Label: int32(label)}
	}
	return datasets.NewTexts(records, []string{"ham", "spam"})
}
