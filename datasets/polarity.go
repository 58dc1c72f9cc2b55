package datasets

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"paddle/internal/fetch"
)

// SentencePolarity loads the sentence polarity set v1.0 of Pang and Lee (Seeing Stars, ACL 2005): 5,331 negative (label 0, "neg") and 5,331
// positive (1, "pos") snippets of film reviews, in lower case, with a space around each token. The zero value is ready to use.
//
// See [Source] for its fields. The set's file is NLTK's sentence_polarity.zip, of 0.5 MB, and unpacking it gives the folder
// sentence_polarity with the files rt-polarity.neg and rt-polarity.pos. The mirror is
//
//	https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/corpora
//
// The authors' own copy, rt-polaritydata.tar.gz, is read from a Dir where it is unpacked. It is in Windows-1252, and NLTK's is made from it
// as if it were Latin-1; both are brought to what they should be in UTF-8, dashes and quotation marks included.
type SentencePolarity Source

// Load loads all snippets, without the white space at their ends. The classes take turns, snippet i has label i modulo 2, and those of a
// class are in the order of the file.
func (d SentencePolarity) Load(ctx context.Context) (*Texts, error) {
	return d.load(ctx, sentencePolarity)
}

var sentencePolarity = publicSet{
	file: fetch.File{Name: "sentence_polarity.zip", Size: 490256,
		SHA256: "6e1ed4405b65c7eabf1d199a7f7c437091ac21da0ea7467b410a74062574566b"},
	folder:  "sentence-polarity",
	mirrors: []string{nltkCorpora},
	count:   5331,
}

func (d SentencePolarity) load(ctx context.Context, set publicSet) (texts *Texts, err error) {
	folders := []string{"sentence_polarity", "rt-polaritydata"} // NLTK's, the authors'
	_, err = Source(d).withFolder(ctx, set, polarityFiles[0], folders, func(root fs.FS) error {
		texts, err = readPolarity(root, set.count)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("datasets.SentencePolarity: %w", err)
	}
	return texts, nil
}

var polarityFiles = []string{"rt-polarity.neg", "rt-polarity.pos"}

// readPolarity reads the two files, which must have count lines each.
func readPolarity(root fs.FS, count int) (*Texts, error) {
	var lines [2][]string
	var reader textReader
	for class, name := range polarityFiles {
		data, err := reader.file(root, name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(decodeLegacy([]byte(data))) {
			lines[class] = append(lines[class], strings.TrimSpace(line))
		}
		if len(lines[class]) != count {
			return nil, fmt.Errorf("%s has %d lines, want %d", name, len(lines[class]), count)
		}
	}
	records := make([]Text, 0, 2*count)
	for i := range count {
		records = append(records, Text{lines[0][i], 0}, Text{lines[1][i], 1})
	}
	return &Texts{records, []string{"neg", "pos"}}, nil
}
