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
			Dropout(Stream{}, 0, 0.5, 2, x, x)
		}
	})
}
