package safetensors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// decoder reads the JSON of a header token by token, because decoding into a map would drop the first of two equal keys.
type decoder struct{ *json.Decoder }

// newDecoder checks that text is one JSON object in valid UTF-8 before anything of it is used.
func newDecoder(text []byte) (decoder, error) {
	switch {
	case len(text) == 0 || text[0] != '{':
		return decoder{}, errors.New("header does not begin with {")
	case !utf8.Valid(text):
		return decoder{}, errors.New("header is not valid UTF-8")
	}
	var syntax json.RawMessage
	if err := json.Unmarshal(text, &syntax); err != nil {
		return decoder{}, fmt.Errorf("header is not valid JSON: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return decoder{d}, nil
}

// object reads an object and calls field after each key. A key that comes twice is an error.
func (d decoder) object(field func(key string) error) error {
	if err := d.delim('{'); err != nil {
		return err
	}
	seen := make(map[string]bool)
	for d.More() {
		key, err := d.text()
		if err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("%q comes twice", key)
		}
		seen[key] = true
		if err := field(key); err != nil {
			return err
		}
	}
	return d.delim('}')
}

// array reads an array and calls element before each element.
func (d decoder) array(element func() error) error {
	if err := d.delim('['); err != nil {
		return err
	}
	for d.More() {
		if err := element(); err != nil {
			return err
		}
	}
	return d.delim(']')
}

func (d decoder) delim(want json.Delim) error {
	t, err := d.Token()
	if err == nil && t != want {
		err = fmt.Errorf("%v stands where %q should", t, want.String())
	}
	return err
}

func (d decoder) text() (string, error) {
	t, err := d.Token()
	if err != nil {
		return "", err
	}
	s, ok := t.(string)
	if !ok {
		return "", fmt.Errorf("%v stands where a string should", t)
	}
	return s, nil
}

// count reads a whole number of at most the given bits with its sign, and not below 0.
func (d decoder) count(bitSize int) (int64, error) {
	t, err := d.Token()
	if err != nil {
		return 0, err
	}
	digits, ok := t.(json.Number)
	if !ok {
		return 0, fmt.Errorf("%v stands where a number should", t)
	}
	n, err := strconv.ParseUint(digits.String(), 10, bitSize-1)
	if err != nil {
		return 0, fmt.Errorf("%s stands where a whole number below 2^%d should", digits, bitSize-1)
	}
	return int64(n), nil
}
