//go:build !purego

package kernel

// spinsPerRound is how often a waiting goroutine looks before it gives others a chance: for one or two microseconds, as relax takes some
// ten nanoseconds.
const spinsPerRound = 40
