package datasets

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Windows1252 reads a text in the encoding Windows-1252 as UTF-8. ISO 8859-1 (Latin-1), which differs only in control characters that
// texts do not have, is read by it too, as browsers do. Five bytes that stand for nothing become the control characters U+0081,
// U+008D, U+008F, U+0090 and U+009D.
func Windows1252(r io.Reader) io.Reader { return &windows1252{from: r} }

type windows1252 struct {
	from   io.Reader
	in     [1024]byte
	memory [1024 * utf8.UTFMax]byte
	out    []byte // what is decoded and not read yet
	err    error
}

func (d *windows1252) Read(p []byte) (int, error) {
	if d.from == nil {
		return 0, io.ErrUnexpectedEOF
	}
	for len(d.out) == 0 && d.err == nil {
		var n int
		n, d.err = d.from.Read(d.in[:])
		d.out = appendWindows1252(d.memory[:0], d.in[:n])
	}
	if len(d.out) == 0 {
		return 0, d.err
	}
	n := copy(p, d.out)
	d.out = d.out[n:]
	return n, nil
}

func appendWindows1252(b, text []byte) []byte {
	for _, x := range text {
		b = utf8.AppendRune(b, fromWindows1252(rune(x)))
	}
	return b
}

// fromWindows1252 returns the character that a byte stands for; other characters are returned as they are.
func fromWindows1252(r rune) rune {
	if r >= 0x80 && r < 0x80+rune(len(windows1252High)) {
		return windows1252High[r-0x80]
	}
	return r
}

// windows1252High are the characters of the bytes 0x80 to 0x9f; the others are those of Latin-1, which are the first of Unicode.
var windows1252High = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

// decodeLegacy returns a text that is in UTF-8 or else in Windows-1252 as UTF-8. Control characters that come of Windows-1252 having been
// taken for Latin-1 on the way to UTF-8 become what they were.
func decodeLegacy(text []byte) string {
	if utf8.Valid(text) {
		return strings.Map(fromWindows1252, string(text))
	}
	return string(appendWindows1252(nil, text))
}
