package datasets

import "fmt"

// Corpus is a set of labelled texts as ids of tokens, held in one array. It never changes, so it may be read from many goroutines.
type Corpus struct {
	tokens []int32
	ends   []int // the end of each text's tokens
	labels []int32
}

// EncodeOptions says how texts become rows of ids.
type EncodeOptions struct {
	// MaxTokens is the most tokens that are taken of a text, its first ones; 0 takes all.
	MaxTokens int
	// Begin and End are tokens of the vocabulary that are put before and after each text, in addition to MaxTokens; "" is none.
	Begin, End string
}

// Encode numbers the tokens of all texts, in order. A text without a token is an empty row, unless o has a Begin or an End. It is an
// error when these are not in the vocabulary.
func (t *Texts) Encode(v *Vocabulary, o EncodeOptions) (*Corpus, error) {
	begin, end, err := o.check(v)
	if err != nil {
		return nil, fmt.Errorf("datasets.Texts.Encode: %w", err)
	}
	most := o.MaxTokens
	if most == 0 {
		most = -1
	}
	c := &Corpus{ends: make([]int, 0, len(t.records)), labels: make([]int32, 0, len(t.records))}
	for i, x := range t.records {
		if i == firstTexts {
			c.reserve(len(t.records))
		}
		c.tokens = append(c.tokens, begin...)
		c.tokens = v.append(c.tokens, x.Text, most)
		c.tokens = append(c.tokens, end...)
		c.ends = append(c.ends, len(c.tokens))
		c.labels = append(c.labels, x.Label)
	}
	return c, nil
}

// check returns the ids that stand before and after each text.
func (o EncodeOptions) check(v *Vocabulary) (begin, end []int32, err error) {
	if v == nil {
		return nil, nil, fmt.Errorf("the vocabulary is nil")
	}
	if o.MaxTokens < 0 {
		return nil, nil, fmt.Errorf("MaxTokens is %d, want at least 0", o.MaxTokens)
	}
	for _, side := range []struct {
		name string
		ids  *[]int32
	}{{o.Begin, &begin}, {o.End, &end}} {
		if side.name == "" {
			continue
		}
		id, ok := v.Lookup(side.name)
		if !ok {
			return nil, nil, fmt.Errorf("%q is not in the vocabulary; reserve it", side.name)
		}
		*side.ids = []int32{id}
	}
	return begin, end, nil
}

// firstTexts is the number of texts from whose lengths the others' are guessed.
const firstTexts = 256

// reserve makes room for n texts that are as long as those already there, and a little longer.
func (c *Corpus) reserve(n int) {
	guess := len(c.tokens) / len(c.ends) * n
	c.tokens = append(make([]int32, 0, guess+guess/8), c.tokens...)
}

// Len returns the number of texts.
func (c *Corpus) Len() int { return len(c.ends) }

// Tokens returns the ids of text i where they lie; they must not be written to. It is nil if there is no text i.
func (c *Corpus) Tokens(i int) []int32 {
	if i < 0 || i >= len(c.ends) {
		return nil
	}
	start := 0
	if i > 0 {
		start = c.ends[i-1]
	}
	return c.tokens[start:c.ends[i]:c.ends[i]]
}

// Label returns the class of text i, or −1 if there is no text i.
func (c *Corpus) Label(i int) int32 {
	if i < 0 || i >= len(c.labels) {
		return -1
	}
	return c.labels[i]
}

// Size returns the number of tokens of all texts.
func (c *Corpus) Size() int { return len(c.tokens) }
