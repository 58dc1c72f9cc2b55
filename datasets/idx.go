package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"paddle/op"

	"gorgonia.org/tensor"
)

// The first four bytes of an IDX file of unsigned bytes: 0, 0, the type 8, and the number of axes.
const (
	idxMagic  = 0x0800
	idxLabels = idxMagic + 1 // 2049: (records)
	idxImages = idxMagic + 3 // 2051: (records, height, width)
)

// ReadIDX reads a file in the IDX format of the MNIST sets, already decompressed, whose elements are unsigned bytes: a magic number
// (two zero bytes, the type 0x08, the number of axes), the size of each axis as a big-endian 32-bit number, then the elements in
// row-major order. It is an error when the file is shorter or longer than its header says, or has no elements.
func ReadIDX(r io.Reader) (*tensor.Dense, error) {
	shape, data, err := parseIDX(r)
	if err != nil {
		return nil, fmt.Errorf("datasets.ReadIDX: %w", err)
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("datasets.ReadIDX: the shape is %s, want at least one element", shapeText(shape))
	}
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data)), nil
}

// parseIDX reads r to its end. What it allocates grows with what r has, not with what the header claims.
func parseIDX(r io.Reader) (shape []int, data []byte, err error) {
	var magic uint32
	if err := readHeader(r, &magic); err != nil {
		return nil, nil, err
	}
	if axes := magic - idxMagic; axes < 1 || axes > op.MaxRank {
		return nil, nil, fmt.Errorf("the magic number is %d, want %d to %d (unsigned bytes)", magic, idxMagic+1, idxMagic+op.MaxRank)
	}
	sizes := make([]uint32, magic-idxMagic)
	if err := readHeader(r, sizes); err != nil {
		return nil, nil, err
	}
	want := int64(1)
	for _, n := range sizes {
		shape = append(shape, int(n))
		if n != 0 && want > math.MaxInt32*1024/int64(n) {
			return nil, nil, fmt.Errorf("the header has sizes %d, too many elements", sizes)
		}
		want *= int64(n)
	}
	var buf bytes.Buffer
	got, err := io.Copy(&buf, io.LimitReader(r, want+1)) // one more: the end, and a gzip trailer, must follow
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("after %d of %d elements: %w", got, want, err)
	case got < want:
		return nil, nil, fmt.Errorf("it ends after %d of %d elements", got, want)
	case got > want:
		return nil, nil, fmt.Errorf("it goes on after %d elements", want)
	}
	return shape, buf.Bytes(), nil
}

func readHeader(r io.Reader, v any) error {
	err := binary.Read(r, binary.BigEndian, v)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it ends within the header: %w", io.ErrUnexpectedEOF)
	}
	return err
}
