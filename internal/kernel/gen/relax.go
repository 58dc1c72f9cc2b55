package main

import . "github.com/mmcloughlin/avo/build"

// relax writes the function that a waiting goroutine calls in its loop.
func relax() {
	TEXT("relax", NOSPLIT, "func()")
	Doc("relax tells the processor that a loop waits for memory to change, so that it leaves its units to the other thread of the core.")
	PAUSE()
	RET()
}
