package safetensors

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// metadataName is the name in the header that stands for the map of strings; no tensor can have it.
const metadataName = "__metadata__"

// maxHeader is the format's limit on the bytes of a header.
const maxHeader = 100_000_000

// entry is what the header says about one tensor, and the CRC-32C of its data where the file has checksums.
type entry struct {
	name       string
	dtype      DType
	shape      []int
	begin, end int64 // in the data section
	sum        uint32
}

// header is the content of the JSON part of a file.
type header struct {
	entries  []entry           // in the order of the data
	metadata map[string]string // with the checksums
	sumsEnd  int64             // offset in the JSON behind the string of checksums, 0 where there is none
}

// parseHeader reads the JSON of a header whose data section has size bytes, and checks that its tensors fill that exactly.
func parseHeader(text []byte, size int64) (*header, error) {
	d, err := newDecoder(text)
	if err != nil {
		return nil, err
	}
	h := &header{metadata: map[string]string{}}
	err = d.object(func(name string) error {
		if name == metadataName {
			return h.parseMetadata(d)
		}
		e := entry{name: name}
		if err := e.parse(d); err != nil {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
		h.entries = append(h.entries, e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return h, h.checkLayout(size)
}

func (h *header) parseMetadata(d decoder) error {
	err := d.object(func(key string) error {
		value, err := d.text()
		if err != nil {
			return fmt.Errorf("%q: %w", key, err)
		}
		h.metadata[key] = value
		if key == sumsKey {
			h.sumsEnd = d.InputOffset()
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", metadataName, err)
	}
	return nil
}

// parse reads the object of one tensor, which has exactly the keys dtype, shape and data_offsets.
func (e *entry) parse(d decoder) error {
	found := 0
	err := d.object(func(key string) error {
		found++
		switch key {
		case "dtype":
			return e.parseDType(d)
		case "shape":
			return e.parseShape(d)
		case "data_offsets":
			return e.parseOffsets(d)
		}
		return fmt.Errorf("has the key %q, want dtype, shape and data_offsets", key)
	})
	if err == nil && found != 3 {
		err = fmt.Errorf("has %d of the keys dtype, shape and data_offsets, want all three", found)
	}
	return err
}

func (e *entry) parseDType(d decoder) error {
	name, err := d.text()
	e.dtype = DType(name)
	return err
}

func (e *entry) parseShape(d decoder) error {
	return d.array(func() error {
		n, err := d.count(strconv.IntSize)
		e.shape = append(e.shape, int(n))
		return err
	})
}

func (e *entry) parseOffsets(d decoder) error {
	var offsets []int64
	err := d.array(func() error {
		n, err := d.count(64)
		offsets = append(offsets, n)
		return err
	})
	if err != nil {
		return err
	}
	if len(offsets) != 2 {
		return fmt.Errorf("has %d data_offsets, want 2", len(offsets))
	}
	e.begin, e.end = offsets[0], offsets[1]
	return nil
}

// checkLayout puts the tensors in the order of their data and checks that they fill size bytes with no gap and no overlap.
func (h *header) checkLayout(size int64) error {
	slices.SortFunc(h.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.name, b.name))
	})
	at := int64(0)
	for _, e := range h.entries {
		if err := e.check(at, size); err != nil {
			return fmt.Errorf("tensor %q: %w", e.name, err)
		}
		at = e.end
	}
	if at != size {
		return fmt.Errorf("%d bytes of data follow the header, want the %d of its tensors", size, at)
	}
	return nil
}

// check compares the place of a tensor with its shape, with the end of the tensor before it and with the size of the data section.
func (e *entry) check(begin, size int64) error {
	want, err := byteSize(e.dtype, e.shape)
	switch {
	case err != nil:
		return err
	case e.end < e.begin:
		return fmt.Errorf("data ends at %d, before it begins at %d", e.end, e.begin)
	case e.end > size:
		return fmt.Errorf("data ends at %d, but only %d bytes of data follow the header", e.end, size)
	case e.end-e.begin != want:
		return fmt.Errorf("has %d bytes of data, want %d for %s %s", e.end-e.begin, want, e.dtype, formatShape(e.shape))
	case e.begin < begin:
		return fmt.Errorf("data begins at %d, inside of the tensor that ends at %d", e.begin, begin)
	case e.begin > begin:
		return fmt.Errorf("data begins at %d, and nothing describes the bytes from %d", e.begin, begin)
	}
	return nil
}
