// Program gen writes the AVX2 assembly of package kernel: the micro-kernels of the matrix product and the loops that bring its
// operands into panels. It is a module of its own, so that programs that use the library do not depend on the assembler generator.
package main

import "github.com/mmcloughlin/avo/build"

func main() {
	build.ConstraintExpr("!purego")
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
	}
	maxRow(float32s, 8)
	maxRow(float32s, 4)
	maxRow(float64s, 4)
	build.Generate()
}
