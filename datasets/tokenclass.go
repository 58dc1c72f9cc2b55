package datasets

import (
	"unicode"
	"unicode/utf8"
)

// A class is what a Tokenizer makes of a character, with the bit folds where the character has another form in lower case.
type class uint8

const (
	blank      class = iota // white space, controls: it ends a token and is in none
	word                    // letters, digits and other numbers
	apostrophe              // ' and ’
	ideograph               // Chinese characters, kana, bopomofo
	mark                    // punctuation, symbols, and what is not assigned
	combining               // combining marks
	format                  // invisible characters such as the zero-width joiner and the soft hyphen
	modifier                // the skin colours of emoji
	invalid                 // a byte that is not UTF-8
	beyond                  // in byteClass: the first byte of a character that is not ASCII

	folds class = 1 << 7
)

const zeroWidthJoiner = "\u200d"

// byteClass are the classes of the characters by their first byte.
var byteClass = func() (table [256]class) {
	for b := range table {
		switch {
		case b >= utf8.RuneSelf:
			table[b] = beyond
		case b <= ' ' || b == 0x7f:
			table[b] = blank
		case 'A' <= b && b <= 'Z':
			table[b] = word | folds
		case 'a' <= b && b <= 'z' || '0' <= b && b <= '9':
			table[b] = word
		case b == '\'':
			table[b] = apostrophe
		default:
			table[b] = mark
		}
	}
	return table
}()

// look returns the class and the length of the first character of a text that is not empty.
func look(text string) (c class, size int) {
	if c := byteClass[text[0]]; c != beyond {
		return c, 1
	}
	return lookBeyond(text)
}

// lookBeyond is look for a character that is not ASCII.
func lookBeyond(text string) (c class, size int) {
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 {
		return invalid, size
	}
	c = classOf(r)
	if unicode.ToLower(r) != r {
		c |= folds
	}
	return c, size
}

// classOf returns the class of a character that is not ASCII, without folds.
func classOf(r rune) class {
	switch {
	case isIdeograph(r):
		return ideograph
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		return word
	case r == '’':
		return apostrophe
	case unicode.IsSpace(r) || unicode.In(r, unicode.Z, unicode.Cc) || r == '\u200b': // the zero-width space
		return blank
	case unicode.IsMark(r):
		return combining
	case unicode.Is(unicode.Cf, r):
		return format
	case r >= 0x1f3fb && r <= 0x1f3ff:
		return modifier
	}
	return mark
}

// isIdeograph reports whether r is of a script that is written without spaces and whose characters are words, or nearly so. The
// prolonged sound marks and the halfwidth voiced marks of kana belong to no script.
func isIdeograph(r rune) bool {
	const first = 0x2e80 // the first radical
	switch {
	case r < first:
		return false
	case r == 0x30fc || r == 0xff70 || r == 0xff9e || r == 0xff9f:
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo) && !unicode.IsMark(r)
}
