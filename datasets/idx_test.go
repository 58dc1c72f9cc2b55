package datasets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"
	"testing/iotest"
)

// idx returns an IDX file of unsigned bytes.
func idx(data []byte, shape ...int) []byte {
	file := binary.BigEndian.AppendUint32(nil, uint32(0x800+len(shape)))
	for _, n := range shape {
		file = binary.BigEndian.AppendUint32(file, uint32(n))
	}
	return append(file, data...)
}

func TestReadIDX(t *testing.T) {
	// By hand, from the format's description: magic 2051, 2 images of 1×3.
	file := []byte{0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 10, 11, 12, 250, 251, 252}
	for _, r := range []bool{false, true} {
		from := bytes.NewReader(file)
		got, err := ReadIDX(from)
		if r {
			from.Reset(file)
			got, err = ReadIDX(iotest.OneByteReader(from))
		}
		if err != nil {
			t.Fatal(err)
		}
		same(t, "shape", got.Shape(), []int{2, 1, 3})
		same(t, "elements", got.Data().([]uint8), []uint8{10, 11, 12, 250, 251, 252})
	}
}

func TestT02ReadIDXDamaged(t *testing.T) {
	file := idx(make([]byte, 12), 3, 4)
	for cut := range file {
		if _, err := ReadIDX(bytes.NewReader(file[:cut])); err == nil {
			t.Errorf("a file cut at %d of %d was taken", cut, len(file))
		}
	}
	for at := range 12 { // every bit of the header
		for bit := range 8 {
			flipped := bytes.Clone(file)
			flipped[at] ^= 1 << bit
			if _, err := ReadIDX(bytes.NewReader(flipped)); err == nil {
				t.Errorf("a file with bit %d of byte %d flipped was taken", bit, at)
			}
		}
	}
	for want, file := range map[string][]byte{
		"it ends within the header":                                  {0, 0, 8},
		"the magic number is 2048, want 2049 to 2056":                idx(nil),
		"the magic number is 3331, want 2049 to 2056":                {0, 0, 13, 3, 0, 0, 0, 1, 1},
		"it goes on after 12 elements":                               append(bytes.Clone(file), 0),
		"it ends after 11 of 12 elements":                            file[:len(file)-1],
		"too many elements":                                          idx(nil, 1<<31, 1<<31, 1<<31),
		"the shape is (0, 28, 28), want at least one element":        idx(nil, 0, 28, 28),
		"it ends after 5 of 1099511627775 elements":                  idx(make([]byte, 5), 1<<20+1, 1<<20-1),
		"datasets.ReadIDX: the magic number is 0, want 2049 to 2056": make([]byte, 100),
	} {
		_, err := ReadIDX(bytes.NewReader(file))
		contains(t, err, want)
	}
}

func TestReadIDXError(t *testing.T) {
	file := idx(make([]byte, 12), 3, 4)
	_, err := ReadIDX(iotest.TimeoutReader(iotest.HalfReader(bytes.NewReader(file))))
	if err == nil {
		t.Error("an error of the reader was lost")
	}
}

func FuzzReadIDX(f *testing.F) {
	f.Add(idx([]byte{1, 2, 3, 4, 5, 6}, 3, 1, 2))
	f.Add(idx([]byte{7}, 1))
	f.Add(idx(nil, 0))
	f.Add(idx(nil, 1<<31, 1<<31, 0, 1<<31))
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := ReadIDX(bytes.NewReader(file))
		if err != nil {
			return
		}
		if again := idx(got.Data().([]uint8), got.Shape()...); !bytes.Equal(again, file) {
			t.Errorf("%x was read as %x", file, again)
		}
	})
}

func ExampleReadIDX() {
	labels := []byte{0, 0, 8, 1, 0, 0, 0, 3, 5, 0, 4} // magic 2049, three labels
	t, err := ReadIDX(bytes.NewReader(labels))
	fmt.Println(t, err)
	// Output: [5  0  4] <nil>
}
