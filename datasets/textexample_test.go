package datasets_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"

	"paddle/datasets"
)

// Reviews become rows of ids: a vocabulary of the training texts, with a padding id, numbers those of all sets.
func ExampleTexts() {
	reviews, err := datasets.NewTexts([]datasets.Text{
		{Text: "A fine film, a very fine film.", Label: 1},
		{Text: "Dull. Very, very dull!", Label: 0},
		{Text: "Fine.", Label: 1},
		{Text: "Not a film: a bore.", Label: 0},
	}, []string{"neg", "pos"})
	if err != nil {
		fmt.Println(err)
		return
	}
	train, valid, err := reviews.Split(0.75, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	words, err := datasets.NewVocabulary(train.Strings(), datasets.VocabularyOptions{MaxSize: 8, Reserved: []string{"<pad>"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	corpus, err := train.Encode(words, datasets.EncodeOptions{MaxTokens: 6})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range corpus.Len() {
		fmt.Println(reviews.Labels()[corpus.Label(i)], corpus.Tokens(i))
	}
	for x := range valid.InOrder() {
		fmt.Printf("%q %d\n", x.Text, words.Encode(x.Text))
	}
	// Output:
	// pos [2 5 4 6 2 1]
	// pos [5 3]
	// neg [1 2 4 7 2 1]
	// "Dull. Very, very dull!" [1 3 1 6 1 1 1]
}

func ExampleTokenizer() {
	const text = "Don't stop, Zoë!<br />Ça va? 我爱Go 👍🏽"
	for _, t := range []datasets.Tokenizer{{}, {DropBreaks: true}, {DropBreaks: true, DropPunctuation: true, KeepCase: true}} {
		fmt.Println(strings.Join(slices.Collect(t.Tokens(text)), "  "))
	}
	// Output:
	// don't  stop  ,  zoë  !  <  br  /  >  ça  va  ?  我  爱  go  👍🏽
	// don't  stop  ,  zoë  !  ça  va  ?  我  爱  go  👍🏽
	// Don't  stop  Zoë  Ça  va  我  爱  Go
}

// A vocabulary is saved beside the model; a program that loads it encodes texts in the same way.
func ExampleVocabulary() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "words.txt")

	texts := datasets.FromSlice([]string{"the cat sat", "the <br />cat"})
	words, err := datasets.NewVocabulary(texts, datasets.VocabularyOptions{Tokenizer: datasets.Tokenizer{DropBreaks: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := words.Save(path); err != nil {
		fmt.Println(err)
		return
	}
	loaded, err := datasets.LoadVocabulary(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(loaded.Len(), loaded.Encode("The dog<br />sat"), loaded.Token(1))
	loaded.WriteTo(os.Stdout)
	// Output:
	// 4 [2 0 3] cat
	// paddle vocabulary 1
	// tokenizer KeepCase=false DropPunctuation=false DropBreaks=true
	// unknown 0
	// tokens 4
	// <unk>	0
	// cat	2
	// the	2
	// sat	1
}

// Names of places are one token each, for the program cuts the texts itself.
func ExampleVocabularyOfTokens() {
	places := slices.Values([]string{"New York", "Paris", "New York", "Lima"})
	v, err := datasets.VocabularyOfTokens(places, datasets.VocabularyOptions{MinCount: 2, Unknown: "elsewhere"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, place := range []string{"New York", "Lima"} {
		fmt.Println(place, v.ID(place), v.Token(v.ID(place)))
	}
	// Output:
	// New York 1 New York
	// Lima 0 elsewhere
}

func ExampleTabbed() {
	const messages = "ham\tSee you at six\r\nspam\tYou have WON\r\n"
	texts, err := datasets.Tabbed{}.Read(strings.NewReader(messages))
	if err != nil {
		fmt.Println(err)
		return
	}
	for x := range texts.InOrder() {
		fmt.Printf("%d %s: %s\n", x.Label, texts.Labels()[x.Label], x.Text)
	}
	_, err = datasets.Tabbed{Labels: texts.Labels()}.Read(strings.NewReader("ham\tHi\neggs\tHo\n"))
	fmt.Println(err)
	// Output:
	// 0 ham: See you at six
	// 1 spam: You have WON
	// datasets.Tabbed: line 2: the label is "eggs", want one of ["ham" "spam"]
}

func ExampleTextFolders() {
	tree := fstest.MapFS{ // os.DirFS("mail") for a directory, a *zip.Reader for a zip file
		"ham/1.txt":  {Data: []byte("See you at six")},
		"ham/2.txt":  {Data: []byte("Bring bread")},
		"spam/1.txt": {Data: []byte("You have WON")},
	}
	texts, err := datasets.TextFolders(tree, "ham", "spam")
	if err != nil {
		fmt.Println(err)
		return
	}
	for x := range texts.InOrder() {
		fmt.Println(texts.Labels()[x.Label], x.Text)
	}
	// Output:
	// ham See you at six
	// spam You have WON
	// ham Bring bread
}

func ExampleWindows1252() {
	old := strings.NewReader("caf\xe9 \x96 na\xefve")
	text, err := io.ReadAll(datasets.Windows1252(old))
	fmt.Println(string(text), err)
	// Output:
	// café – naïve <nil>
}

// The reviews, or where this machine does not have them and must not fetch them, two others.
func ExampleIMDb() {
	train, _, err := datasets.IMDb{Offline: true}.Load(context.Background())
	if err != nil {
		train, err = datasets.NewTexts([]datasets.Text{{Text: "Dull.<br />Avoid.", Label: 0}, {Text: "Great fun!", Label: 1}}, []string{"neg", "pos"})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(train.Labels())
	for x := range datasets.First(train.InOrder(), 2) {
		fmt.Println(x.Label, len(x.Text) > 0)
	}
	// Output:
	// [neg pos]
	// 0 true
	// 1 true
}
