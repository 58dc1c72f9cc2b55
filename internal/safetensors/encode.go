package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// encodeHeader returns the file up to its data: the length, the JSON with the checksums of the data, and that of the header itself.
// A JSON of more than limit bytes is an error.
func encodeHeader(entries []entry, metadata map[string]string, limit int) ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, lengthSize))
	b.WriteString(`{` + quote(metadataName) + `:{`)
	sumsAt := encodeMetadata(b, metadata, formatSums(entries))
	b.WriteByte('}')
	for _, e := range entries {
		fmt.Fprintf(b, `,%s:{"dtype":%s,"shape":[`, quote(e.name), quote(string(e.dtype)))
		for i, n := range e.shape {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprint(b, n)
		}
		fmt.Fprintf(b, `],"data_offsets":[%d,%d]}`, e.begin, e.end)
	}
	b.WriteByte('}')
	for b.Len()%8 != 0 {
		b.WriteByte(' ')
	}
	head := b.Bytes()
	n := len(head) - lengthSize
	if n > limit {
		return nil, fmt.Errorf("header of %d bytes, the format allows %d: too many tensors or too much metadata", n, limit)
	}
	binary.LittleEndian.PutUint64(head, uint64(n))
	copy(head[sumsAt:], fmt.Sprintf("%0*x", digits, headerSum(head, sumsAt)))
	return head, nil
}

// encodeMetadata writes the members of the metadata by sorted keys, and returns the offset of the checksums among them.
func encodeMetadata(b *bytes.Buffer, metadata map[string]string, sums string) (sumsAt int) {
	all := map[string]string{sumsKey: sums}
	maps.Copy(all, metadata)
	for i, key := range slices.Sorted(maps.Keys(all)) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(key) + `:`)
		if key == sumsKey {
			sumsAt = b.Len() + 1
		}
		b.WriteString(quote(all[key]))
	}
	return sumsAt
}

// quote returns s, which is valid UTF-8, as a JSON string.
func quote(s string) string {
	text, _ := json.Marshal(s) // every string has a JSON form
	return string(text)
}
