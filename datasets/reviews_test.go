package datasets

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func smallReviews() map[string]string {
	return map[string]string{
		"movie_reviews/neg/cv000_1.txt": "bad 0", "movie_reviews/neg/cv001_2.txt": "bad 1",
		"movie_reviews/pos/cv000_3.txt": "good 0", "movie_reviews/pos/cv001_4.txt": "good 1", "movie_reviews/README": "x",
	}
}

// zipped makes a zip file of members in a new directory, and the set of which it is the file.
func zipped(t *testing.T, members map[string]string, count int) (path string, set publicSet) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "set.zip")
	writeZip(t, path, members)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, setOf("set.zip", content, count)
}

func TestMovieReviews(t *testing.T) {
	path, set := zipped(t, smallReviews(), 2)
	content, _ := os.ReadFile(path)
	url, calls := serveFile(t, content)
	dir, cache := t.TempDir(), t.TempDir()
	writeTree(t, dir, smallReviews())
	for name, d := range map[string]MovieReviews{
		"packed":      {Dir: filepath.Dir(path)},
		"renamed":     {Archive: path},
		"unpacked":    {Dir: dir},
		"the folder":  {Dir: filepath.Join(dir, "movie_reviews")},
		"from mirror": {Cache: cache, Mirrors: []string{refusing(t), url}},
	} {
		texts, err := d.load(t.Context(), set)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		same(t, name, collect(t, texts.InOrder()), []Text{{"bad 0", 0}, {"good 0", 1}, {"bad 1", 0}, {"good 1", 1}})
		same(t, name, texts.Labels(), []string{"neg", "pos"})
	}
	dead := &count{}
	if _, err := (MovieReviews{Cache: cache, Client: &http.Client{Transport: dead}}).load(t.Context(), set); err != nil || dead.calls != 0 || calls.Load() != 1 {
		t.Errorf("from the cache: %v after %d calls", err, dead.calls)
	}
}

