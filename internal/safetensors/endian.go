package safetensors

import (
	"encoding/binary"
	"slices"
)

// bigEndian reports whether this machine keeps the most significant byte of a number first, unlike the format.
func bigEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) != 1 }

// swap reverses the bytes of each word of p in place.
func swap(p []byte, word int) {
	if word == 1 {
		return
	}
	for ; len(p) >= word; p = p[word:] {
		slices.Reverse(p[:word])
	}
}

// source gives the data of tensors in the byte order of the format.
type source struct {
	scratch []byte // for swapped parts; nil where the machine's order is the format's
}

func newSource(swap bool) source {
	if !swap {
		return source{}
	}
	return source{make([]byte, chunk)}
}

// each calls use for one part of the data of t after another. A part is valid during the call.
func (s source) each(t Tensor, use func(part []byte) error) error {
	if s.scratch == nil && len(t.Data) > 0 {
		return use(t.Data)
	}
	for part := range slices.Chunk(t.Data, chunk) {
		copied := s.scratch[:copy(s.scratch, part)]
		swap(copied, t.DType.word())
		if err := use(copied); err != nil {
			return err
		}
	}
	return nil
}
