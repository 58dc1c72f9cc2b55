package datasets

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// VocabularyOptions says which tokens a vocabulary takes, and what ids they get.
type VocabularyOptions struct {
	// Tokenizer cuts the texts, here and in Vocabulary.Encode.
	Tokenizer Tokenizer
	// MaxSize is the most ids, reserved ones and the unknown one among them; 0 is no limit.
	MaxSize int
	// MinCount is how often a token must be there at least; 0 is once.
	MinCount int
	// Reserved are names that get the first ids, 0, 1, …, such as "<pad>", "<s>" and "</s>", whether or not they are among the tokens.
	Reserved []string
	// Unknown is the name of the id after the reserved ones, which stands for all tokens that get none; "" is "<unk>".
	Unknown string
}

// NewVocabulary makes a vocabulary of texts. The tokens get their ids, after the reserved ones and the unknown one, by how often they
// are there, the most frequent first; equally frequent ones in the order of their bytes, so that the order of the texts does not
// matter. It is an error of options that leave no room or names that are there twice, and the first error of texts.
func NewVocabulary(texts iter.Seq2[string, error], o VocabularyOptions) (*Vocabulary, error) {
	const who = "datasets.NewVocabulary"
	if texts == nil {
		return nil, fmt.Errorf("%s: the reader is nil", who)
	}
	if err := o.defaults(); err != nil {
		return nil, fmt.Errorf("%s: %w", who, err)
	}
	c := newCounter()
	for text, err := range texts {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", who, err)
		}
		c.addText(o.Tokenizer, text)
	}
	return o.vocabulary(c), nil
}

// VocabularyOfTokens makes a vocabulary, as NewVocabulary does, of texts that are cut into tokens already. An empty token is an error.
func VocabularyOfTokens(tokens iter.Seq[string], o VocabularyOptions) (*Vocabulary, error) {
	const who = "datasets.VocabularyOfTokens"
	if tokens == nil {
		return nil, fmt.Errorf("%s: there are no tokens, they are nil", who)
	}
	if err := o.defaults(); err != nil {
		return nil, fmt.Errorf("%s: %w", who, err)
	}
	c := newCounter()
	for token := range tokens {
		if token == "" {
			return nil, fmt.Errorf("%s: a token is empty", who)
		}
		c.add(token)
	}
	return o.vocabulary(c), nil
}

// defaults fills in the zero values that mean something else, and checks the rest.
func (o *VocabularyOptions) defaults() error {
	if o.Unknown == "" {
		o.Unknown = "<unk>"
	}
	if o.MaxSize < 0 || o.MinCount < 0 {
		return fmt.Errorf("MaxSize is %d and MinCount %d, want at least 0", o.MaxSize, o.MinCount)
	}
	names := o.names()
	for i, name := range names {
		if name == "" {
			return fmt.Errorf("reserved name %d is empty", i)
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("the name %q is reserved twice", name)
		}
	}
	if o.MaxSize == 0 {
		o.MaxSize = math.MaxInt32
	}
	if o.MaxSize < len(names) {
		return fmt.Errorf("MaxSize is %d, less than the %d reserved names and the unknown one", o.MaxSize, len(o.Reserved))
	}
	return nil
}

// names are the names of the first ids, the unknown one last.
func (o *VocabularyOptions) names() []string {
	return append(slices.Clone(o.Reserved), o.Unknown)
}

// vocabulary makes the vocabulary of what c has counted.
func (o *VocabularyOptions) vocabulary(c *counter) *Vocabulary {
	names := o.names()
	v := &Vocabulary{tokenizer: o.Tokenizer, unknown: int32(len(names) - 1)}
	for _, name := range names {
		v.tokens = append(v.tokens, strings.Clone(name))
		v.counts = append(v.counts, c.remove(name))
	}
	entries := c.sorted()
	n := len(entries)
	for n > 0 && entries[n-1].count < int64(o.MinCount) {
		n--
	}
	n = min(n, o.MaxSize-len(names))
	for _, e := range entries[:n] {
		v.tokens = append(v.tokens, e.token)
		v.counts = append(v.counts, e.count)
	}
	for _, e := range entries[n:] {
		v.counts[v.unknown] += e.count
	}
	v.ids = make(map[string]int32, len(v.tokens))
	for id, token := range v.tokens {
		v.ids[token] = int32(id)
	}
	return v
}

// A counter counts tokens.
type counter struct {
	at      map[string]int // the index in entries
	entries []entry
}

type entry struct {
	token string
	count int64
}

func newCounter() *counter { return &counter{at: make(map[string]int)} }

func (c *counter) addText(t Tokenizer, text string) {
	var memory [longToken]byte
	buf := memory[:]
	for s := t.scan(text); s.next(); {
		if !s.fold {
			c.add(s.token)
			continue
		}
		buf = appendLower(buf[:0], s.token)
		if i, ok := c.at[string(buf)]; ok { // the conversion allocates nothing
			c.entries[i].count++
		} else {
			c.enter(string(buf))
		}
	}
}

func (c *counter) add(token string) {
	if i, ok := c.at[token]; ok {
		c.entries[i].count++
	} else {
		c.enter(strings.Clone(token)) // else it holds the whole text
	}
}

func (c *counter) enter(token string) {
	c.at[token] = len(c.entries)
	c.entries = append(c.entries, entry{token, 1})
}

// remove takes a token out and returns its count.
func (c *counter) remove(token string) (count int64) {
	if i, ok := c.at[token]; ok {
		count, c.entries[i].count = c.entries[i].count, 0
	}
	return count
}

// sorted returns the tokens that were not removed, the most frequent first.
func (c *counter) sorted() []entry {
	entries := slices.DeleteFunc(c.entries, func(e entry) bool { return e.count == 0 })
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.token, b.token))
	})
	return entries
}
