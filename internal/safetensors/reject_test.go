package safetensors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// rejected are headers, the bytes of data behind them, and what the error must say.
var rejected = []struct {
	header string
	data   int
	want   string
}{
	{``, 0, "does not begin with {"},
	{` {}`, 0, "does not begin with {"},
	{`[]`, 0, "does not begin with {"},
	{`{`, 0, "not valid JSON"},
	{`{}}`, 0, "not valid JSON"},
	{`{"w":}`, 0, "not valid JSON"},
	{`{"w":{"dtype":"U8","shape":[1,],"data_offsets":[0,1]}}`, 1, "not valid JSON"},
	{"{\"\xff\":{}}", 0, "not valid UTF-8"},
	{`{"w":1}`, 0, `tensor "w": 1 stands where "{" should`},
	{`{"w":null}`, 0, `tensor "w": <nil> stands where "{" should`},
	{`{"w":{}}`, 0, `tensor "w": has 0 of the keys`},
	{`{"w":{"dtype":"U8","shape":[1]}}`, 1, `tensor "w": has 2 of the keys`},
	{`{"w":{"dtype":"U8","dtype":"U8","shape":[1]}}`, 1, `tensor "w": "dtype" comes twice`},
	{`{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"x":[]}}`, 1, `tensor "w": has the key "x"`},
	{`{"w":{"dtype":"U8","shape":[1],"offsets":[0,1]}}`, 1, `tensor "w": has the key "offsets"`},
	{`{"w":{"dtype":8,"shape":[1],"data_offsets":[0,1]}}`, 1, `tensor "w": 8 stands where a string should`},
	{`{"w":{"dtype":"Q8","shape":[1],"data_offsets":[0,1]}}`, 1, `tensor "w": has dtype "Q8"`},
	{`{"w":{"dtype":"F4","shape":[3],"data_offsets":[0,1]}}`, 1, `tensor "w": has shape (3), want whole bytes of F4`},
	{`{"w":{"dtype":"U8","shape":1,"data_offsets":[0,1]}}`, 1, `tensor "w": 1 stands where "[" should`},
	{`{"w":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}}`, 1, `tensor "w": 1 stands where a number should`},
	{`{"w":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}}`, 1, `tensor "w": [ stands where a number should`},
	{`{"w":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}}`, 1, `tensor "w": -1 stands where a whole number`},
	{`{"w":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}}`, 1, `tensor "w": 1.0 stands where a whole number`},
	{`{"w":{"dtype":"U8","shape":[1e0],"data_offsets":[0,1]}}`, 1, `tensor "w": 1e0 stands where a whole number`},
	{`{"w":{"dtype":"U8","shape":[18446744073709551617],"data_offsets":[0,1]}}`, 1, `tensor "w": 18446744073709551617 stands where`},
	{`{"w":{"dtype":"U8","shape":[1],"data_offsets":[0]}}`, 1, `tensor "w": has 1 data_offsets, want 2`},
	{`{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1,2]}}`, 1, `tensor "w": has 3 data_offsets, want 2`},
	{`{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,9223372036854775808]}}`, 1, `tensor "w": 9223372036854775808 stands where`},
	{`{"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,16]}}`, 16, `tensor "w": has 16 bytes of data, want 24 for F32 (2, 3)`},
	{`{"w":{"dtype":"F32","shape":[],"data_offsets":[0,0]}}`, 0, `tensor "w": has 0 bytes of data, want 4 for F32 ()`},
	{`{"w":{"dtype":"U8","shape":[2],"data_offsets":[2,0]}}`, 2, `tensor "w": data ends at 0, before it begins at 2`},
	{`{"w":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}`, 1, `tensor "w": data ends at 2, but only 1 bytes`},
	{`{"w":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}`, 3, `3 bytes of data follow the header, want the 2`},
	{`{"w":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, 3, `tensor "w": data begins at 1, and nothing describes the bytes from 0`},
	{`{"v":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"w":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, 3,
		`tensor "w": data begins at 1, inside of the tensor that ends at 2`},
	{`{"v":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"w":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}`, 3,
		`tensor "w": data begins at 2, and nothing describes the bytes from 1`},
	{`{"v":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"w":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}`, 2,
		`tensor "w": data begins at 0, inside of the tensor that ends at 2`},
	{`{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"\u0077":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 2, `"w" comes twice`},
	{`{"w":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, 0, `tensor "w": `}, // 2^64 elements would wrap to 0
	{`{"w":{"dtype":"F64","shape":[1152921504606846976],"data_offsets":[0,0]}}`, 0, `tensor "w": `},  // 2^63 bytes would turn negative
	{`{"w":{"dtype":"U8","shape":[0,4611686018427387904,4],"data_offsets":[0,0]}}`, 0, `tensor "w": `},
	{`{"__metadata__":[]}`, 0, `__metadata__: [ stands where "{" should`},
	{`{"__metadata__":{"a":1}}`, 0, `__metadata__: "a": 1 stands where a string should`},
	{`{"__metadata__":{"a":"1","a":"1"}}`, 0, `__metadata__: "a" comes twice`},
	{`{"__metadata__":{},"__metadata__":{}}`, 0, `"__metadata__" comes twice`},
	{`{"__metadata__":{"paddle.crc32c":""}}`, 0, `metadata paddle.crc32c: has the checksum "", want 8 digits`},
	{`{"__metadata__":{"paddle.crc32c":"0000000A"}}`, 0, `metadata paddle.crc32c: has the checksum "0000000A", want 8 digits`},
	{`{"__metadata__":{"paddle.crc32c":"+0000001"}}`, 0, `metadata paddle.crc32c: has the checksum "+0000001", want 8 digits`},
	{`{"__metadata__":{"paddle.crc32c":"00000000 00000000"}}`, 0, `metadata paddle.crc32c: has 2 checksums, want 1`},
	{`{"__metadata__":{"paddle.crc32c":"\u0061aaaaaaa"}}`, 0, `metadata paddle.crc32c: has escaped characters`},
	{`{"__metadata__":{"paddle.crc32c":"00000000"}}`, 0, `header does not fit its checksum`},
}

func TestBadHeadersAreErrors(t *testing.T) {
	for _, c := range rejected {
		file := binary.LittleEndian.AppendUint64(nil, uint64(len(c.header)))
		file = append(append(file, c.header...), make([]byte, c.data)...)
		_, err := Open(bytes.NewReader(file), int64(len(file)))
		if err == nil || !strings.HasPrefix(err.Error(), "not a safetensors file: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %d bytes of data: got %v, want %s", c.header, c.data, err, c.want)
		}
	}
}

func TestBadLengthsAreErrors(t *testing.T) {
	for _, c := range []struct {
		file, want string
	}{
		{"", "not a safetensors file: has 0 bytes, want at least 8"},
		{"\x00\x00\x00", "not a safetensors file: has 3 bytes, want at least 8"},
		{"\x03\x00\x00\x00\x00\x00\x00\x00{}", "not a safetensors file: header of 3 bytes in a file of 10"},
		{"\x01\xe1\xf5\x05\x00\x00\x00\x00{}", "not a safetensors file: header of 100000001 bytes, want at most 100000000"},
		{"\xff\xff\xff\xff\xff\xff\xff\xff{}", "not a safetensors file: header of 18446744073709551615 bytes, want at most 100000000"},
		{"PK\x03\x04 this is a zip archive", "not a safetensors file: header of "},
	} {
		_, err := Open(strings.NewReader(c.file), int64(len(c.file)))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.file, err, c.want)
		}
	}
}

