package safetensors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// variety returns tensors of every element type with scalars, axes of size 0 and 1, and names that need quoting.
func variety() []Tensor {
	r := rand.New(rand.NewPCG(1, 2))
	var tensors []Tensor
	for _, d := range []DType{Bool, U8, I32, I64, F16, BF16, F32, F64, "I8", "U16", "C64", "F8_E4M3"} {
		for _, shape := range [][]int{nil, {1}, {0}, {3, 0, 2}, {5, 7}, {2, 1, 3, 1, 2}} {
			size, err := byteSize(d, shape)
			if err != nil {
				panic(err)
			}
			data := make([]byte, size)
			for i := range data {
				data[i] = byte(r.Uint32())
				if d == Bool {
					data[i] &= 1
				}
			}
			tensors = append(tensors, Tensor{fmt.Sprintf("%s %v", d, shape), d, shape, data})
		}
	}
	for _, name := range []string{"", `a"b\c`, "é\u2028\x00\n", "<weight> & 重み", "conv1.weight", "paddle.crc32c"} {
		tensors = append(tensors, Tensor{name, U8, []int{2}, []byte(fmt.Sprintf("%02d", len(name)))})
	}
	return append(tensors, Tensor{"large", BF16, []int{3, chunk}, bytes.Repeat([]byte{1, 2, 3, 4, 5, 6}, chunk)})
}

func TestRoundTrip(t *testing.T) {
	want := variety()
	metadata := map[string]string{"": "empty key", "step": "12", `"quoted"`: "line\nline", "zz": ""}
	f := openBytes(t, encode(t, want, metadata))
	if got := f.Metadata(); !maps.Equal(got, metadata) {
		t.Errorf("metadata %q, want %q", got, metadata)
	}
	var names []string
	for _, w := range want {
		sameTensor(t, f, w)
		names = append(names, w.Name)
	}
	slices.Sort(names)
	if got := f.Names(); !slices.Equal(got, names) {
		t.Errorf("names %q, want %q", got, names)
	}
	if err := f.Verify(); err != nil {
		t.Error(err)
	}
}

func TestNothingAtAll(t *testing.T) {
	f := openBytes(t, encode(t, nil, nil))
	if len(f.Names()) != 0 || len(f.Metadata()) != 0 {
		t.Errorf("names %q, metadata %q, want none", f.Names(), f.Metadata())
	}
}

func TestSameTensorsGiveSameBytesInAnyOrder(t *testing.T) {
	tensors := variety()
	want := encode(t, tensors, goldenMetadata)
	for range 5 {
		rand.Shuffle(len(tensors), func(i, j int) { tensors[i], tensors[j] = tensors[j], tensors[i] })
		if got := encode(t, tensors, goldenMetadata); !bytes.Equal(got, want) {
			t.Fatal("another order of the tensors gave other bytes")
		}
	}
}

func TestEveryTensorIsAligned(t *testing.T) {
	f := openBytes(t, encode(t, variety(), map[string]string{"k": "v"}))
	if f.start%8 != 0 {
		t.Errorf("data begin at %d, want a multiple of 8", f.start)
	}
	for name, e := range f.entries {
		if size := int64(e.dtype.bits() / 8); (f.start+e.begin)%size != 0 {
			t.Errorf("%s begins at %d, want a multiple of %d", name, f.start+e.begin, size)
		}
	}
}

func TestWriteLeavesItsArgumentsAlone(t *testing.T) {
	tensors, metadata := goldenTensors(), maps.Clone(goldenMetadata)
	encode(t, tensors, metadata)
	if !maps.Equal(metadata, goldenMetadata) {
		t.Errorf("metadata became %q", metadata)
	}
	for i, want := range goldenTensors() {
		if got := tensors[i]; got.Name != want.Name || !bytes.Equal(got.Data, want.Data) {
			t.Errorf("tensor %d became %v, want %v", i, got, want)
		}
	}
}

// A machine of the other byte order must write the same file from its own memory, and get its own memory back.
func TestOtherByteOrder(t *testing.T) {
	tensors := variety()
	want := encode(t, tensors, nil)
	for i := range tensors {
		tensors[i].Data = slices.Clone(tensors[i].Data)
		reverseWords(tensors[i])
	}
	other := !bigEndian()
	var b bytes.Buffer
	if err := write(&b, tensors, nil, other); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Error("the other byte order gives another file")
	}
	f, err := open(bytes.NewReader(want), int64(len(want)), other)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range tensors {
		sameTensor(t, f, w)
	}
}

// reverseWords changes the byte order of a tensor in place, through encoding/binary.
func reverseWords(t Tensor) {
	for p := t.Data; len(p) > 0; {
		switch t.DType {
		case F64, I64:
			binary.BigEndian.PutUint64(p, binary.LittleEndian.Uint64(p))
			p = p[8:]
		case F32, I32, "C64":
			binary.BigEndian.PutUint32(p, binary.LittleEndian.Uint32(p))
			p = p[4:]
		case F16, BF16, "U16":
			binary.BigEndian.PutUint16(p, binary.LittleEndian.Uint16(p))
			p = p[2:]
		default:
			return
		}
	}
}
