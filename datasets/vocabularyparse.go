package datasets

import (
	"fmt"
	"strconv"
	"strings"
)

// lineError is an error that names a line.
func lineError(line int, format string, args ...any) error {
	return fmt.Errorf("line %d: %w", line, fmt.Errorf(format, args...))
}

func parseVocabulary(data string) (*Vocabulary, error) {
	p := &vocabularyParser{rest: data}
	v := &Vocabulary{}
	size := 0
	for _, header := range []func() error{
		func() error { return p.version() },
		func() (err error) { v.tokenizer, err = p.tokenizer(); return err },
		func() (err error) { v.unknown, err = p.number("unknown "); return err },
		func() error { n, err := p.number("tokens "); size = int(n); return err },
	} {
		if err := header(); err != nil {
			return nil, err
		}
	}
	if int(v.unknown) >= size {
		return nil, lineError(3, "the unknown id is %d of %d tokens", v.unknown, size)
	}
	v.ids = make(map[string]int32, min(size, len(data)/len("a\t0\n")))
	for id := range size {
		if p.rest == "" {
			return nil, fmt.Errorf("it ends after %d of %d tokens", id, size)
		}
		token, count, err := p.token()
		if err != nil {
			return nil, err
		}
		if other, ok := v.ids[token]; ok {
			return nil, lineError(p.line, "the token %q has been there in line %d", token, int(other)+vocabularyHeader+1)
		}
		v.ids[token] = int32(id)
		v.tokens = append(v.tokens, token)
		v.counts = append(v.counts, count)
	}
	if p.rest != "" {
		return nil, lineError(p.line+1, "the file goes on after %d tokens", size)
	}
	return v, nil
}

// vocabularyHeader is the number of lines before the tokens.
const vocabularyHeader = 4

// A vocabularyParser goes through the lines of a file.
type vocabularyParser struct {
	rest string
	line int // the number of the line that was read last, from 1
}

// next returns the next line, without its end.
func (p *vocabularyParser) next() (string, error) {
	line, rest, ended := strings.Cut(p.rest, "\n")
	p.line++
	switch {
	case line == "" && !ended:
		return "", lineError(p.line, "the file ends here")
	case !ended:
		return "", lineError(p.line, "the file ends within the line")
	case strings.HasSuffix(line, "\r"):
		return "", lineError(p.line, "it ends in a carriage return")
	}
	p.rest = rest
	return line, nil
}

func (p *vocabularyParser) version() error {
	if !strings.HasPrefix(p.rest, vocabularyMagic) {
		return lineError(1, "want %q and a version: this is no vocabulary file", vocabularyMagic)
	}
	line, err := p.next()
	if err != nil {
		return err
	}
	if got := line[len(vocabularyMagic):]; got != strconv.Itoa(vocabularyVersion) {
		return lineError(1, "the version of the format is %q, want %d", got, vocabularyVersion)
	}
	return nil
}

func (p *vocabularyParser) tokenizer() (t Tokenizer, err error) {
	line, err := p.next()
	if err != nil {
		return t, err
	}
	for bits := range 8 {
		t = Tokenizer{KeepCase: bits&1 != 0, DropPunctuation: bits&2 != 0, DropBreaks: bits&4 != 0}
		if t.line() == line {
			return t, nil
		}
	}
	return t, lineError(p.line, "got %q, want %q with true or false after each =", line, Tokenizer{}.line())
}

// number reads a line of a name and an id or a number of ids.
func (p *vocabularyParser) number(name string) (int32, error) {
	line, err := p.next()
	if err != nil {
		return 0, err
	}
	digits, ok := strings.CutPrefix(line, name)
	n, err := parseCount(digits, 32)
	if !ok || err != nil {
		return 0, lineError(p.line, "got %q, want %q and a number", line, name)
	}
	return int32(n), nil
}

// token reads a line of a token and its count.
func (p *vocabularyParser) token() (token string, count int64, err error) {
	line, err := p.next()
	if err != nil {
		return "", 0, err
	}
	escaped, digits, ok := strings.Cut(line, "\t")
	if !ok {
		return "", 0, lineError(p.line, "got %q, want a token, a tab and a count", line)
	}
	if count, err = parseCount(digits, 64); err != nil {
		return "", 0, lineError(p.line, "the count is %q, want a number", digits)
	}
	if token, err = unescape(escaped); err != nil {
		return "", 0, lineError(p.line, "the token %q %w", escaped, err)
	}
	return token, count, nil
}

// parseCount reads a number of at least 0, in the one way that strconv writes it.
func parseCount(digits string, bits int) (int64, error) {
	n, err := strconv.ParseInt(digits, 10, bits)
	if err == nil && (n < 0 || strconv.FormatInt(n, 10) != digits) {
		err = strconv.ErrSyntax
	}
	return n, err
}
