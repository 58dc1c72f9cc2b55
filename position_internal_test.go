package paddle

import (
	"math"
	"reflect"
	"testing"
	"time"
)

func TestPositionIsKeptBitForBit(t *testing.T) {
	p := position{epoch: 3, batch: 17, means: means{
		loss: 1.0 / 3, count: math.Nextafter(100, 101), size: size{samples: 100, tokens: 2500}, duration: 123456789 * time.Nanosecond, learningRate: 1e-300,
		metrics: []weighted{{"a", math.Inf(-1), 5}, {"b \"ü\"", math.Copysign(0, -1), math.MaxFloat64}},
	}}
	text, err := p.encode(math.MaxUint64)
	if err != nil {
		t.Fatal(err)
	}
	got, seed, err := decodePosition(text)
	if err != nil || seed != math.MaxUint64 || !reflect.DeepEqual(got, p) || math.Signbit(got.means.metrics[1].sum) != true {
		t.Errorf("got %+v, seed %d, error %v, want %+v", got, seed, err, p)
	}
}

func FuzzDecodePosition(f *testing.F) {
	text, _ := (&position{epoch: 1, batch: 2, means: means{metrics: []weighted{{"a", math.NaN(), 1}}}}).encode(7)
	f.Add(text)
	f.Add(`{"epoch":-1}`)
	f.Add(`{"loss":"x"}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, seed, err := decodePosition(text)
		if err != nil {
			return
		}
		first, err := p.encode(seed)
		if err != nil {
			t.Fatalf("%+v was read and cannot be written: %v", p, err)
		}
		q, seed, err := decodePosition(first)
		if err != nil {
			t.Fatalf("%s was written and cannot be read: %v", first, err)
		}
		if second, _ := q.encode(seed); second != first {
			t.Errorf("got %s, want %s", second, first)
		}
	})
}
