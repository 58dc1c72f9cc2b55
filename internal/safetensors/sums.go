package safetensors

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// sumsKey is the metadata key of the checksums.
const sumsKey = "paddle.crc32c"

// digits is the length of a checksum in the file.
const digits = 8

// castagnoli is the polynomial of CRC-32C, which finds every change within 32 bits in a row and has an instruction on most CPUs.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// formatSums prints the checksums of the data after digits zeros, the place of the header's own.
func formatSums(entries []entry) string {
	var b strings.Builder
	b.WriteString(strings.Repeat("0", digits))
	for _, e := range entries {
		fmt.Fprintf(&b, " %08x", e.sum)
	}
	return b.String()
}

// takeSums moves the checksums from the metadata to the entries and checks that of the header. raw is the file up to its data.
func (h *header) takeSums(raw []byte) error {
	if h.sumsEnd == 0 {
		return nil
	}
	text := h.metadata[sumsKey]
	delete(h.metadata, sumsKey)
	sums, err := parseSums(text, len(h.entries)+1)
	if err != nil {
		return fmt.Errorf("metadata %s: %w", sumsKey, err)
	}
	begin := lengthSize + int(h.sumsEnd) - 1 - len(text) // behind the opening quote
	if string(raw[begin:][:len(text)]) != text {
		return fmt.Errorf("metadata %s: has escaped characters, want plain digits", sumsKey)
	}
	if got := headerSum(raw, begin); got != sums[0] {
		return errors.New("header does not fit its checksum: damaged, or changed by another program that kept the metadata " + sumsKey)
	}
	for i := range h.entries {
		h.entries[i].sum = sums[i+1]
	}
	return nil
}

// headerSum returns the checksum of raw, the file up to its data, with the digits at the offset begin taken as zeros.
func headerSum(raw []byte, begin int) uint32 {
	sum := crc32.Update(0, castagnoli, raw[:begin])
	sum = crc32.Update(sum, castagnoli, []byte(strings.Repeat("0", digits)))
	return crc32.Update(sum, castagnoli, raw[begin+digits:])
}

// parseSums reads n checksums in exactly the form of formatSums.
func parseSums(text string, n int) ([]uint32, error) {
	words := strings.Split(text, " ")
	if len(words) != n {
		return nil, fmt.Errorf("has %d checksums, want %d, one for the header and one for each tensor", len(words), n)
	}
	sums := make([]uint32, n)
	for i, w := range words {
		sum, err := strconv.ParseUint(w, 16, 32)
		if err != nil || w != fmt.Sprintf("%08x", sum) {
			return nil, fmt.Errorf("has the checksum %q, want %d digits 0 to f", w, digits)
		}
		sums[i] = uint32(sum)
	}
	return sums, nil
}
