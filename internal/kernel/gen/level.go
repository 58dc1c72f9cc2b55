package main

import . "github.com/mmcloughlin/avo/build"

// The vector registers of the set that is being written: their bytes, and what makes one. They are those of AVX2 until wide is called.
var (
	vectorSize = 32
	vector     = YMM
)
