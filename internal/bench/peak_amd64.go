//go:build !purego

package main

import "golang.org/x/sys/cpu"

var haveFMA = cpu.X86.HasAVX && cpu.X86.HasFMA

// flopsOfRound is the floating-point operations of a round: 12 multiply-adds of vectors of 8.
const flopsOfRound = 12 * 8 * 2

// multiplyAdds does rounds of multiply-adds that depend on nothing but the same one of the round before: as many as a processor needs that
// begins two every cycle and takes up to six for each.
//
//go:noescape
func multiplyAdds(rounds int)
