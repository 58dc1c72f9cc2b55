package safetensors

import (
	"bytes"
	"testing"
)

// published are files written out by hand from the format's description; the first two are the examples of its reference
// implementation.
var published = []struct {
	name, file, tensor string
	want               Info
	data               []byte
}{
	{
		"int32 zeros",
		"<\x00\x00\x00\x00\x00\x00\x00" + `{"test":{"dtype":"I32","shape":[2,2],"data_offsets":[0,16]}}` + zeros16,
		"test", Info{I32, []int{2, 2}, 16}, []byte(zeros16),
	},
	{
		"spaces behind the header",
		"\x48\x00\x00\x00\x00\x00\x00\x00" + `{"attn0":{"dtype":"F32","shape":[1,1,2,3],"data_offsets":[0,24]}}       ` + zeroToFive,
		"attn0", Info{F32, []int{1, 1, 2, 3}, 24}, hostFloats(0, 1, 2, 3, 4, 5),
	},
	{
		"other order, white space, scalar, metadata",
		"\x96\x00\x00\x00\x00\x00\x00\x00" +
			`{ "b" : {"shape":[],"data_offsets":[1, 5],"dtype":"F32"},` + "\n" +
			`"__metadata__":{"format":"pt"}, "\u0061" : {"dtype":"U8","shape":[1],"data_offsets":[0,1]} }` + "\x07\x00\x00\x80\x3f",
		"b", Info{F32, nil, 4}, hostFloats(1),
	},
}

const (
	zeros16    = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	zeroToFive = "\x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\x40\x00\x00\xa0\x40"
)

func TestPublishedFiles(t *testing.T) {
	for _, c := range published {
		t.Run(c.name, func(t *testing.T) {
			f, err := Open(bytes.NewReader([]byte(c.file)), int64(len(c.file)))
			if err != nil {
				t.Fatal(err)
			}
			sameTensor(t, f, Tensor{c.tensor, c.want.DType, c.want.Shape, c.data})
		})
	}
}

// The golden file was put together by another program from the package's description; its sums come from shifting bit by bit through
// the reversed polynomial 0x82f63b78, whose published check value for "123456789" is e3069283.
const golden = "\x50\x01\x00\x00\x00\x00\x00\x00" +
	`{"__metadata__":{"note":"tiny","paddle.crc32c":"b16d926f 7671b78e a432a922 374eb207 00000000"},` +
	`"step":{"dtype":"I64","shape":[],"data_offsets":[0,8]},` +
	`"fc.bias":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},` +
	`"fc.mask":{"dtype":"BOOL","shape":[3,1],"data_offsets":[16,19]},` +
	`"none":{"dtype":"U8","shape":[0,4],"data_offsets":[19,19]}}   ` +
	"\x07\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\xc0\x3f\x00\x00\x00\xc0" + "\x01\x00\x01"

// goldenTensors are the tensors of the golden file, in an order that is not the file's.
func goldenTensors() []Tensor {
	return []Tensor{
		{"fc.mask", Bool, []int{3, 1}, []byte{1, 0, 1}},
		{"fc.bias", F32, []int{2}, hostFloats(1.5, -2)},
		{"none", U8, []int{0, 4}, nil},
		{"step", I64, nil, hostWords[uint64](7)},
	}
}

var goldenMetadata = map[string]string{"note": "tiny"}

func TestWriteGivesTheGoldenBytes(t *testing.T) {
	if got := string(encode(t, goldenTensors(), goldenMetadata)); got != golden {
		t.Errorf("got\n%q\nwant\n%q", got, golden)
	}
}
