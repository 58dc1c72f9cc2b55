package safetensors

import (
	"bytes"
	"strings"
	"testing"
)

// load opens a file and reads all of its tensors.
func load(file []byte) (*File, map[string]Tensor, error) {
	f, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, nil, err
	}
	tensors := make(map[string]Tensor)
	for _, name := range f.Names() {
		info, _ := f.Tensor(name)
		data := make([]byte, info.Bytes)
		if err := f.ReadInto(name, data); err != nil {
			return nil, nil, err
		}
		tensors[name] = Tensor{name, info.DType, info.Shape, data}
	}
	return f, tensors, nil
}

func TestEveryTruncationIsAnError(t *testing.T) {
	for n := range len(golden) {
		if _, _, err := load([]byte(golden[:n])); err == nil {
			t.Errorf("the first %d of %d bytes load without an error", n, len(golden))
		}
	}
}

func TestEveryTruncationOfAFileWithoutChecksumsIsAnError(t *testing.T) {
	for _, c := range published {
		for n := range len(c.file) {
			if _, _, err := load([]byte(c.file[:n])); err == nil {
				t.Errorf("%s: the first %d of %d bytes load without an error", c.name, n, len(c.file))
			}
		}
	}
}

// A changed byte may go unseen only in the key of the checksums, which hides them and leaves every tensor as it was.
func TestEveryChangedByteIsAnError(t *testing.T) {
	key := strings.Index(golden, sumsKey)
	for at := range len(golden) {
		for change := 1; change < 256; change++ {
			file := []byte(golden)
			file[at] ^= byte(change)
			f, _, err := load(file)
			if err != nil {
				continue
			}
			if at < key || at >= key+len(sumsKey) {
				t.Fatalf("byte %d changed from %q to %q loads without an error", at, golden[at], file[at])
			}
			for _, want := range goldenTensors() {
				sameTensor(t, f, want)
			}
		}
	}
}

func TestDamageIsFoundWithItsTensor(t *testing.T) {
	file := []byte(golden)
	file[len(file)-1] = 0 // the last element of fc.mask
	f := openBytes(t, file)
	const want = `tensor "fc.mask": file is damaged: its data have the CRC-32C `
	if err := f.Verify(); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("Verify: %v, want %s…", err, want)
	}
	if err := f.ReadInto("fc.mask", make([]byte, 3)); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("ReadInto: %v, want %s…", err, want)
	}
	sameTensor(t, f, Tensor{"fc.bias", F32, []int{2}, hostFloats(1.5, -2)}) // the others stay readable
}

func TestTrailingBytesAreAnError(t *testing.T) {
	_, _, err := load([]byte(golden + "\x00"))
	const want = "not a safetensors file: 20 bytes of data follow the header, want the 19 of its tensors"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
