package main

// products writes the micro-kernels of the matrix product, the loops that bring their operands into panels, and pooling.
func products() {
	for _, e := range []element{float32s, float64s} {
		for height := 1; height <= 6; height++ {
			tile(e, height, 1)
			tile(e, height, 2)
		}
		tile(e, 1, 8)
		tile(e, 2, 4)
		split(e, 1)
		split(e, 2)
		gather(e)
		scatter(e)
		transpose(e)
		dots(e, 1)
		dots(e, 2)
		maxRow(e, e.lanes())
	}
	maxRow(float32s, 4)
	relax()
}

// wideProducts writes the same for AVX-512. Fourteen rows of two vectors are as many sums as its registers have room for.
func wideProducts() {
	widen()
	for _, e := range []element{float32s, float64s} {
		wideTiles(e)
		split(e, 1)
		split(e, 2)
		gather(e)
		scatter(e)
		transpose(e)
		maxRow(e, e.lanes())
	}
}

// wideTiles writes the micro-kernels of AVX-512.
func wideTiles(e element) {
	for height := 1; height <= 14; height++ {
		tile(e, height, 1)
		tile(e, height, 2)
	}
	tile(e, 1, 8)
	tile(e, 2, 4)
	tile(e, 3, 4)
}
