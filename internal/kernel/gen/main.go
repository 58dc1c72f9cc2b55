// Program gen writes the AVX2 assembly of package kernel. It is a module of its own, so that programs that use the library do not depend
// on the generator.
//
//	go run .         writes the files beside this directory
//	go run . -check  fails unless they are what it would write
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/mmcloughlin/avo/build"
)

// sets are the parts of the assembly. Each becomes two files of its name.
var sets = map[string]func(){"avx2": products, "avx2_vector": vectors, "recurrent": recurrents, "segment": segments}

// files are what is written of a set, by the flag of avo that says where to.
var files = map[string]string{"out": "_amd64.s", "stubs": "_amd64.go"}

func main() {
	check := flag.Bool("check", false, "compare instead of writing")
	set := flag.String("set", "", "write this set only, to the files that -out and -stubs name: what the program calls itself with, for avo writes one set")
	flag.Parse()
	os.Args = os.Args[:1] // they would be written into the files
	if write := sets[*set]; write != nil {
		build.ConstraintExpr("!purego")
		write()
		build.Generate()
		return
	}
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run generates the files elsewhere, and then compares them with those in the directory above or replaces these.
func run(check bool) error {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := generate(dir); err != nil {
		return err
	}
	for set := range sets {
		for _, end := range files {
			text, err := os.ReadFile(filepath.Join(dir, set+end))
			if err != nil {
				return err
			}
			at := filepath.Join("..", set+end)
			if !check {
				err = os.WriteFile(at, text, 0o666)
			} else if got, _ := os.ReadFile(at); !bytes.Equal(got, text) {
				err = fmt.Errorf("%s is not what go generate writes", set+end)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// generate writes the files into dir.
func generate(dir string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for set := range sets {
		args := []string{"-set", set, "-pkg", "kernel"}
		for name, end := range files {
			args = append(args, "-"+name, filepath.Join(dir, set+end))
		}
		if out, err := exec.Command(self, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %v\n%s", set, err, out)
		}
		if err := checkRegisters(filepath.Join(dir, set+files["out"])); err != nil {
			return err
		}
	}
	return nil
}

// upper matches registers that only AVX-512 has. avo takes them when the others are used up.
var upper = regexp.MustCompile(`\b[XY](1[6-9]|2\d|3[01])\b`)

// checkRegisters fails if a file of assembly uses registers that AVX2 does not have.
func checkRegisters(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, function := range bytes.Split(text, []byte("\nTEXT "))[1:] {
		if r := upper.Find(function); r != nil {
			name, _, _ := bytes.Cut(function, []byte("("))
			return fmt.Errorf("%s: %s uses %s: too many values are alive", filepath.Base(file), name, r)
		}
	}
	return nil
}

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
		maxRow(e, e.lanes())
	}
	maxRow(float32s, 4)
	relax()
}
