package main

import (
	"paddle/internal/bench/timing"
	"paddle/internal/kernel"
)

// peak returns the floating-point operations in float32 that one core was seen to do a second at most: multiply-adds on registers where the
// processor's instructions for them are known, else a product that stays in the caches.
func peak() float64 {
	const tries = 40
	const rounds = 500_000
	work, flop := func() { multiplyAdds(rounds) }, float64(rounds*flopsOfRound)
	if !haveFMA {
		p := product{m: 256, n: 256, k: 256}
		g := gemm[float32](p)
		work, flop = func() { g.Run(kernel.Workers(), 1) }, float64(p.flops())
	}
	best := 0.0
	for range tries {
		at := timing.CPU()
		work()
		if t := timing.CPU() - at; t > 0 {
			best = max(best, flop/t)
		}
	}
	return best
}
