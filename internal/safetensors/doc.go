// Package safetensors reads and writes the safetensors file format: named tensors and a map of strings, in one file that other
// deep-learning libraries read too.
//
// A file is
//
//	8 bytes   n, the length of the header, little-endian
//	n bytes   a JSON object: {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, …}, and under the
//	          name "__metadata__" an object of strings; spaces at its end make the data start at a multiple of 8
//	the rest  the data: little-endian, row-major, each tensor at its offsets, with no gap, no overlap and nothing behind
//
// Files are deterministic: tensors lie in the order of their element's size, largest first, and then of their names, so that the
// same tensors always give the same bytes and every tensor is aligned to its element.
//
// Write adds checksums to the metadata, under the key "paddle.crc32c": eight hexadecimal digits for the header and eight for the
// data of each tensor, in the order of the data, parted by spaces. They are CRC-32C sums (Castagnoli, Bräuer and Herrmann, 1993). That of
// the header covers everything before the data, with its own digits taken as zeros. Open checks the header's sum, ReadInto the
// tensor's; a file without that key, from another program, is read without them.
//
// The package has its own reader and writer, instead of github.com/nlpodyssey/safetensors, because that one needs the whole file in
// memory, keeps the last of two equal names silently, and has no checksums; its tests use that package as a peer.
package safetensors
