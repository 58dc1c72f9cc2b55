//go:build !unix

package timing

// CPU is the wall time where the system does not tell.
func CPU() float64 { return wall() }

// PeakMemory is 0 where the system does not tell.
func PeakMemory() float64 { return 0 }
