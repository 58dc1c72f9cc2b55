package op_test

import (
	"context"
	"fmt"
	"testing"

	"paddle/internal/exec"
	"paddle/op"
)

// One program runs sequences of any number and any lengths, in any order, with the results of a graph made for just those, and without an
// allocation once it has met the largest.
func TestScanAnySizes(t *testing.T) {
	for _, c := range cells {
		for _, reverse := range []bool{false, true} {
			t.Run(fmt.Sprint(c.name, reverse), func(t *testing.T) {
				first := makeWorld(c, []int{1}, reverse, true)
				loss := first.loss(t)
				fetch := nodes(loss)
				for i, d := range op.Gradient(loss, first.wrt...) {
					if d == nil {
						d = op.Zeros(first.wrt[i])
					}
					fetch = append(fetch, op.Densify(d))
				}
				p, err := exec.Compile(first.graph, op.Optimize(first.graph, fetch), exec.Options{Threads: 1})
				if err != nil {
					t.Fatal(err)
				}
				var batches []op.Feeds
				for _, lengths := range [][]int{{2, 1}, {9, 9, 4, 1, 0, 0}, {}, {3}, {0, 0}, {30, 2}, {5, 5, 5, 5, 5}, {7, 3, 1}} {
					w := newWorld(c, lengths, reverse)
					loss := w.loss(t)
					want := nodes(loss)
					for i, d := range op.Gradient(loss, w.wrt...) {
						if d == nil {
							d = op.Zeros(w.wrt[i])
						}
						want = append(want, d)
					}
					values := compute(t, w.graph, w.feeds, want...)
					for k, b := range w.coefs {
						if b.DType != op.InvalidDType {
							w.feeds[fmt.Sprint("k", k+1)] = b.Dense()
						}
					}
					batches = append(batches, w.feeds)
					err := p.Run(context.Background(), w.feeds, 0, func(got []op.Buffer) error {
						for i, b := range got {
							near(t, fmt.Sprint(lengths, want[i].Name()), b.Float64s(), values[i], 1e-12)
						}
						return nil
					})
					if err != nil {
						t.Fatal(lengths, err)
					}
				}
				n := testing.AllocsPerRun(3, func() {
					for _, f := range batches {
						if err := p.Run(context.Background(), f, 0, func([]op.Buffer) error { return nil }); err != nil {
							t.Fatal(err)
						}
					}
				})
				if n > 0 {
					t.Errorf("%d runs allocate %v times", len(batches), n)
				}
			})
		}
	}
}
