package datasets

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func TestWindows1252(t *testing.T) {
	// From the table of the encoding: 80 €, 85 …, 91 and 92 ‘’, 93 and 94 “”, 96 –, 97 —, 99 ™, 9f Ÿ, a9 ©, e9 é, ff ÿ; 81 is not used.
	const in, want = "a\x80\x85\x91\x92\x93\x94\x96\x97\x99\x9f\xa9\xe9\xff\x81\n", "a€…‘’“”–—™Ÿ©éÿ\u0081\n"
	for name, r := range map[string]io.Reader{
		"at once":      strings.NewReader(in),
		"byte by byte": iotest.OneByteReader(strings.NewReader(in)),
		"with its end": iotest.DataErrReader(strings.NewReader(in)),
	} {
		got, err := io.ReadAll(Windows1252(r))
		if string(got) != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	if err := iotest.TestReader(Windows1252(strings.NewReader(strings.Repeat(in, 500))), []byte(strings.Repeat(want, 500))); err != nil {
		t.Error(err)
	}
	got, err := io.ReadAll(Windows1252(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(in)))))
	if string(got) != "a" || !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("%q, %v, want what came before the error", got, err)
	}
	if _, err := Windows1252(nil).Read(make([]byte, 1)); err == nil {
		t.Error("a nil reader gave no error")
	}
}

// TestWindows1252IsLatin1: but for the 32 bytes of control characters, a byte is the character of its number.
func TestWindows1252IsLatin1(t *testing.T) {
	seen := map[rune]bool{}
	for b := range rune(256) {
		r := fromWindows1252(b)
		if (b < 0x80 || b >= 0xa0) && r != b || seen[r] {
			t.Errorf("byte %#x is %U", b, r)
		}
		seen[r] = true
	}
	if fromWindows1252(0x100) != 0x100 {
		t.Error("a character beyond the bytes is changed")
	}
}

func TestDecodeLegacy(t *testing.T) {
	for in, want := range map[string]string{
		"caf\xe9 \x96 x": "café – x", "café \u0096 x": "café – x", "café – x": "café – x", "plain": "plain", "": "",
	} {
		if got := decodeLegacy([]byte(in)); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func FuzzWindows1252(f *testing.F) {
	f.Add([]byte("a\x80\x81\xff"))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := io.ReadAll(Windows1252(bytes.NewReader(in)))
		if err != nil || !utf8.Valid(got) || utf8.RuneCount(got) != len(in) {
			t.Errorf("%q is %q, %v", in, got, err)
		}
	})
}
