package sequence_test

import (
	"math"
	"testing"

	"paddle/op"
	"paddle/sequence"
)

// TestCrossEntropy: the mean over all tokens that count, the same bits in either order, with labels that were fed by themselves.
func TestCrossEntropy(t *testing.T) {
	g := op.NewGraph(nil)
	logits := sequence.Input(g, "x", op.Float64, 3)
	labels := sequence.Input(g, "y", op.Int32)
	p := logits.Pack()
	packed := p.Of(p.Rows)
	loss, other := sequence.CrossEntropy(logits, labels), sequence.CrossEntropy(packed, labels)
	right, same := sequence.Accuracy(logits, labels), sequence.Accuracy(packed, labels)
	slopes := []*op.Node{op.Gradient(loss, logits.Rows())[0], op.Gradient(other, logits.Rows())[0]}
	x := [][]float64{{1, 2, 3, 0.5, 0, -1}, {}, {0.25, 0.5, 1, 3, 1, 2, -1, 0, 1}}
	y := [][]int32{{2, 1}, {}, {op.IgnoreLabel, 0, 0}}
	feeds := batch(t, x, 3).Feeds("x")
	batch(t, y).Feed(feeds, "y")
	out := predict(t, feeds, loss, other, op.Count(loss), right, same, op.Count(right), slopes[0], slopes[1])
	want, slope, hits := 0.0, []float64(nil), float32(0)
	for i, s := range x {
		for j, row := range rowsOf(s, 3) {
			label, sum := int(y[i][j]), 0.0
			for _, v := range row {
				sum += math.Exp(v)
			}
			for k, v := range row {
				switch {
				case label == op.IgnoreLabel:
					slope = append(slope, 0)
				case k == label:
					slope = append(slope, (math.Exp(v)/sum-1)/4)
					want += (math.Log(sum) - v) / 4
				default:
					slope = append(slope, math.Exp(v)/sum/4)
				}
			}
			if label >= 0 && row[label] == max(row[0], row[1], row[2]) {
				hits++
			}
		}
	}
	if got, again := out[0].Data().(float64), out[1].Data().(float64); math.Abs(got-want) > 1e-14 || got != again {
		t.Errorf("loss %v and %v, want %v", got, again, want)
	}
	for i, want := range map[int]float32{2: 4, 3: hits / 4, 4: hits / 4, 5: 4} {
		if got := out[i].Data().(float32); got != want {
			t.Errorf("output %d is %v, want %v", i, got, want)
		}
	}
	for i := range slopes {
		if d := differ(data[float64](t, out[6+i]), slope, 1e-14); d != "" {
			t.Errorf("gradient %d: %s", i, d)
		}
	}
}
