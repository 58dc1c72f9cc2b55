package datasets

// Vocabulary numbers tokens: the ids 0 to Len()−1 stand for one token each, and one of them for all tokens that are not in it. It also
// keeps the Tokenizer, so that a text gets the same ids wherever the vocabulary is loaded. It never changes, so it may be used from
// many goroutines.
type Vocabulary struct {
	tokenizer Tokenizer
	unknown   int32
	tokens    []string // by id
	counts    []int64  // by id
	ids       map[string]int32
}

// Len returns the number of ids, which is the number of rows of an embedding for them.
func (v *Vocabulary) Len() int { return len(v.tokens) }

// ID returns the id of a token, or Unknown() if it has none. A token is looked up as it is, also in its case; a reserved name is found
// like any token.
func (v *Vocabulary) ID(token string) int32 {
	if id, ok := v.ids[token]; ok {
		return id
	}
	return v.unknown
}

// Lookup returns the id of a token, and whether it has one of its own.
func (v *Vocabulary) Lookup(token string) (id int32, ok bool) {
	id, ok = v.ids[token]
	return id, ok
}

// Token returns the token that id stands for, or "" if there is no such id.
func (v *Vocabulary) Token(id int32) string {
	if id < 0 || int(id) >= len(v.tokens) {
		return ""
	}
	return v.tokens[id]
}

// Count returns how often the token of id was there when the vocabulary was made; for Unknown() this is the number of tokens that were
// left out, all occurrences together. It is 0 if there is no such id.
func (v *Vocabulary) Count(id int32) int64 {
	if id < 0 || int(id) >= len(v.counts) {
		return 0
	}
	return v.counts[id]
}

// Unknown returns the id of all tokens that are not in the vocabulary.
func (v *Vocabulary) Unknown() int32 { return v.unknown }

// Tokenizer returns how the vocabulary cuts texts.
func (v *Vocabulary) Tokenizer() Tokenizer { return v.tokenizer }

// Encode returns the ids of the tokens of a text.
func (v *Vocabulary) Encode(text string) []int32 { return v.Append(nil, text) }

// Append appends the ids of the tokens of a text to ids. It allocates nothing where ids has room.
func (v *Vocabulary) Append(ids []int32, text string) []int32 { return v.append(ids, text, -1) }

// append appends the ids of the first most tokens of a text, all of them if most is negative.
func (v *Vocabulary) append(ids []int32, text string, most int) []int32 {
	var memory [longToken]byte
	buf := memory[:]
	for s := v.tokenizer.scan(text); most != 0 && s.next(); most-- {
		id, ok := int32(0), false
		if s.fold {
			buf = appendLower(buf[:0], s.token)
			id, ok = v.ids[string(buf)] // the conversion allocates nothing
		} else {
			id, ok = v.ids[s.token]
		}
		if !ok {
			id = v.unknown
		}
		ids = append(ids, id)
	}
	return ids
}
