package datasets

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCorpus(t *testing.T) {
	texts, err := NewTexts([]Text{{"the film", 1}, {"", 0}, {"the the best, film", 2}, {"?", 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := vocabularyOf(t, VocabularyOptions{Reserved: []string{"<s>", "</s>"}, MinCount: 2}, "the film the film the")
	// <s> 0, </s> 1, <unk> 2, the 3, film 4
	for _, test := range []struct {
		name string
		o    EncodeOptions
		want [][]int32
	}{
		{"all", EncodeOptions{}, [][]int32{{3, 4}, {}, {3, 3, 2, 2, 4}, {2}}},
		{"the first", EncodeOptions{MaxTokens: 2}, [][]int32{{3, 4}, {}, {3, 3}, {2}}},
		{"begin and end", EncodeOptions{MaxTokens: 1, Begin: "<s>", End: "</s>"}, [][]int32{{0, 3, 1}, {0, 1}, {0, 3, 1}, {0, 2, 1}}},
		{"end", EncodeOptions{End: "film"}, [][]int32{{3, 4, 4}, {4}, {3, 3, 2, 2, 4, 4}, {2, 4}}},
	} {
		c, err := texts.Encode(v, test.o)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for i, want := range test.want {
			same(t, test.name, c.Tokens(i), want)
			size += len(want)
		}
		if c.Len() != 4 || c.Size() != size || c.Label(0) != 1 || c.Label(1) != 0 || c.Label(2) != 2 {
			t.Errorf("%s: %d texts of %d tokens, labels %v", test.name, c.Len(), c.Size(), c.labels)
		}
	}
}

func TestCorpusOutside(t *testing.T) {
	texts, _ := NewTexts([]Text{{"a b", 0}, {"c", 1}}, nil)
	c, err := texts.Encode(vocabularyOf(t, VocabularyOptions{}, "a"), EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{-1, 2, math.MaxInt} {
		if c.Tokens(i) != nil || c.Label(i) != -1 {
			t.Errorf("text %d has tokens %v and label %d", i, c.Tokens(i), c.Label(i))
		}
	}
	_ = append(c.Tokens(0), 99)
	same(t, "the text behind one that was appended to", c.Tokens(1), []int32{0})

	empty, err := (&Texts{}).Encode(vocabularyOf(t, VocabularyOptions{}), EncodeOptions{})
	if err != nil || empty.Len() != 0 || empty.Size() != 0 || empty.Tokens(0) != nil {
		t.Errorf("no texts: %v", err)
	}
}

func TestEncodeErrors(t *testing.T) {
	texts, _ := NewTexts([]Text{{"a", 0}}, nil)
	v := vocabularyOf(t, VocabularyOptions{}, "a")
	_, err := texts.Encode(nil, EncodeOptions{})
	contains(t, err, "datasets.Texts.Encode: the vocabulary is nil")
	_, err = texts.Encode(v, EncodeOptions{MaxTokens: -1})
	contains(t, err, "MaxTokens is -1, want at least 0")
	_, err = texts.Encode(v, EncodeOptions{Begin: "a", End: "</s>"})
	contains(t, err, `"</s>" is not in the vocabulary`)
}

// TestCorpusIsCompact: many texts are what each is alone, in few allocations.
func TestCorpusIsCompact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	records := make([]Text, 5000)
	for i := range records {
		records[i].Text = strings.Repeat("Some words, ", rng.IntN(40))
	}
	texts, _ := NewTexts(records, nil)
	v := vocabularyOf(t, VocabularyOptions{}, "some")
	var c *Corpus
	allocations := testing.AllocsPerRun(1, func() { c, _ = texts.Encode(v, EncodeOptions{}) })
	if allocations > 40 {
		t.Errorf("%v allocations for %d texts", allocations, len(records))
	}
	for i, x := range records {
		same(t, "tokens", c.Tokens(i), v.Encode(x.Text))
	}
	if cap(c.tokens) > 2*len(c.tokens) {
		t.Errorf("room for %d tokens, %d used", cap(c.tokens), len(c.tokens))
	}
}
