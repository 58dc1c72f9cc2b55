package main

import (
	"context"
	"fmt"
	"iter"

	"paddle"
	"paddle/op"
)

// confusion counts messages by what they are and what they were called.
type confusion struct{ spamAsSpam, spamAsHam, hamAsSpam, hamAsHam int }

// classify counts over batches that have labels.
func classify(ctx context.Context, logits *op.Node, batches iter.Seq2[op.Feeds, error]) (c confusion, err error) {
	p, err := paddle.NewPredictor(op.ArgMax(logits, -1))
	if err != nil {
		return c, err
	}
	for feeds, err := range batches {
		if err != nil {
			return c, err
		}
		out, err := p.Predict(ctx, feeds)
		if err != nil {
			return c, err
		}
		for i, called := range out[0].Int32s() {
			c.add(feeds["label"].Int32s()[i] == 1, called == 1)
		}
	}
	return c, nil
}

func (c *confusion) add(is, called bool) {
	switch {
	case is && called:
		c.spamAsSpam++
	case is:
		c.spamAsHam++
	case called:
		c.hamAsSpam++
	default:
		c.hamAsHam++
	}
}

// precision is the fraction of the messages called spam that are, recall the fraction of spam that was called so.
func (c confusion) precision() float64 { return ratio(c.spamAsSpam, c.spamAsSpam+c.hamAsSpam) }
func (c confusion) recall() float64    { return ratio(c.spamAsSpam, c.spamAsSpam+c.spamAsHam) }
func (c confusion) accuracy() float64 {
	return ratio(c.spamAsSpam+c.hamAsHam, c.spamAsSpam+c.spamAsHam+c.hamAsSpam+c.hamAsHam)
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// String returns the counts and what follows from them.
func (c confusion) String() string {
	return fmt.Sprintf("held-out messages: %d spam found, %d spam missed, %d others called spam, %d others\nspam: precision %.1f %%, recall %.1f %%; accuracy %.2f %%",
		c.spamAsSpam, c.spamAsHam, c.hamAsSpam, c.hamAsHam, 100*c.precision(), 100*c.recall(), 100*c.accuracy())
}
