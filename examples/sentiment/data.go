package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"paddle/datasets"
)

// mostWords is the size of the vocabulary.
const mostWords = 20_000

// corpora are reviews as ids of words.
type corpora struct {
	words       *datasets.Vocabulary
	train, test *datasets.Corpus
}

// load reads the reviews and makes a vocabulary of those for training.
func load(ctx context.Context, o options) (*corpora, error) {
	train, test, err := texts(ctx, o)
	if err != nil {
		return nil, err
	}
	words, err := datasets.NewVocabulary(train.Strings(), datasets.VocabularyOptions{
		Tokenizer: datasets.Tokenizer{DropBreaks: true}, MaxSize: mostWords,
	})
	if err != nil {
		return nil, err
	}
	c := &corpora{words: words}
	if c.train, err = train.Encode(words, datasets.EncodeOptions{MaxTokens: o.cap}); err != nil {
		return nil, err
	}
	c.test, err = test.Encode(words, datasets.EncodeOptions{MaxTokens: o.cap})
	return c, err
}

func texts(ctx context.Context, o options) (train, test *datasets.Texts, err error) {
	if o.tiny {
		if train, err = tinyReviews(2000, 1); err != nil {
			return nil, nil, err
		}
		test, err = tinyReviews(500, 2)
		return train, test, err
	}
	imdb := datasets.IMDb{Dir: o.data}
	if packed, _ := filepath.Glob(filepath.Join(o.data, "*.tar.gz")); o.data != "" && len(packed) == 1 {
		imdb = datasets.IMDb{Archive: packed[0]} // under whatever name
	}
	if train, test, err = imdb.Load(ctx); err != nil {
		err = fmt.Errorf("%w; -tiny needs no data", err)
	}
	return train, test, err
}

// tinyReviews makes short reviews whose words alone do not tell what they mean: "not" turns the next judgement round.
func tinyReviews(n int, seed uint64) (*datasets.Texts, error) {
	r := rand.New(rand.NewPCG(seed, 0))
	pick := func(words string) string {
		all := strings.Fields(words)
		return all[r.IntN(len(all))]
	}
	records := make([]datasets.Text, n)
	for i := range records {
		var said []string
		label := int32(r.IntN(2))
		for range 1 + r.IntN(4) {
			word, not := "dull weak awful boring clumsy sad bad poor", ""
			turned := r.IntN(3) == 0
			if (label == 1) != turned {
				word = "great fine lovely clever moving funny good rich"
			}
			if turned {
				not = "not "
			}
			said = append(said, "the "+pick("film plot cast music ending script picture camera")+" was "+not+pick(word))
		}
		records[i] = datasets.Text{Text: strings.Join(said, " and ") + " .", Label: label}
	}
	return datasets.NewTexts(records, []string{"neg", "pos"})
}
