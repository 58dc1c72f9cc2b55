package datasets

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// appendEscaped appends a token as a file has it.
func appendEscaped(b []byte, token string) []byte {
	for at := 0; at < len(token); {
		r, size := utf8.DecodeRuneInString(token[at:])
		switch {
		case r == '\\':
			b = append(b, `\\`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r < ' ' || r == 0x7f || r == utf8.RuneError && size == 1:
			b = fmt.Appendf(b, `\x%02x`, token[at])
		default:
			b = append(b, token[at:at+size]...)
		}
		at += size
	}
	return b
}

// unescape undoes appendEscaped and accepts nothing else.
func unescape(escaped string) (string, error) {
	if escaped == "" {
		return "", errors.New("is empty")
	}
	token := escaped
	if strings.Contains(escaped, `\`) {
		var err error
		if token, err = expand(escaped); err != nil {
			return "", err
		}
	}
	if string(appendEscaped(nil, token)) != escaped {
		return "", fmt.Errorf("is not written as it should be, %q", appendEscaped(nil, token))
	}
	return token, nil
}

// expand replaces each \… by what it stands for.
func expand(escaped string) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(escaped, `\`)
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		size := 1
		switch {
		case strings.HasPrefix(rest, `\`):
			b.WriteByte('\\')
		case strings.HasPrefix(rest, "t"):
			b.WriteByte('\t')
		case strings.HasPrefix(rest, "n"):
			b.WriteByte('\n')
		case strings.HasPrefix(rest, "r"):
			b.WriteByte('\r')
		case strings.HasPrefix(rest, "x") && len(rest) >= 3:
			n, err := strconv.ParseUint(rest[1:3], 16, 8)
			if err != nil {
				return "", errors.New(`has \x without two digits`)
			}
			b.WriteByte(byte(n))
			size = 3
		default:
			return "", errors.New(`has a \ before something other than \, t, n, r or xNN`)
		}
		escaped = rest[size:]
	}
}
