package main

// vectors writes the element-wise functions.
func vectors() {
	for _, e := range []element{float32s, float64s} {
		binaries(e)
		updates(e)
	}
}
