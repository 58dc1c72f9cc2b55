package safetensors

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"slices"
	"unicode/utf8"
)

// Tensor is a tensor to write. Data holds its elements in row-major order and in this machine's byte order.
type Tensor struct {
	Name  string
	DType DType
	Shape []int // size of each axis; empty for a scalar
	Data  []byte
}

// Write writes a file with the tensors, given in any order, and the metadata. Data must not change meanwhile: it is read twice, for
// the checksums, which stand in front, and to be written. A tensor whose data do not fit its shape, two equal names, a name or a
// string that is not valid UTF-8, and the metadata key "paddle.crc32c" are errors, before anything is written.
func Write(w io.Writer, tensors []Tensor, metadata map[string]string) error {
	return write(w, tensors, metadata, bigEndian())
}

func write(w io.Writer, tensors []Tensor, metadata map[string]string, swap bool) error {
	if err := checkStrings(tensors, metadata); err != nil {
		return err
	}
	tensors = slices.SortedFunc(slices.Values(tensors), func(a, b Tensor) int {
		return cmp.Or(cmp.Compare(b.DType.bits(), a.DType.bits()), cmp.Compare(a.Name, b.Name))
	})
	entries, err := layout(tensors)
	if err != nil {
		return err
	}
	data := newSource(swap)
	for i, t := range tensors {
		data.each(t, func(part []byte) error {
			entries[i].sum = crc32.Update(entries[i].sum, castagnoli, part)
			return nil
		})
	}
	head, err := encodeHeader(entries, metadata, maxHeader)
	if err != nil {
		return err
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, t := range tensors {
		if err := data.each(t, func(part []byte) error { _, err := w.Write(part); return err }); err != nil {
			return err
		}
	}
	return nil
}

// checkStrings checks the names and the metadata.
func checkStrings(tensors []Tensor, metadata map[string]string) error {
	seen := make(map[string]bool, len(tensors))
	for _, t := range tensors {
		switch {
		case seen[t.Name]:
			return fmt.Errorf("tensor %q: two tensors have this name", t.Name)
		case t.Name == metadataName:
			return fmt.Errorf("tensor %q: the format keeps this name for itself", t.Name)
		case !utf8.ValidString(t.Name):
			return fmt.Errorf("tensor %q: name is not valid UTF-8", t.Name)
		}
		seen[t.Name] = true
	}
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		switch {
		case key == sumsKey:
			return fmt.Errorf("metadata %q: the key is kept for the checksums", key)
		case !utf8.ValidString(key) || !utf8.ValidString(metadata[key]):
			return fmt.Errorf("metadata %q: not valid UTF-8", key)
		}
	}
	return nil
}

// layout gives each tensor its place in the data section, one behind the other.
func layout(tensors []Tensor) ([]entry, error) {
	entries := make([]entry, len(tensors))
	at := int64(0)
	for i, t := range tensors {
		size, err := byteSize(t.DType, t.Shape)
		switch {
		case err != nil:
			return nil, fmt.Errorf("tensor %q: %w", t.Name, err)
		case int64(len(t.Data)) != size:
			return nil, fmt.Errorf("tensor %q: has %d bytes of data, want %d for %s %s", t.Name, len(t.Data), size, t.DType, formatShape(t.Shape))
		case badBool(t.DType, t.Data) >= 0:
			return nil, fmt.Errorf("tensor %q: has an element that is neither 0 nor 1, which BOOL cannot hold", t.Name)
		case size > math.MaxInt64-at:
			return nil, fmt.Errorf("tensor %q: data of all tensors are too large for any file", t.Name)
		}
		entries[i] = entry{name: t.Name, dtype: t.DType, shape: t.Shape, begin: at, end: at + size}
		at += size
	}
	return entries, nil
}
