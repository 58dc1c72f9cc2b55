package kernel

import (
	"math/rand/v2"
	"testing"
)

func TestVectorsStayInTheirSlices(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testVectorsStay(t, front, vectorCases[float32]())
		testVectorsStay(t, front, vectorCases[float64]())
	})
}

func testVectorsStay[T Float](t *testing.T, front bool, cases []vectorCase[T]) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for n := range 20 {
				s := c.arguments(r, n)
				for i := range s {
					s[i] = guarded(t, s[i], front)
				}
				c.run(s)
			}
		})
	}
}

func TestSumsStayInTheirSlices(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testSumsStay(t, front, sumCases[float32]())
		testSumsStay(t, front, sumCases[float64]())
	})
}

func testSumsStay[T Float](t *testing.T, front bool, cases []sumCase[T]) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for n := 0; n < 300; n += 1 + n/20 {
				x, y := guarded(t, random[T](r, n), front), guarded(t, random[T](r, n), front)
				a := guarded(t, random[float64](r, n), front)
				c.run(x, y, guarded(t, random[float64](r, n), front), a, guarded(t, random[float64](r, n), front))
			}
		})
	}
}

func TestConversionsAndRandomWordsStayInTheirSlices(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		for n := range 100 {
			x, halves := guarded(t, make([]float32, n), front), guarded(t, make([]uint16, n), front)
			EncodeBFloat16(x, halves)
			DecodeBFloat16(halves, x)
			EncodeFloat16(x, halves)
			DecodeFloat16(halves, x)
			Uniform(Stream{}, 0, -1, 1, x)
			Normal(Stream{}, 0, 0, 1, x)
			testCastsStay(t, n, front)
			Dropout(Stream{}, 0, 0.5, 2, x, x)
		}
	})
}

// testCastsStay calls what converts, compares or chooses n elements.
func testCastsStay(t *testing.T, n int, front bool) {
	singles, doubles := guarded(t, make([]float32, n), front), guarded(t, make([]float64, n), front)
	ints, longs := guarded(t, make([]int32, n), front), guarded(t, make([]int64, n), front)
	octets, bools := guarded(t, make([]uint8, n), front), guarded(t, make([]bool, n), front)
	Convert(ints, singles)
	Convert(ints, doubles)
	Convert(ints, longs)
	Convert(longs, ints)
	Convert(octets, singles)
	Convert(octets, ints)
	Convert(octets, longs)
	Convert(singles, doubles)
	Convert(doubles, singles)
	Truncate(singles, ints)
	Truncate(singles, octets)
	IsFinite(singles, bools)
	IsFinite(doubles, bools)
	compareAll(singles, bools)
	compareAll(doubles, bools)
	compareAll(ints, bools)
	compareAll(longs, bools)
	words, pairs := guarded(t, make([]uint32, n), front), guarded(t, make([]uint64, n), front)
	Where(bools, words, words, words)
	Where(bools, pairs, []uint64{1}, pairs)
	And(bools, bools, bools)
	Not(bools, bools)
}

func compareAll[T Number](x []T, y []bool) {
	for _, c := range compareCases[T]() {
		c.f(x, x, y)
		c.f(x, []T{1}, y)
		c.f([]T{1}, x, y)
	}
}