func TestWriteRejectsBadTensors(t *testing.T) {
	one := []byte{1}
	for _, c := range []struct {
		tensors  []Tensor
		metadata map[string]string
		want     string
	}{
		{[]Tensor{{"w", U8, []int{1}, one}, {"w", U8, []int{1}, one}}, nil, `tensor "w": two tensors have this name`},
		{[]Tensor{{"__metadata__", U8, []int{1}, one}}, nil, `tensor "__metadata__": the format keeps this name for itself`},
		{[]Tensor{{"\xff", U8, []int{1}, one}}, nil, `tensor "\xff": name is not valid UTF-8`},
		{[]Tensor{{"w", F32, []int{1}, one}}, nil, `tensor "w": has 1 bytes of data, want 4 for F32 (1)`},
		{[]Tensor{{"w", Bool, []int{2}, []byte{1, 3}}}, nil, `tensor "w": has an element that is neither 0 nor 1`},
		{[]Tensor{{"w", U8, []int{-1}, nil}}, nil, `tensor "w": has shape (-1), want no negative size`},
		{[]Tensor{{"w", "", []int{1}, one}}, nil, `tensor "w": has dtype "", want one of the format's, such as F32`},
		{[]Tensor{{"w", U8, []int{math.MaxInt, math.MaxInt, 4}, one}}, nil, `tensor "w": has shape (`},
		{nil, map[string]string{"paddle.crc32c": "0"}, `metadata "paddle.crc32c": the key is kept for the checksums`},
		{nil, map[string]string{"a": "\xff"}, `metadata "a": not valid UTF-8`},
		{nil, map[string]string{"\xff": "a"}, `metadata "\xff": not valid UTF-8`},
	} {
		var b bytes.Buffer
		err := Write(&b, c.tensors, c.metadata)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if b.Len() > 0 {
			t.Errorf("%s: %d bytes were written before the error", c.want, b.Len())
		}
	}
}

func TestWriteRejectsAHeaderThatNobodyReads(t *testing.T) {
	entries := []entry{{name: "w", dtype: U8}}
	head, err := encodeHeader(entries, nil, maxHeader)
	if err != nil {
		t.Fatal(err)
	}
	n := len(head) - lengthSize
	if _, err := encodeHeader(entries, nil, n); err != nil {
		t.Error(err)
	}
	want := fmt.Sprintf("header of %d bytes, the format allows %d", n, n-1)
	if _, err := encodeHeader(entries, nil, n-1); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
