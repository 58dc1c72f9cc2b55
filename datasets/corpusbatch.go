package datasets

import (
	"fmt"
	"iter"

	"gorgonia.org/tensor"

	"paddle/op"
	"paddle/sequence"
)

// CorpusFeeds names what batches of a Corpus are fed as.
type CorpusFeeds struct {
	Tokens string // the sequence.Input of the ids
	Labels string // the input of the labels (batch) Int32; "" leaves them out
}

// InOrder reads the texts in batches, in order, or with o.Pool sorted by length within each pool: for evaluation and prediction.
func (c *Corpus) InOrder(f CorpusFeeds, o LengthOptions) iter.Seq2[op.Feeds, error] {
	return c.feeds(f, LengthBatches(c.Lengths(), o))
}

// Shuffled is the corpus in batches for training: every epoch has each text once, in an order drawn from seed and the epoch.
func (c *Corpus) Shuffled(f CorpusFeeds, seed uint64, o LengthOptions) Epochs[op.Feeds] {
	batches := ShuffledLengthBatches(c.Lengths(), seed, o)
	return func(epoch int) iter.Seq2[op.Feeds, error] { return c.feeds(f, batches(epoch)) }
}

// Lengths returns how many tokens each text has.
func (c *Corpus) Lengths() []int {
	lengths := make([]int, c.Len())
	start := 0
	for i, end := range c.ends {
		lengths[i], start = end-start, end
	}
	return lengths
}

// feeds turns indices of texts into feeds.
func (c *Corpus) feeds(f CorpusFeeds, batches iter.Seq2[[]int, error]) iter.Seq2[op.Feeds, error] {
	if f.Tokens == "" {
		return failed[op.Feeds]("datasets.CorpusFeeds: Tokens is empty, want the name of an input")
	}
	return func(yield func(op.Feeds, error) bool) {
		for texts, err := range batches {
			if err != nil {
				yield(nil, err)
				return
			}
			feeds, err := c.batch(f, texts)
			if !yield(feeds, err) || err != nil {
				return
			}
		}
	}
}

func (c *Corpus) batch(f CorpusFeeds, texts []int) (op.Feeds, error) {
	rows, labels := make([][]int32, len(texts)), make([]int32, len(texts))
	for k, i := range texts {
		rows[k], labels[k] = c.Tokens(i), c.Label(i)
	}
	b, err := sequence.NewBatch(rows)
	if err != nil {
		return nil, fmt.Errorf("datasets.Corpus: %w", err)
	}
	feeds := b.Feeds(f.Tokens)
	if f.Labels != "" {
		feeds[f.Labels] = tensor.New(tensor.WithShape(len(labels)), tensor.WithBacking(labels))
	}
	return feeds, nil
}
