package safetensors

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// hostWords returns the numbers' memory on this machine.
func hostWords[T uint16 | uint32 | uint64](numbers ...T) []byte {
	b, err := binary.Append(nil, binary.NativeEndian, numbers)
	if err != nil {
		panic(err)
	}
	return b
}

// hostFloats returns the memory of float32 numbers on this machine.
func hostFloats(numbers ...float32) []byte {
	var b []byte
	for _, x := range numbers {
		b = append(b, hostWords(math.Float32bits(x))...)
	}
	return b
}

func encode(t testing.TB, tensors []Tensor, metadata map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, tensors, metadata); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func openBytes(t testing.TB, file []byte) *File {
	t.Helper()
	f, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sameTensor checks that f has the tensor want, bit for bit.
func sameTensor(t testing.TB, f *File, want Tensor) {
	t.Helper()
	info, ok := f.Tensor(want.Name)
	if !ok {
		t.Errorf("no tensor %q, the file has %q", want.Name, f.Names())
		return
	}
	if info.DType != want.DType || !slices.Equal(info.Shape, want.Shape) || info.Bytes != int64(len(want.Data)) {
		t.Errorf("tensor %q is %s %v of %d bytes, want %s %v of %d",
			want.Name, info.DType, info.Shape, info.Bytes, want.DType, want.Shape, len(want.Data))
		return
	}
	got := make([]byte, info.Bytes)
	if err := f.ReadInto(want.Name, got); err != nil {
		t.Error(err)
	} else if !bytes.Equal(got, want.Data) {
		t.Errorf("tensor %q has the data %x, want %x", want.Name, got, want.Data)
	}
}
