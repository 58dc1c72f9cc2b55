package datasets

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
)

func vocabularyOf(t *testing.T, o VocabularyOptions, texts ...string) *Vocabulary {
	t.Helper()
	v, err := NewVocabulary(FromSlice(texts), o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// entries returns the tokens with their counts, by id.
func entriesOf(v *Vocabulary) (all []entry) {
	for id := range int32(v.Len()) {
		all = append(all, entry{v.Token(id), v.Count(id)})
	}
	return all
}

func TestVocabulary(t *testing.T) {
	texts := []string{"b a C a", "c, a b d", "E"} // a 3, b 2, c 2, "," 1, d 1, e 1
	for _, test := range []struct {
		name    string
		o       VocabularyOptions
		unknown int32
		want    []entry
	}{
		{"all", VocabularyOptions{}, 0,
			[]entry{{"<unk>", 0}, {"a", 3}, {"b", 2}, {"c", 2}, {",", 1}, {"d", 1}, {"e", 1}}},
		{"size", VocabularyOptions{MaxSize: 3}, 0,
			[]entry{{"<unk>", 5}, {"a", 3}, {"b", 2}}},
		{"count", VocabularyOptions{MinCount: 2}, 0,
			[]entry{{"<unk>", 3}, {"a", 3}, {"b", 2}, {"c", 2}}},
		{"reserved", VocabularyOptions{MaxSize: 5, MinCount: 2, Reserved: []string{"<pad>", "b"}, Unknown: "?"}, 2,
			[]entry{{"<pad>", 0}, {"b", 2}, {"?", 3}, {"a", 3}, {"c", 2}}},
		{"only reserved", VocabularyOptions{MaxSize: 2, Reserved: []string{"d"}}, 1,
			[]entry{{"d", 1}, {"<unk>", 9}}},
		{"tokenizer", VocabularyOptions{Tokenizer: Tokenizer{KeepCase: true, DropPunctuation: true}}, 0,
			[]entry{{"<unk>", 0}, {"a", 3}, {"b", 2}, {"C", 1}, {"E", 1}, {"c", 1}, {"d", 1}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := vocabularyOf(t, test.o, texts...)
			same(t, "entries", entriesOf(v), test.want)
			if v.Unknown() != test.unknown || v.Tokenizer() != test.o.Tokenizer {
				t.Errorf("unknown id %d and tokenizer %+v", v.Unknown(), v.Tokenizer())
			}
			for id, e := range test.want {
				if got, ok := v.Lookup(e.token); got != int32(id) || !ok || v.ID(e.token) != got {
					t.Errorf("%q has the id %d, %t, want %d", e.token, got, ok, id)
				}
			}
		})
	}
}

// TestVocabularyIgnoresTheOrderOfTexts: ties go by the token.
func TestVocabularyIgnoresTheOrderOfTexts(t *testing.T) {
	texts := []string{"z y x", "x w v", "u t s r q p", "x"}
	o := VocabularyOptions{MaxSize: 5}
	want := entriesOf(vocabularyOf(t, o, texts...))
	same(t, "tokens", want, []entry{{"<unk>", 7}, {"x", 3}, {"p", 1}, {"q", 1}, {"r", 1}})
	slices.Reverse(texts)
	same(t, "in the other order", entriesOf(vocabularyOf(t, o, texts...)), want)
}

func TestVocabularyEncode(t *testing.T) {
	v := vocabularyOf(t, VocabularyOptions{Reserved: []string{"<pad>"}}, "the film, the Film the")
	// <pad> 0, <unk> 1, the 2, film 3, "," 4
	same(t, "ids", v.Encode("THE best film, the"), []int32{2, 1, 3, 4, 2})
	same(t, "appended", v.Append([]int32{9}, "film"), []int32{9, 3})
	same(t, "nothing", v.Encode(" "), nil)
	same(t, "a long word", v.Encode(strings.Repeat("A", 1000)+" Film"), []int32{1, 3})
	if v.ID("Film") != 1 || v.ID("<pad>") != 0 || v.ID("") != 1 {
		t.Errorf("ids %d, %d, %d", v.ID("Film"), v.ID("<pad>"), v.ID(""))
	}
	if _, ok := v.Lookup("Film"); ok {
		t.Error("Film was found, but only film is there")
	}
	for _, id := range []int32{-1, 5, 1 << 30} {
		if v.Token(id) != "" || v.Count(id) != 0 {
			t.Errorf("id %d is %q, %d times", id, v.Token(id), v.Count(id))
		}
	}
	ids := make([]int32, 0, 1000)
	text := strings.Repeat("The best Film, THE end. ", 40)
	if n := testing.AllocsPerRun(20, func() { ids = v.Append(ids[:0], text) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func TestVocabularyOfTokens(t *testing.T) {
	tokens := strings.Split("New York|is|New York|Is", "|")
	v, err := VocabularyOfTokens(slices.Values(tokens), VocabularyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "entries", entriesOf(v), []entry{{"<unk>", 0}, {"New York", 2}, {"Is", 1}, {"is", 1}})
	_, err = VocabularyOfTokens(slices.Values([]string{"a", ""}), VocabularyOptions{})
	contains(t, err, "datasets.VocabularyOfTokens: a token is empty")
	_, err = VocabularyOfTokens(nil, VocabularyOptions{})
	contains(t, err, "datasets.VocabularyOfTokens: there are no tokens")
}

func TestVocabularyErrors(t *testing.T) {
	for want, o := range map[string]VocabularyOptions{
		"MaxSize is -1 and MinCount 0, want at least 0":                    {MaxSize: -1},
		"MaxSize is 0 and MinCount -2, want at least 0":                    {MinCount: -2},
		"reserved name 1 is empty":                                         {Reserved: []string{"a", ""}},
		`the name "a" is reserved twice`:                                   {Reserved: []string{"a", "a"}},
		`the name "<unk>" is reserved twice`:                               {Reserved: []string{"<unk>"}},
		"MaxSize is 2, less than the 2 reserved names and the unknown one": {MaxSize: 2, Reserved: []string{"a", "b"}},
	} {
		_, err := NewVocabulary(FromSlice([]string{"x"}), o)
		contains(t, err, "datasets.NewVocabulary: "+want)
	}
	_, err := NewVocabulary(nil, VocabularyOptions{})
	contains(t, err, "datasets.NewVocabulary: the reader is nil")
	broken := errors.New("broken")
	if _, err := NewVocabulary(failure[string](broken), VocabularyOptions{}); !errors.Is(err, broken) {
		t.Errorf("%v, want the reader's error", err)
	}
}

// TestVocabularyCounts compares with counts in a map.
func TestVocabularyCounts(t *testing.T) {
	text := strings.Repeat("It was the best of times, it was the worst of times; ", 3) + "WAS it? It was."
	want := map[string]int64{}
	for token := range (Tokenizer{}).Tokens(text) {
		want[token]++
	}
	v := vocabularyOf(t, VocabularyOptions{}, text)
	got := map[string]int64{}
	for id := range int32(v.Len()) {
		if id != v.Unknown() {
			got[v.Token(id)] = v.Count(id)
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
