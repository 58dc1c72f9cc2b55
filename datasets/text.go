package datasets

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// Text is a text and its class.
type Text struct {
	Text  string
	Label int32
}

// Texts is a set of labelled texts in memory. It never changes, so it may be read from many goroutines.
type Texts struct {
	records []Text
	labels  []string
}

// NewTexts returns the set of the given texts, in their order. labels are the names of the classes 0, 1, …; nil gives them none. It is
// an error when a name is there twice or a text's label is negative or, with names, has none. The slices are used in place and must
// not be written to from then on.
func NewTexts(records []Text, labels []string) (*Texts, error) {
	for i, name := range labels {
		if slices.Contains(labels[:i], name) {
			return nil, fmt.Errorf("datasets.NewTexts: two labels have the name %q", name)
		}
	}
	for i, x := range records {
		if x.Label < 0 || labels != nil && int(x.Label) >= len(labels) {
			return nil, fmt.Errorf("datasets.NewTexts: text %d has label %d, want %s", i, x.Label, labelRange(labels))
		}
	}
	return &Texts{records, labels}, nil
}

func labelRange(labels []string) string {
	if labels == nil {
		return "at least 0"
	}
	return fmt.Sprintf("0 to %d", len(labels)-1)
}

// Len returns the number of texts.
func (t *Texts) Len() int { return len(t.records) }

// Labels returns the names of the classes, in the order of their numbers; nil if they have none.
func (t *Texts) Labels() []string { return slices.Clone(t.labels) }

// InOrder reads the texts in order.
func (t *Texts) InOrder() iter.Seq2[Text, error] { return FromSlice(t.records) }

// Shuffled reads the texts for training: every epoch has each once, in an order drawn from seed and the epoch, the same as that of
// Shuffle.
func (t *Texts) Shuffled(seed uint64) Epochs[Text] {
	return func(epoch int) iter.Seq2[Text, error] {
		return Shuffle(t.records, Random{Seed: seed, Epoch: epoch})
	}
}

// Strings reads the texts without their labels, in order, as NewVocabulary takes them.
func (t *Texts) Strings() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, x := range t.records {
			if !yield(x.Text, nil) {
				return
			}
		}
	}
}

// Slice returns the texts lo to hi−1 as a set that shares the memory of t.
func (t *Texts) Slice(lo, hi int) (*Texts, error) {
	if lo < 0 || hi < lo || hi > len(t.records) {
		return nil, fmt.Errorf("datasets.Texts.Slice: texts %d to %d of %d", lo, hi, len(t.records))
	}
	return &Texts{t.records[lo:hi:hi], t.labels}, nil
}

// Split deals the texts out to two sets, such as those for training and for validation. The first gets the given fraction of them, from
// 0 to 1, rounded to the nearest number; which ones depends on seed and the number of texts only. Both keep the order of t.
func (t *Texts) Split(fraction float64, seed uint64) (first, rest *Texts, err error) {
	if !(fraction >= 0 && fraction <= 1) {
		return nil, nil, fmt.Errorf("datasets.Texts.Split: the fraction is %v, want 0 to 1", fraction)
	}
	n := int(math.Round(fraction * float64(len(t.records))))
	chosen := make([]bool, len(t.records))
	for _, i := range (Random{Seed: seed, Epoch: splitEpoch}).perm(len(t.records))[:n] {
		chosen[i] = true
	}
	a, b := make([]Text, 0, n), make([]Text, 0, len(t.records)-n)
	for i, x := range t.records {
		if chosen[i] {
			a = append(a, x)
		} else {
			b = append(b, x)
		}
	}
	return &Texts{a, t.labels}, &Texts{b, t.labels}, nil
}

// splitEpoch is an epoch that no pass has, so that the choice of a Split is not the order of one.
const splitEpoch = -1
