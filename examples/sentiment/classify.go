package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"paddle"
	"paddle/datasets"
	"paddle/op"
	"paddle/sequence"
)

// classify loads what a training saved and says of each text whether it is positive.
func classify(ctx context.Context, o options, texts []string, w io.Writer) error {
	began := time.Now()
	words, err := datasets.LoadVocabulary(o.vocabularyFile())
	if err != nil {
		return err
	}
	net, err := newModel(o.model, words.Len())
	if err != nil {
		return err
	}
	if err := paddle.Load(o.modelFile(), net); err != nil {
		return err
	}
	logits, _ := build(op.NewGraph(net), net)
	p, err := paddle.NewPredictor(op.Softmax(logits))
	if err != nil {
		return err
	}
	rows := make([][]int32, len(texts))
	for i, text := range texts {
		rows[i] = words.Encode(text)
	}
	batch, err := sequence.NewBatch(rows)
	if err != nil {
		return err
	}
	loaded := time.Since(began)
	began = time.Now()
	out, err := p.Predict(ctx, batch.Feeds(wordsInput))
	if err != nil {
		return err
	}
	for i, text := range texts {
		negative, positive := out[0].Float32s()[2*i], out[0].Float32s()[2*i+1]
		verdict := "negative"
		if positive > negative {
			verdict = "positive"
		}
		fmt.Fprintf(w, "%s %.1f %%: %s\n", verdict, 100*math.Max(float64(negative), float64(positive)), text)
	}
	fmt.Fprintf(w, "loaded in %v, classified in %v\n", loaded.Round(time.Millisecond), time.Since(began).Round(10*time.Microsecond))
	return nil
}
