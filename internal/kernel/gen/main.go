// Program gen writes the AVX2 assembly of package kernel: the micro-kernels of the matrix product, the loops that bring their
// operands into panels, and pooling. It is a module of its own, so that programs that use the library do not depend on the generator.
//
//	go run .         writes the two files beside this directory
//	go run . -check  fails unless they are what it would write
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/build"
)

// files are what is written, by the flag of avo that says where to.
var files = map[string]string{"out": "avx2_amd64.s", "stubs": "avx2_amd64.go"}

func main() {
	check := flag.Bool("check", false, "compare instead of writing")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run generates the files in the directory above, or elsewhere to compare them.
func run(check bool) error {
	os.Args = os.Args[:1] // they would be written into the files
	if !check {
		return generate("..")
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := generate(dir); err != nil {
		return err
	}
	for _, name := range files {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if got, err := os.ReadFile(filepath.Join("..", name)); err != nil || !bytes.Equal(got, want) {
			return fmt.Errorf("%s is not what go generate writes", name)
		}
	}
	return nil
}

// generate writes the files into dir.
func generate(dir string) error {
	for name, file := range files {
		if err := flag.Set(name, filepath.Join(dir, file)); err != nil {
			return err
		}
	}
	if err := flag.Set("pkg", "kernel"); err != nil {
		return err
	}
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
		maxRow(e, e.lanes())
	}
	maxRow(float32s, 4)
	relax()
	build.Generate()
	return nil
}
