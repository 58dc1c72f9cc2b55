package datasets

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// numbered makes n texts "0", "1", …, of the classes a and b in turn.
func numbered(t *testing.T, n int) *Texts {
	t.Helper()
	records := make([]Text, n)
	for i := range records {
		records[i] = Text{strconv.Itoa(i), int32(i % 2)}
	}
	texts, err := NewTexts(records, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func TestTexts(t *testing.T) {
	texts := numbered(t, 5)
	want := []Text{{"0", 0}, {"1", 1}, {"2", 0}, {"3", 1}, {"4", 0}}
	same(t, "in order", collect(t, texts.InOrder()), want)
	same(t, "in order again", collect(t, texts.InOrder()), want)
	same(t, "labels", texts.Labels(), []string{"a", "b"})
	strings, err := Collect(texts.Strings())
	same(t, "strings", strings, []string{"0", "1", "2", "3", "4"})
	if texts.Len() != 5 || err != nil {
		t.Errorf("Len is %d, %v", texts.Len(), err)
	}
	for range texts.Strings() {
		break
	}
	texts.Labels()[0] = "changed"
	if texts.Labels()[0] != "a" {
		t.Error("the labels can be changed")
	}
}

func TestTextsShuffled(t *testing.T) {
	texts := numbered(t, 50)
	epochs := texts.Shuffled(7)
	first, _ := Collect(epochs(0))
	again, _ := Collect(epochs(0))
	second, _ := Collect(epochs(1))
	same(t, "epoch 0 again", again, first)
	if slices.Equal(first, second) {
		t.Error("epoch 1 has the order of epoch 0")
	}
	direct, _ := Collect(Shuffle(collect(t, texts.InOrder()), Random{Seed: 7, Epoch: 1}))
	same(t, "epoch 1", second, direct)
}

func TestTextsSplit(t *testing.T) {
	texts := numbered(t, 1000)
	whole := collect(t, texts.InOrder())
	train, valid, err := texts.Split(0.8, 3)
	if err != nil {
		t.Fatal(err)
	}
	if train.Len() != 800 || valid.Len() != 200 || !slices.Equal(valid.Labels(), []string{"a", "b"}) {
		t.Fatalf("%d and %d texts with labels %q", train.Len(), valid.Len(), valid.Labels())
	}
	byNumber := func(a, b Text) int {
		i, _ := strconv.Atoi(a.Text)
		j, _ := strconv.Atoi(b.Text)
		return i - j
	}
	a, b := collect(t, train.InOrder()), collect(t, valid.InOrder())
	if !slices.IsSortedFunc(a, byNumber) || !slices.IsSortedFunc(b, byNumber) {
		t.Error("the parts do not keep the order")
	}
	all := append(a, b...)
	slices.SortFunc(all, byNumber)
	same(t, "both parts together", all, whole)
	if counts := labelCounts(t, valid); counts[0] < 80 || counts[0] > 120 { // ±2.8 standard deviations of a fair draw
		t.Errorf("200 texts of two equal classes have %v of each", counts)
	}

	_, same1, _ := texts.Split(0.8, 3)
	_, other, _ := texts.Split(0.8, 4)
	same(t, "the same seed", collect(t, same1.InOrder()), b)
	if slices.Equal(collect(t, other.InOrder()), b) {
		t.Error("another seed gives the same part")
	}
	for fraction, want := range map[float64]int{0: 0, 1: 1000, 0.0004: 0, 0.0006: 1, 1.0 / 3: 333} {
		if first, rest, err := texts.Split(fraction, 1); err != nil || first.Len() != want || rest.Len() != 1000-want {
			t.Errorf("%v: %d and %d texts, %v, want %d", fraction, first.Len(), rest.Len(), err, want)
		}
	}
	for _, fraction := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		_, _, err := texts.Split(fraction, 1)
		contains(t, err, "datasets.Texts.Split: the fraction is ")
	}
}

func TestTextsSlice(t *testing.T) {
	texts := numbered(t, 5)
	part, err := texts.Slice(1, 3)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "slice", collect(t, part.InOrder()), []Text{{"1", 1}, {"2", 0}})
	if none, err := texts.Slice(5, 5); err != nil || none.Len() != 0 || len(collect(t, none.InOrder())) != 0 {
		t.Errorf("an empty slice: %v", err)
	}
	for _, bounds := range [][2]int{{-1, 2}, {3, 2}, {0, 6}} {
		_, err := texts.Slice(bounds[0], bounds[1])
		contains(t, err, "of 5")
	}
}

func TestNewTextsErrors(t *testing.T) {
	for want, test := range map[string]struct {
		label  int32
		labels []string
	}{
		"text 0 has label -1, want at least 0":     {-1, nil},
		"text 0 has label 2, want 0 to 1":          {2, []string{"a", "b"}},
		"text 0 has label -1, want 0 to 1":         {-1, []string{"a", "b"}},
		`two labels have the name "a"`:             {0, []string{"a", "b", "a"}},
		"datasets.NewTexts: text 0 has label 0, w": {0, []string{}},
	} {
		_, err := NewTexts([]Text{{"x", test.label}}, test.labels)
		contains(t, err, want)
	}
	if texts, err := NewTexts([]Text{{"x", 7}}, nil); err != nil || texts.Labels() != nil {
		t.Errorf("without names: %v", err)
	}
}

// TestT05LeavingTexts: passes that are left early leave no goroutine, and loads that fail no open file.
func TestT05LeavingTexts(t *testing.T) {
	texts := numbered(t, 100)
	path, set := zipped(t, smallReviews(), 3)
	archive := filepath.Join(t.TempDir(), "reviews.tar.gz")
	os.WriteFile(archive, packed(t, smallIMDb()), 0o644)
	before := openFiles()
	noGoroutinesLeft(t, func() {
		for epoch := range 50 {
			for range texts.Shuffled(1)(epoch) {
				break
			}
			for range (Tokenizer{}).Tokens("a b c") {
				break
			}
			_, err := MovieReviews{Archive: path}.load(t.Context(), set)
			contains(t, err, "want 3")
			_, _, err = IMDb{Archive: archive}.load(t.Context(), set)
			if err != nil {
				t.Error(err)
			}
		}
	})
	if after := openFiles(); after > before+10 { // some of other tests may come and go
		t.Errorf("%d files are open, %d were before", after, before)
	}
}

// openFiles returns the number of open files, 0 where the system does not tell.
func openFiles() int {
	files, _ := os.ReadDir("/proc/self/fd")
	return len(files)
}
