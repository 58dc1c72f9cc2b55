package datasets_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"paddle/datasets"
)

// numbered is a corpus of texts of the given lengths; text i consists of the word wi and has label i modulo 3.
func numbered(t testing.TB, lengths ...int) *datasets.Corpus {
	t.Helper()
	var records []datasets.Text
	for i, n := range lengths {
		x := datasets.Text{Label: int32(i % 3)}
		for range n {
			x.Text += fmt.Sprintf("w%d ", i)
		}
		records = append(records, x)
	}
	texts, err := datasets.NewTexts(records, nil)
	if err != nil {
		t.Fatal(err)
	}
	words, err := datasets.NewVocabulary(texts.Strings(), datasets.VocabularyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := texts.Encode(words, datasets.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCorpusBatches(t *testing.T) {
	c := numbered(t, 2, 0, 3, 1)
	if got := c.Lengths(); !slices.Equal(got, []int{2, 0, 3, 1}) {
		t.Errorf("lengths %v", got)
	}
	batches, err := datasets.Collect(c.InOrder(datasets.CorpusFeeds{Tokens: "words", Labels: "label"}, datasets.LengthOptions{Size: 3}))
	if err != nil || len(batches) != 2 {
		t.Fatalf("%d batches, error %v", len(batches), err)
	}
	for k, want := range []struct{ words, lengths, labels []int32 }{
		{slices.Concat(c.Tokens(0), c.Tokens(2)), []int32{2, 0, 3}, []int32{0, 1, 2}},
		{c.Tokens(3), []int32{1}, []int32{0}},
	} {
		f := batches[k]
		for name, w := range map[string][]int32{"words": want.words, "words.lengths": want.lengths, "label": want.labels} {
			if got := f[name].Data(); !reflect.DeepEqual(got, w) || len(f[name].Shape()) != 1 {
				t.Errorf("batch %d: %s is %v, want %v", k, name, got, w)
			}
		}
	}
}

func TestCorpusWithoutLabelsOrName(t *testing.T) {
	c := numbered(t, 1)
	batches, err := datasets.Collect(c.InOrder(datasets.CorpusFeeds{Tokens: "words"}, datasets.LengthOptions{Size: 3}))
	if err != nil || len(batches) != 1 || len(batches[0]) != 2 {
		t.Errorf("%v, error %v, want words and their lengths", batches, err)
	}
	_, err = datasets.Collect(c.Shuffled(datasets.CorpusFeeds{}, 1, datasets.LengthOptions{Size: 3})(0))
	if want := "datasets.CorpusFeeds: Tokens is empty, want the name of an input"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err = datasets.Collect(c.Shuffled(datasets.CorpusFeeds{Tokens: "x"}, 1, datasets.LengthOptions{})(0)); err == nil {
		t.Error("no limit is no error")
	}
}

func ExampleCorpus_Shuffled() {
	texts, _ := datasets.NewTexts([]datasets.Text{{Text: "so good", Label: 1}, {Text: "bad"}, {Text: "very very bad"}}, []string{"neg", "pos"})
	words, _ := datasets.NewVocabulary(texts.Strings(), datasets.VocabularyOptions{})
	corpus, _ := texts.Encode(words, datasets.EncodeOptions{})
	epoch := corpus.Shuffled(datasets.CorpusFeeds{Tokens: "words", Labels: "label"}, 1, datasets.LengthOptions{Tokens: 4})
	for feeds, err := range epoch(0) {
		fmt.Println(feeds["words.lengths"].Data(), feeds["label"].Data(), err)
	}
	// Output:
	// [1 3] [0 0] <nil>
	// [2] [1] <nil>
}
