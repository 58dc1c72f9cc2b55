package safetensors

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	peer "github.com/nlpodyssey/safetensors"
)

// peerKnows lists the element types of the peer.
var peerKnows = []DType{Bool, U8, I32, I64, F16, BF16, F32, F64, "I8", "U16"}

// peerVariety returns the tensors of variety that the peer reads.
func peerVariety() []Tensor {
	return slices.DeleteFunc(variety(), func(t Tensor) bool { return !slices.Contains(peerKnows, t.DType) })
}

func littleEndianOnly(t *testing.T) {
	if bigEndian() {
		t.Skip("the peer gives the file's bytes, not this machine's")
	}
}

func TestPeerReadsOurFiles(t *testing.T) {
	littleEndianOnly(t)
	tensors := peerVariety()
	got, err := peer.Deserialize(encode(t, tensors, goldenMetadata))
	if err != nil {
		t.Fatal(err)
	}
	if got.Len() != len(tensors) {
		t.Errorf("%d tensors, want %d", got.Len(), len(tensors))
	}
	for _, want := range tensors {
		v, ok := got.Tensor(want.Name)
		if !ok || v.DType().String() != string(want.DType) || !slices.Equal(v.Shape(), peerShape(want.Shape)) || !bytes.Equal(v.Data(), want.Data) {
			t.Errorf("%q: the peer has %v %v", want.Name, v.DType(), v.Shape())
		}
	}
}

func TestWeReadThePeersFiles(t *testing.T) {
	littleEndianOnly(t)
	tensors := slices.DeleteFunc(peerVariety(), func(t Tensor) bool { return t.Shape == nil }) // the peer refuses to make scalars
	views := make(map[string]peer.TensorView)
	for _, want := range tensors {
		d, err := peer.ParseDType(string(want.DType))
		if err != nil {
			t.Fatal(err)
		}
		if views[want.Name], err = peer.NewTensorView(d, peerShape(want.Shape), want.Data); err != nil {
			t.Fatal(err)
		}
	}
	file, err := peer.Serialize(views, goldenMetadata)
	if err != nil {
		t.Fatal(err)
	}
	f := openBytes(t, file)
	if !maps.Equal(f.Metadata(), goldenMetadata) {
		t.Errorf("metadata %q, want %q", f.Metadata(), goldenMetadata)
	}
	for _, want := range tensors {
		sameTensor(t, f, want)
	}
}

func peerShape(shape []int) []uint64 {
	sizes := make([]uint64, len(shape))
	for i, n := range shape {
		sizes[i] = uint64(n)
	}
	return sizes
}
