package datasets

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"paddle/internal/atomicfile"
)

const vocabularyText = "paddle vocabulary 1\n" +
	"tokenizer KeepCase=false DropPunctuation=true DropBreaks=false\n" +
	"unknown 1\ntokens 4\n<pad>\t0\n<unk>\t3\nthe\t12\nété\t1\n"

func TestVocabularyFile(t *testing.T) {
	v, err := ReadVocabulary(iotest.OneByteReader(strings.NewReader(vocabularyText)))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "entries", entriesOf(v), []entry{{"<pad>", 0}, {"<unk>", 3}, {"the", 12}, {"été", 1}})
	if v.Unknown() != 1 || v.Tokenizer() != (Tokenizer{DropPunctuation: true}) {
		t.Errorf("unknown id %d and tokenizer %+v", v.Unknown(), v.Tokenizer())
	}
	same(t, "ids", v.Encode("The, ÉTÉ!"), []int32{2, 3})
	var out bytes.Buffer
	n, err := v.WriteTo(&out)
	if out.String() != vocabularyText || n != int64(len(vocabularyText)) || err != nil {
		t.Errorf("written as\n%s%d bytes, %v", out.String(), n, err)
	}
}

// TestVocabularySaveAndLoad: every Tokenizer and every odd token comes back, and encodes as before.
func TestVocabularySaveAndLoad(t *testing.T) {
	tokens := []string{"a\tb", "c\nd", "e\r", `f\n`, `\`, `\x41`, "\x00\x1f\x7f", "g\xff\xc3", "\ufffd", " ", "\u2028", "日本", "été"}
	for bits := range 8 {
		o := VocabularyOptions{
			Tokenizer: Tokenizer{KeepCase: bits&1 != 0, DropPunctuation: bits&2 != 0, DropBreaks: bits&4 != 0},
			Reserved:  []string{"<pad>", "\n"}, Unknown: "\t",
		}
		v, err := VocabularyOfTokens(slices.Values(tokens), o)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "words")
		if err := v.Save(path); err != nil {
			t.Fatal(err)
		}
		again, err := LoadVocabulary(path)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "entries", entriesOf(again), entriesOf(v))
		if again.Unknown() != 2 || again.Tokenizer() != o.Tokenizer {
			t.Errorf("unknown id %d and tokenizer %+v, want 2 and %+v", again.Unknown(), again.Tokenizer(), o.Tokenizer)
		}
		const text = "Été <br /> 日本, x"
		same(t, "ids", again.Encode(text), v.Encode(text))
	}
}

func TestReadVocabularyErrors(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(vocabularyText, old, new, 1) }
	for _, test := range []struct{ file, want string }{
		{"", "line 1: want \"paddle vocabulary \" and a version: this is no vocabulary file"},
		{"the\t1\n", "line 1: want"},
		{change("vocabulary 1", "vocabulary 2"), `line 1: the version of the format is "2", want 1`},
		{change("vocabulary 1", "vocabulary 01"), `line 1: the version`},
		{change("KeepCase=false", "KeepCase=no"), `line 2: got "tokenizer KeepCase=no DropPunctuation=true DropBreaks=false", want "tokenizer KeepCase=false`},
		{change("unknown 1", "unknown -1"), `line 3: got "unknown -1", want "unknown " and a number`},
		{change("unknown 1", "unknown 4"), "line 3: the unknown id is 4 of 4 tokens"},
		{change("unknown 1", "unknown 4294967297"), "line 3: got"},
		{change("tokens 4", "tokens +4"), `line 4: got "tokens +4", want "tokens " and a number`},
		{change("tokens 4", "tokens 3"), "line 8: the file goes on after 3 tokens"},
		{change("tokens 4", "tokens 2147483647"), "it ends after 4 of 2147483647 tokens"},
		{change("the\t12", "the 12"), `line 7: got "the 12", want a token, a tab and a count`},
		{change("the\t12", "the\t-12"), `line 7: the count is "-12", want a number`},
		{change("the\t12", "the\t12\t3"), `line 7: the count is "12\t3", want a number`},
		{change("the\t12", "\t12"), `line 7: the token "" is empty`},
		{change("the\t12", "été\t12"), `line 8: the token "été" has been there in line 7`},
		{change("the\t12", `t\qhe`+"\t12"), `line 7: the token "t\\qhe" has a \ before something other than`},
		{change("the\t12", `the\`+"\t12"), `line 7: the token "the\\" has a \ before`},
		{change("the\t12", `the\x4g`+"\t12"), `line 7: the token "the\\x4g" has \x without two digits`},
		{change("the\t12", `the\x41`+"\t12"), `line 7: the token "the\\x41" is not written as it should be, "theA"`},
		{change("the\t12", `the\x0A`+"\t12"), `is not written as it should be`},
		{change("the\t12", "the\xff\t12"), `is not written as it should be, "the\\xff"`},
		{change("the\t12\n", "the\t12\r\n"), "line 7: it ends in a carriage return"},
	} {
		_, err := ReadVocabulary(strings.NewReader(test.file))
		contains(t, err, "datasets.ReadVocabulary: ")
		contains(t, err, test.want)
	}
	for cut := range len(vocabularyText) {
		if _, err := ReadVocabulary(strings.NewReader(vocabularyText[:cut])); err == nil {
			t.Errorf("a file cut at %d of %d was taken", cut, len(vocabularyText))
		}
	}
	broken := errors.New("broken")
	if _, err := ReadVocabulary(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("%v, want the reader's error", err)
	}
	_, err := ReadVocabulary(nil)
	contains(t, err, "the reader is nil")
}

func TestLoadVocabularyErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "words")
	_, err := LoadVocabulary(path)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want os.ErrNotExist", err)
	}
	os.WriteFile(path, []byte(vocabularyText+"x"), 0o644)
	_, err = LoadVocabulary(path)
	contains(t, err, "datasets.LoadVocabulary: "+path+": line 9: the file goes on after 4 tokens")
}

// A limitedWriter fails after so many bytes.
type limitedWriter struct {
	to   io.Writer
	room int
}

var errFull = errors.New("no room")

func (w *limitedWriter) Write(p []byte) (int, error) {
	n, err := min(len(p), w.room), error(nil)
	if n < len(p) {
		err = errFull
	}
	w.room -= n
	w.to.Write(p[:n])
	return n, err
}

// TestK01SavingAVocabularyIsAtomic: a disk that is full after any number of bytes leaves the old file and nothing else.
func TestK01SavingAVocabularyIsAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "words")
	old := vocabularyOf(t, VocabularyOptions{}, "an old one")
	if err := old.Save(path); err != nil {
		t.Fatal(err)
	}
	want, _ := os.ReadFile(path)
	v, err := ReadVocabulary(strings.NewReader(vocabularyText))
	if err != nil {
		t.Fatal(err)
	}
	for room := range len(vocabularyText) {
		err := atomicfile.Write(path, func(w io.Writer) error {
			n, err := v.WriteTo(&limitedWriter{w, room})
			if n != int64(room) {
				t.Errorf("%d bytes counted, %d written", n, room)
			}
			return err
		})
		if !errors.Is(err, errFull) {
			t.Fatalf("room for %d bytes: %v, want %v", room, err, errFull)
		}
		if got, _ := os.ReadFile(path); !bytes.Equal(got, want) {
			t.Fatalf("room for %d bytes: the old file has become %q", room, got)
		}
		if files, _ := os.ReadDir(dir); len(files) != 1 {
			t.Fatalf("room for %d bytes: the directory has %v", room, files)
		}
	}
	if _, err := LoadVocabulary(path); err != nil {
		t.Error(err)
	}
	if err := v.Save(path); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != vocabularyText {
		t.Errorf("saved as %q", got)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("the directory has %v", files)
	}
}

func TestSaveWhereThereIsNoFile(t *testing.T) {
	dir := t.TempDir()
	v := vocabularyOf(t, VocabularyOptions{}, "a")
	contains(t, v.Save(dir), "datasets.Vocabulary.Save: saving "+dir+": is a directory, want a file")
	if err := v.Save(filepath.Join(dir, "none", "words")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want os.ErrNotExist", err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("the directory has %v", files)
	}
}

func FuzzReadVocabulary(f *testing.F) {
	f.Add([]byte(vocabularyText))
	f.Add([]byte(strings.Replace(vocabularyText, "the", `t\\\t\n\r\x00\xffe`, 1)))
	f.Add([]byte(strings.Replace(vocabularyText, "tokens 4", "tokens 2147483647", 1)))
	f.Fuzz(func(t *testing.T, file []byte) {
		v, err := ReadVocabulary(bytes.NewReader(file))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if _, err := v.WriteTo(&again); err != nil || !bytes.Equal(again.Bytes(), file) {
			t.Errorf("%q was read and is written as %q, %v", file, again.Bytes(), err)
		}
		for id := range int32(v.Len()) {
			if v.ID(v.Token(id)) != id {
				t.Errorf("%q has the id %d, want %d", v.Token(id), v.ID(v.Token(id)), id)
			}
		}
	})
}
