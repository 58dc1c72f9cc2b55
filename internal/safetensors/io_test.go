package safetensors

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
)

var errDisk = errors.New("disk on fire")

// failingWriter takes n bytes.
type failingWriter struct{ n int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if len(p) > w.n {
		return w.n, errDisk
	}
	w.n -= len(p)
	return len(p), nil
}

func TestWriteReturnsTheWritersError(t *testing.T) {
	for _, swap := range []bool{false, true} {
		for n := range len(golden) {
			if err := write(&failingWriter{n}, goldenTensors(), goldenMetadata, swap); err != errDisk {
				t.Fatalf("writer that takes %d of %d bytes: got %v, want %v", n, len(golden), err, errDisk)
			}
		}
	}
}

// failingReader gives the bytes of a file before its offset limit.
type failingReader struct {
	file  string
	limit int64
	err   error
}

func (r failingReader) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) <= r.limit {
		return strings.NewReader(r.file).ReadAt(p, at)
	}
	return 0, r.err
}

func TestReadErrorsAreReturned(t *testing.T) {
	for _, c := range []struct{ err, want error }{{errDisk, errDisk}, {io.EOF, io.ErrUnexpectedEOF}, {nil, io.ErrUnexpectedEOF}} {
		for limit := range int64(len(golden)) {
			f, err := Open(failingReader{golden, limit, c.err}, int64(len(golden)))
			if err == nil {
				err = f.Verify()
			}
			if !errors.Is(err, c.want) {
				t.Fatalf("reader that ends at %d with %v: got %v, want %v", limit, c.err, err, c.want)
			}
			if strings.Contains(err.Error(), "not a safetensors file") {
				t.Fatalf("a failing disk was taken for a bad file: %v", err)
			}
		}
	}
}

func TestReadIntoChecksTheMemory(t *testing.T) {
	f := openBytes(t, []byte(golden))
	for _, c := range []struct {
		name  string
		bytes int
		want  string
	}{
		{"fc.bias", 7, `tensor "fc.bias": has 8 bytes of data, want 7 to fill the memory given`},
		{"fc.bias", 9, `tensor "fc.bias": has 8 bytes of data, want 9 to fill the memory given`},
		{"fc.bios", 8, `no tensor "fc.bios" in the file`},
	} {
		if err := f.ReadInto(c.name, make([]byte, c.bytes)); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if _, ok := f.Tensor("fc.bios"); ok {
		t.Error("Tensor finds one that is not there")
	}
}

func TestBoolsThatGoCannotHoldAreErrors(t *testing.T) {
	f := openBytes(t, []byte("\x39\x00\x00\x00\x00\x00\x00\x00"+`{"m":{"dtype":"BOOL","shape":[4],"data_offsets":[0,4]}}  `+"\x00\x01\x02\x01"))
	const want = `tensor "m": element 2 is 2, want 0 or 1 for BOOL`
	if err := f.ReadInto("m", make([]byte, 4)); err == nil || err.Error() != want {
		t.Errorf("ReadInto: got %v, want %s", err, want)
	}
	if err := f.Verify(); err == nil || err.Error() != want {
		t.Errorf("Verify: got %v, want %s", err, want)
	}
}

func TestResultsAreCopies(t *testing.T) {
	f := openBytes(t, []byte(golden))
	f.Names()[0] = "changed"
	f.Metadata()["note"] = "changed"
	info, _ := f.Tensor("fc.bias")
	info.Shape[0] = 99
	again, _ := f.Tensor("fc.bias")
	if f.Names()[0] != "fc.bias" || f.Metadata()["note"] != "tiny" || again.Shape[0] != 2 {
		t.Error("changing a result changed the file's")
	}
}

// sparse is a file of 6 GiB that holds no memory: a header, zeros, and a float32 at its end.
type sparse struct{ head, tail string }

const sparseZeros = 6 << 30

func (s sparse) size() int64 { return int64(len(s.head)) + sparseZeros + int64(len(s.tail)) }

func (s sparse) ReadAt(p []byte, at int64) (int, error) {
	clear(p)
	if at < int64(len(s.head)) {
		copy(p, s.head[at:])
	}
	if end := s.size() - int64(len(s.tail)); at >= end {
		copy(p, s.tail[at-end:])
	}
	return len(p), nil
}

func TestFileOfManyGigabytes(t *testing.T) {
	s := sparse{head: "\x8f\x00\x00\x00\x00\x00\x00\x00" +
		`{"a":{"dtype":"F64","shape":[3,268435456],"data_offsets":[0,6442450944]},` +
		`"b":{"dtype":"F32","shape":[],"data_offsets":[6442450944,6442450948]}}`, tail: "\x00\x00\x80\x3f"}
	f, err := Open(s, s.size())
	if err != nil {
		t.Fatal(err)
	}
	sameTensor(t, f, Tensor{"b", F32, nil, hostFloats(1)})
	if err := f.Verify(); err != nil { // must not read the 6 GiB, which have no checksum
		t.Error(err)
	}
}

func TestReadIntoAllocatesNothing(t *testing.T) {
	data := make([]byte, 3*chunk+8)
	f := openBytes(t, encode(t, []Tensor{{"w", F64, []int{len(data) / 8}, data}}, nil))
	if n := testing.AllocsPerRun(5, func() {
		if err := f.ReadInto("w", data); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func TestConcurrentReads(t *testing.T) {
	tensors := variety()
	f := openBytes(t, encode(t, tensors, nil))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, want := range tensors {
				got := make([]byte, len(want.Data))
				if err := f.ReadInto(want.Name, got); err != nil || !bytes.Equal(got, want.Data) {
					t.Errorf("%q: %v", want.Name, err)
				}
			}
		})
	}
	wg.Wait()
}
