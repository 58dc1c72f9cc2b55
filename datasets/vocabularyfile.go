package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"paddle/internal/atomicfile"
)

const (
	vocabularyMagic   = "paddle vocabulary "
	vocabularyVersion = 1
)

// WriteTo writes the vocabulary as text, in UTF-8 with a line feed after each line:
//
//	paddle vocabulary 1
//	tokenizer KeepCase=false DropPunctuation=false DropBreaks=true
//	unknown 1
//	tokens 3
//	<pad>⇥0
//	<unk>⇥154054
//	the⇥336756
//
// The first line has the version of the format, the second the options of the Tokenizer, the third the id of the unknown token, and the
// fourth the number of tokens; then comes each token in the order of the ids, with a tab and its count. In a token \\ is a backslash, \t a
// tab, \n a line feed, \r a carriage return, and \xNN, with two digits of 0-9a-f, another control character of ASCII or a byte that is
// not UTF-8.
func (v *Vocabulary) WriteTo(w io.Writer) (int64, error) {
	count := &countingWriter{to: w}
	b := bufio.NewWriter(count)
	fmt.Fprintf(b, "%s%d\n%s\nunknown %d\ntokens %d\n", vocabularyMagic, vocabularyVersion, v.tokenizer.line(), v.unknown, len(v.tokens))
	var line []byte
	for id, token := range v.tokens {
		line = append(appendEscaped(line[:0], token), '\t')
		line = append(strconv.AppendInt(line, v.counts[id], 10), '\n')
		b.Write(line)
	}
	if err := b.Flush(); err != nil {
		return count.n, fmt.Errorf("datasets.Vocabulary.WriteTo: %w", err)
	}
	return count.n, nil
}

// line is the line of a vocabulary file that holds t.
func (t Tokenizer) line() string {
	return fmt.Sprintf("tokenizer KeepCase=%t DropPunctuation=%t DropBreaks=%t", t.KeepCase, t.DropPunctuation, t.DropBreaks)
}

type countingWriter struct {
	to io.Writer
	n  int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}

// Save writes the vocabulary to a file, as WriteTo does. The file is there whole or not at all: on an error the one that was at path
// before is as it was.
func (v *Vocabulary) Save(path string) error {
	err := atomicfile.Write(path, func(w io.Writer) error {
		_, err := v.WriteTo(w)
		return err
	})
	if err != nil {
		return fmt.Errorf("datasets.Vocabulary.Save: %w", err)
	}
	return nil
}

// LoadVocabulary reads a file that Vocabulary.Save wrote.
func LoadVocabulary(path string) (*Vocabulary, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("datasets.LoadVocabulary: %w", err)
	}
	v, err := parseVocabulary(string(data))
	if err != nil {
		return nil, fmt.Errorf("datasets.LoadVocabulary: %s: %w", path, err)
	}
	return v, nil
}

// ReadVocabulary reads what WriteTo wrote, up to the end of r. It accepts nothing else: whatever is read is written again byte for byte.
// An error names the line.
func ReadVocabulary(r io.Reader) (*Vocabulary, error) {
	if r == nil {
		return nil, errors.New("datasets.ReadVocabulary: the reader is nil")
	}
	var data bytes.Buffer
	if _, err := data.ReadFrom(r); err != nil {
		return nil, fmt.Errorf("datasets.ReadVocabulary: %w", err)
	}
	v, err := parseVocabulary(data.String())
	if err != nil {
		return nil, fmt.Errorf("datasets.ReadVocabulary: %w", err)
	}
	return v, nil
}
