//go:build !unix

package main

// cpuTime is the wall time where the system does not tell.
func cpuTime() float64 { return wallTime() }

// peakMemory is 0 where the system does not tell.
func peakMemory() float64 { return 0 }
