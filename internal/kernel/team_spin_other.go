//go:build !amd64 || purego

package kernel

// spinsPerRound is how often a waiting goroutine looks before it gives others a chance: for about a microsecond.
const spinsPerRound = 1000

// relax is nothing that plain Go can do.
func relax() {}
