package datasets

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Tokenizer cuts texts into tokens. The zero value gives words in lower case and punctuation marks:
//
//	"Don't stop, Zoë!"  →  don't  stop  ,  zoë  !
//
// A word is a run of letters, digits and other numbers of any script. An apostrophe, ' or ’, belongs to it where it stands between two
// of them. So a number with a point or a hyphenated word is several tokens. Each Chinese character, kana and bopomofo is a token of its
// own; the other scripts without spaces, such as Thai, are not cut. Any other visible character (punctuation, symbols, emoji) is a mark
// and a token of its own; emoji that zero-width joiners bind are one token, and so is one with its skin colour.
//
// A combining mark stays with the character before it, and begins a word where there is none. Format characters (joiners, soft
// hyphens, direction marks) stay inside a token and are left out at its ends. White space and control characters end a token. A byte
// that is not valid UTF-8 is a mark, and the token is U+FFFD. So every token is valid UTF-8, is not empty, and has no white space.
//
// Characters are taken as they are: texts are not brought to a Unicode normal form, so é as one character and as e with a combining
// accent are two tokens, and ’ is not turned into '. Lower case is that of [unicode.ToLower], character by character, the same for every
// language; ß and a final ς stay. A later Go release, with a later Unicode, may class characters that are not assigned yet otherwise.
//
// A Tokenizer may be used from many goroutines.
type Tokenizer struct {
	// KeepCase leaves capital letters as they are.
	KeepCase bool
	// DropPunctuation leaves out the marks: the tokens are words and Chinese characters only.
	DropPunctuation bool
	// DropBreaks takes the line breaks of HTML, <br>, <br/> and <br /> in any case, for white space. The reviews of IMDb have them.
	DropBreaks bool
}

// Tokens returns the tokens of a text. Those that are as they stand in the text share its memory; only tokens with a letter to be
// brought to lower case are new strings.
func (t Tokenizer) Tokens(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var memory [longToken]byte
		s := t.scan(text)
		for s.next() {
			if !yield(s.string(memory[:0])) {
				return
			}
		}
	}
}

// Append appends the tokens of a text, as Tokens gives them, to tokens.
func (t Tokenizer) Append(tokens []string, text string) []string {
	var memory [longToken]byte
	for s := t.scan(text); s.next(); {
		tokens = append(tokens, s.string(memory[:0]))
	}
	return tokens
}

// longToken is the length in bytes of tokens that are lowered without allocating memory to do it in.
const longToken = 64

func (t Tokenizer) scan(text string) scanner { return scanner{Tokenizer: t, text: text} }

// A scanner goes through the tokens of a text and allocates nothing.
type scanner struct {
	Tokenizer
	text  string
	at    int    // where the next token is looked for
	token string // the token as it stands in the text
	fold  bool   // whether it must be brought to lower case
}

// next goes to the next token and reports whether there is one.
func (s *scanner) next() bool {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch c, size := look(rest); c &^ folds {
		case blank, format:
			s.at += size
		case word, combining:
			s.word()
			return true
		case ideograph:
			s.character(c, size)
			return true
		case invalid:
			s.at += size
			if !s.DropPunctuation {
				s.token, s.fold = string(utf8.RuneError), false
				return true
			}
		default:
			if n := s.lineBreak(rest); n > 0 {
				s.at += n
				continue
			}
			if s.character(c, size); !s.DropPunctuation {
				return true
			}
		}
	}
	return false
}

// word takes the word that begins at s.at.
func (s *scanner) word() {
	at, end := s.at, s.at // end is behind the last character that is no format character
	var all class
scan:
	for at < len(s.text) {
		c, size := look(s.text[at:])
		switch c &^ folds {
		case word, combining:
			all |= c
			for at += size; at < len(s.text); at++ { // the rest of most words, quickly
				c := byteClass[s.text[at]]
				if c&^folds != word {
					break
				}
				all |= c
			}
			end = at
		case format:
			at += size
		case apostrophe:
			if at+size == len(s.text) {
				break scan
			}
			if after, _ := look(s.text[at+size:]); after&^folds != word {
				break scan
			}
			at += size
		default:
			break scan
		}
	}
	s.take(at, end, all)
}

// character takes the character of class c at s.at, with what clings to it.
func (s *scanner) character(c class, size int) {
	at := s.at + size
	end, all, joined := at, c, false
scan:
	for at < len(s.text) {
		c, size := look(s.text[at:])
		switch c &^ folds {
		case format:
			joined = s.text[at:at+size] == zeroWidthJoiner
			at += size
			continue
		case combining, modifier:
		case mark:
			if !joined {
				break scan
			}
		default:
			break scan
		}
		at += size
		end, all, joined = at, all|c, false
	}
	s.take(at, end, all)
}

// take makes the text from s.at to end the token, whose classes are all, and goes on at at.
func (s *scanner) take(at, end int, all class) {
	s.token, s.fold = s.text[s.at:end], all&folds != 0 && !s.KeepCase
	s.at = at
}

// lineBreak returns the length of a line break of HTML that is to be left out at the start of text, 0 if there is none.
func (s *scanner) lineBreak(text string) int {
	if !s.DropBreaks || len(text) < len("<br>") || text[0] != '<' || text[1]|0x20 != 'b' || text[2]|0x20 != 'r' {
		return 0
	}
	at := len("<br")
	for at < len(text) && asciiSpace(text[at]) {
		at++
	}
	if at < len(text) && text[at] == '/' {
		at++
	}
	if at < len(text) && text[at] == '>' {
		return at + 1
	}
	return 0
}

func asciiSpace(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }

// string returns the token; memory is used to lower it.
func (s *scanner) string(memory []byte) string {
	if !s.fold {
		return s.token
	}
	return string(appendLower(memory, s.token))
}

// appendLower appends a token, which is valid UTF-8, in lower case.
func appendLower(b []byte, token string) []byte {
	for _, r := range token {
		switch {
		case r >= utf8.RuneSelf:
			b = utf8.AppendRune(b, unicode.ToLower(r))
		case 'A' <= r && r <= 'Z':
			b = append(b, byte(r)|0x20)
		default:
			b = append(b, byte(r))
		}
	}
	return b
}
