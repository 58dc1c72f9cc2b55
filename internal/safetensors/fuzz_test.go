package safetensors

import (
	"bytes"
	"testing"
)

// FuzzOpen reads any bytes as a file: that must not panic, and what opens must come back the same from a file of our own.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(golden))
	for _, c := range published {
		f.Add([]byte(c.file))
	}
	for _, c := range rejected {
		f.Add(append([]byte{byte(len(c.header)), 0, 0, 0, 0, 0, 0, 0}, c.header...))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		opened, tensors, err := load(file)
		if err != nil {
			return
		}
		var list []Tensor
		total := 0
		for _, w := range tensors {
			list = append(list, w)
			total += len(w.Data)
		}
		if total > len(file) {
			t.Fatalf("tensors of %d bytes in a file of %d", total, len(file))
		}
		var b bytes.Buffer
		if err := Write(&b, list, opened.Metadata()); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		again := openBytes(t, b.Bytes())
		if len(again.Names()) != len(list) {
			t.Fatalf("%d tensors came back, want %d", len(again.Names()), len(list))
		}
		for _, want := range list {
			sameTensor(t, again, want)
		}
	})
}
