package safetensors

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
)

// lengthSize is the bytes of the header's length, in front of it.
const lengthSize = 8

// chunk is the bytes that are read, checked and brought into the machine's byte order in one go, small enough to stay in the cache.
const chunk = 256 << 10

// File reads the tensors of an open file. Its methods may be called from many goroutines at once.
type File struct {
	r        io.ReaderAt
	start    int64 // offset of the data section
	names    []string
	entries  map[string]entry
	metadata map[string]string
	sums     bool // the file has checksums
	swap     bool // the machine's byte order is not the format's
}

// Info describes a tensor of a file.
type Info struct {
	DType DType
	Shape []int // size of each axis; empty for a scalar
	Bytes int64 // length of its data
}

// Open reads and checks the header of a file of size bytes; it reads no data, and needs r until the last ReadInto. A file that is no
// safetensors file, is shorter or longer than its header says, or has a header that does not fit its checksum is an error.
func Open(r io.ReaderAt, size int64) (*File, error) {
	return open(r, size, bigEndian())
}

func open(r io.ReaderAt, size int64, swap bool) (*File, error) {
	raw, err := readHeader(r, size)
	if err != nil {
		return nil, err
	}
	h, err := parseHeader(raw[lengthSize:], size-int64(len(raw)))
	if err == nil {
		err = h.takeSums(raw)
	}
	if err != nil {
		return nil, fmt.Errorf("not a safetensors file: %w", err)
	}
	f := &File{r: r, start: int64(len(raw)), metadata: h.metadata, sums: h.sumsEnd > 0, swap: swap}
	f.entries = make(map[string]entry, len(h.entries))
	for _, e := range h.entries {
		f.entries[e.name] = e
	}
	f.names = slices.Sorted(maps.Keys(f.entries))
	return f, nil
}

// readHeader returns the part of the file before its data.
func readHeader(r io.ReaderAt, size int64) ([]byte, error) {
	if size < lengthSize {
		return nil, fmt.Errorf("not a safetensors file: has %d bytes, want at least %d", size, lengthSize)
	}
	var length [lengthSize]byte
	if err := readAt(r, length[:], 0); err != nil {
		return nil, fmt.Errorf("reading the header's length: %w", err)
	}
	n := binary.LittleEndian.Uint64(length[:])
	switch {
	case n > maxHeader:
		return nil, fmt.Errorf("not a safetensors file: header of %d bytes, want at most %d", n, maxHeader)
	case n > uint64(size-lengthSize):
		return nil, fmt.Errorf("not a safetensors file: header of %d bytes in a file of %d", n, size)
	}
	raw := make([]byte, lengthSize+n)
	if err := readAt(r, raw, 0); err != nil {
		return nil, fmt.Errorf("reading the header: %w", err)
	}
	return raw, nil
}

// readAt fills p from offset at.
func readAt(r io.ReaderAt, p []byte, at int64) error {
	n, err := r.ReadAt(p, at)
	switch {
	case n == len(p):
		return nil
	case err == nil || err == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}

// Names returns the names of the tensors, sorted.
func (f *File) Names() []string { return slices.Clone(f.names) }

// Metadata returns the strings that were given to Write, or that another program put there.
func (f *File) Metadata() map[string]string { return maps.Clone(f.metadata) }

// HasSums reports whether the file has checksums, as every file that Write wrote does.
func (f *File) HasSums() bool { return f.sums }

// Tensor returns what the file says about a tensor; ok is false when there is none of that name.
func (f *File) Tensor(name string) (info Info, ok bool) {
	e, ok := f.entries[name]
	return Info{DType: e.dtype, Shape: slices.Clone(e.shape), Bytes: e.end - e.begin}, ok
}

// ReadInto reads the data of a tensor into dst, which must have exactly its length, in this machine's byte order. It allocates
// nothing. Data that do not fit their checksum, and a Bool that is neither 0 nor 1, which Go could not hold, are errors; after one
// dst holds no usable data.
func (f *File) ReadInto(name string, dst []byte) error {
	e, ok := f.entries[name]
	if !ok {
		return fmt.Errorf("no tensor %q in the file", name)
	}
	if int64(len(dst)) != e.end-e.begin {
		return fmt.Errorf("tensor %q: has %d bytes of data, want %d to fill the memory given", name, e.end-e.begin, len(dst))
	}
	return f.read(e, func(done int) []byte { return dst[done:] })
}

// Verify checks the data of all tensors as ReadInto does, so that loading can change everything or nothing without a second copy of the
// tensors in memory. Data of which any bytes would be right, those without a checksum and not of type Bool, are not read.
func (f *File) Verify() error {
	scratch := make([]byte, chunk)
	for _, name := range f.names {
		e := f.entries[name]
		if !f.sums && e.dtype != Bool {
			continue
		}
		if err := f.read(e, func(int) []byte { return scratch }); err != nil {
			return err
		}
	}
	return nil
}

// read passes the data of e, chunk by chunk, through the memory that place returns for the bytes from done on.
func (f *File) read(e entry, place func(done int) []byte) error {
	size, sum := e.end-e.begin, uint32(0)
	for done := int64(0); done < size; {
		n := min(size-done, chunk)
		part := place(int(done))[:n]
		if err := readAt(f.r, part, f.start+e.begin+done); err != nil {
			return fmt.Errorf("tensor %q: reading its data: %w", e.name, err)
		}
		sum = crc32.Update(sum, castagnoli, part)
		if i := badBool(e.dtype, part); i >= 0 {
			return fmt.Errorf("tensor %q: element %d is %d, want 0 or 1 for BOOL", e.name, done+int64(i), part[i])
		}
		if f.swap {
			swap(part, e.dtype.word())
		}
		done += n
	}
	if f.sums && sum != e.sum {
		return fmt.Errorf("tensor %q: file is damaged: its data have the CRC-32C %08x, want %08x", e.name, sum, e.sum)
	}
	return nil
}

// badBool returns the index of the first byte of p that no bool of Go has, −1 where there is none or d is another type.
func badBool(d DType, p []byte) int {
	if d != Bool {
		return -1
	}
	return slices.IndexFunc(p, func(b byte) bool { return b > 1 })
}
