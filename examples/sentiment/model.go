package main

import (
	"fmt"

	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// model maps the words of reviews (tokens) to logits (batch, 2).
type model interface {
	Forward(words *sequence.Node) *op.Node
}

// newModel returns the network of that name for a vocabulary of so many words.
func newModel(name string, words int) (model, error) {
	switch name {
	case "lstm":
		return &LSTM{
			Words:  layer.Embedding{Vocabulary: words, Width: 128},
			Drop:   layer.Dropout{P: 0.5},
			LSTM:   layer.Bidirectional{FromStart: &layer.LSTM{Size: 64}, FromEnd: &layer.LSTM{Size: 64, Reverse: true}},
			Pooled: layer.Dropout{P: 0.5},
			Out:    layer.FC{Size: 2},
		}, nil
	case "cnn":
		conv := func(length int) *layer.SequenceConv {
			return &layer.SequenceConv{Filters: 100, Length: length, Valid: true, Act: op.ReLU}
		}
		return &CNN{
			Words:  layer.Embedding{Vocabulary: words, Width: 128},
			Drop:   layer.Dropout{P: 0.5},
			Convs:  layer.SequenceConvPool{Convs: []*layer.SequenceConv{conv(2), conv(3), conv(4)}},
			Pooled: layer.Dropout{P: 0.5},
			Out:    layer.FC{Size: 2},
		}, nil
	}
	return nil, fmt.Errorf("-model %q, want lstm or cnn", name)
}

// build makes the nodes of a model in g, and its inputs.
func build(g *op.Graph, net model) (logits, label *op.Node) {
	return net.Forward(sequence.Input(g, wordsInput, op.Int32)), g.Input(labelInput, op.Int32, op.Batch)
}

// LSTM reads a review word by word, from its start and from its end, and pools over what it kept in mind.
type LSTM struct {
	Words  layer.Embedding
	Drop   layer.Dropout
	LSTM   layer.Bidirectional
	Pooled layer.Dropout
	Out    layer.FC
}

// Forward implements model.
func (m *LSTM) Forward(words *sequence.Node) *op.Node {
	h := m.LSTM.Forward(words.TimeMajor().Map(m.Words.Forward).Map(m.Drop.Forward))
	return m.Out.Forward(m.Pooled.Forward(op.Concat(1, sequence.Max(h), sequence.Mean(h))))
}

// CNN looks for telling runs of two to four words anywhere in a review (Kim, 2014).
type CNN struct {
	Words  layer.Embedding
	Drop   layer.Dropout
	Convs  layer.SequenceConvPool
	Pooled layer.Dropout
	Out    layer.FC
}

// Forward implements model.
func (m *CNN) Forward(words *sequence.Node) *op.Node {
	return m.Out.Forward(m.Pooled.Forward(m.Convs.Forward(words.Map(m.Words.Forward).Map(m.Drop.Forward))))
}