func TestMovieReviewsErrors(t *testing.T) {
	path, set := zipped(t, smallReviews(), 3)
	_, err := MovieReviews{Archive: path}.load(t.Context(), set)
	contains(t, err, "datasets.MovieReviews: "+path+": neg has 2 reviews, want 3")

	other, _ := zipped(t, map[string]string{"movies/neg/a": "x"}, 1)
	_, err = MovieReviews{Archive: other}.Load(t.Context())
	contains(t, err, "datasets.MovieReviews: "+other+": ")

	content, _ := os.ReadFile(path)
	for _, cut := range []int{0, 10, len(content) / 2, len(content) - 1} {
		half := filepath.Join(t.TempDir(), "half.zip")
		os.WriteFile(half, content[:cut], 0o644)
		_, err = MovieReviews{Archive: half}.load(t.Context(), set)
		contains(t, err, "datasets.MovieReviews: "+half+": zip: ")
		writeTree(t, filepath.Dir(half), map[string]string{"set.zip": string(content[:cut])})
		_, err = MovieReviews{Dir: filepath.Dir(half)}.load(t.Context(), set)
		contains(t, err, filepath.Join(filepath.Dir(half), "set.zip")+" is damaged: it has ")
	}
	at := strings.Index(string(content), "cv000_1.txt") + len("cv000_1.txt") // the content of the member
	content[at+2] ^= 1
	os.WriteFile(path, content, 0o644)
	_, err = MovieReviews{Archive: path}.load(t.Context(), set)
	contains(t, err, "datasets.MovieReviews: "+path+": neg/cv000_1.txt: ")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (MovieReviews{Cache: t.TempDir(), Mirrors: []string{refusing(t)}}).Load(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
	var none context.Context
	_, err = MovieReviews{}.Load(none)
	contains(t, err, "datasets.MovieReviews: the context is nil")
}

// TestMovieReviewsFiles reads the real reviews.
func TestMovieReviewsFiles(t *testing.T) {
	texts, err := MovieReviews{Dir: filepath.Dir(dataFile(t, "movie-reviews", "movie_reviews.zip")), Offline: true}.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	same(t, "counts", labelCounts(t, texts), []int{1000, 1000})
	words := 0
	for x := range texts.InOrder() {
		words += len(strings.Fields(x.Text))
	}
	if want := 1492681; words != want { // wc -w
		t.Errorf("%d words, want %d", words, want)
	}
	if first := collect(t, texts.InOrder())[1]; first.Label != 1 || !strings.HasPrefix(first.Text, "films adapted from comic books have had plenty of success ,") {
		t.Errorf("the first positive review is %.60q", first.Text) // pos/cv000_29590.txt
	}
}

// polarityLines makes the files of a small polarity set: n lines each.
func polarityLines(folder, end string, n int) map[string]string {
	var neg, pos strings.Builder
	for i := range n {
		fmt.Fprintf(&neg, "bad %d%s", i, end)
		fmt.Fprintf(&pos, "good %d%s", i, end)
	}
	return map[string]string{folder + "rt-polarity.neg": neg.String(), folder + "rt-polarity.pos": pos.String()}
}

func TestSentencePolarity(t *testing.T) {
	path, set := zipped(t, polarityLines("sentence_polarity/", " \n", 2), 2)
	content, _ := os.ReadFile(path)
	url, _ := serveFile(t, content)
	unpacked, authors, bare := t.TempDir(), t.TempDir(), t.TempDir()
	writeTree(t, unpacked, polarityLines("sentence_polarity/", " \n", 2))
	writeTree(t, authors, polarityLines("rt-polaritydata/", " \r\n", 2))
	writeTree(t, bare, polarityLines("", "\n", 2))
	for name, d := range map[string]SentencePolarity{
		"packed":          {Dir: filepath.Dir(path)},
		"renamed":         {Archive: path},
		"from mirror":     {Cache: t.TempDir(), Mirrors: []string{url}},
		"unpacked":        {Dir: unpacked},
		"the authors'":    {Dir: authors},
		"the bare files'": {Dir: bare},
	} {
		texts, err := d.load(t.Context(), set)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		same(t, name, collect(t, texts.InOrder()), []Text{{"bad 0", 0}, {"good 0", 1}, {"bad 1", 0}, {"good 1", 1}})
		same(t, name, texts.Labels(), []string{"neg", "pos"})
	}
}

// TestSentencePolarityEncodings: Windows-1252, and UTF-8 made of it as if it were Latin-1.
func TestSentencePolarityEncodings(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"rt-polarity.neg": "caf\xe9 \x96 \x93no\x94\n", "rt-polarity.pos": "café \u0096 \u0093yes\u0094\n"})
	texts, err := SentencePolarity{Dir: dir}.load(t.Context(), publicSet{count: 1})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "texts", collect(t, texts.InOrder()), []Text{{"café – “no”", 0}, {"café – “yes”", 1}})
}

func TestSentencePolarityErrors(t *testing.T) {
	path, set := zipped(t, polarityLines("sentence_polarity/", "\n", 2), 3)
	_, err := SentencePolarity{Archive: path}.load(t.Context(), set)
	contains(t, err, "datasets.SentencePolarity: "+path+": rt-polarity.neg has 2 lines, want 3")
	other, _ := zipped(t, polarityLines("", "\n", 2), 1)
	_, err = SentencePolarity{Archive: other}.Load(t.Context())
	contains(t, err, "datasets.SentencePolarity: "+other+": open ")
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"rt-polarity.neg": "x"})
	_, err = SentencePolarity{Dir: dir}.load(t.Context(), publicSet{count: 1})
	contains(t, err, "datasets.SentencePolarity: "+dir+": open rt-polarity.pos")
}

// TestSentencePolarityFiles reads the real snippets.
func TestSentencePolarityFiles(t *testing.T) {
	texts, err := SentencePolarity{Dir: filepath.Dir(dataFile(t, "rt-polarity", "sentence_polarity.zip")), Offline: true}.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	same(t, "counts", labelCounts(t, texts), []int{5331, 5331})
	marks := map[rune]int{}
	for x := range texts.InOrder() {
		for _, r := range x.Text {
			if r >= 0x80 && r < 0xa0 {
				t.Fatalf("%q has the control character %U", x.Text, r)
			}
			marks[r]++
		}
	}
	// Counted in the file with grep: 34 bytes of an en dash and 20 of an em dash, 99 é.
	if marks['–'] != 34 || marks['—'] != 20 || marks['é'] != 99 {
		t.Errorf("%d en dashes, %d em dashes, %d é, want 34, 20, 99", marks['–'], marks['—'], marks['é'])
	}
}
