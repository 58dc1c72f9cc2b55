// Program gen writes the AVX2, AVX-512 and NEON assembly of package kernel. It is a module of its own, so that programs that use the library do
// not depend on the generator.
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

// set is a part of the assembly: what writes it, and what checks its text or changes it at last.
type set struct {
	write  func()
	finish func(text []byte) ([]byte, error)
}

// sets are the parts of the assembly. Each becomes two files of its name.
var sets = map[string]set{
	"avx2":             {products, onlyAVX2},
	"avx2_vector":      {vectors, onlyAVX2},
	"recurrent":        {recurrents, onlyAVX2},
	"segment":          {segments, onlyAVX2},
	"plane":            {planes, onlyAVX2},
	"plane_avx512":     {widePlanes, asItIs},
	"recurrent_avx512": {wideRecurrents, asItIs},
	"segment_avx512":   {wideSegments, asItIs},
	"avx512":           {wideProducts, asItIs},
	"avx512_vector":    {wideVectors, asItIs},
	"avx512_bfloat16":  {dotProducts, encodeDots},
	"winograd":         {winograds, onlyAVX2},
	"winograd_avx512":  {wideWinograds, asItIs},
}

// files are what is written of a set, by the flag of avo that says where to.
var files = map[string]string{"out": "_amd64.s", "stubs": "_amd64.go"}

func main() {
	check := flag.Bool("check", false, "compare instead of writing")
	name := flag.String("set", "", "write this set only, to the files that -out and -stubs name: what the program calls itself with, for avo writes one set")
	flag.Parse()
	os.Args = os.Args[:1] // they would be written into the files
	if s, ok := sets[*name]; ok {
		build.ConstraintExpr("!purego")
		s.write()
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
	for name, write := range neonSets {
		if err := writeNEON(dir, name, write); err != nil {
			return err
		}
	}
	written, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, file := range written {
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			return err
		}
		at := filepath.Join("..", file.Name())
		if !check {
			err = os.WriteFile(at, text, 0o666)
		} else if got, _ := os.ReadFile(at); !bytes.Equal(got, text) {
			err = fmt.Errorf("%s is not what go generate writes", file.Name())
		}
		if err != nil {
			return err
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
	for set, s := range sets {
		args := []string{"-set", set, "-pkg", "kernel"}
		for name, end := range files {
			args = append(args, "-"+name, filepath.Join(dir, set+end))
		}
		if out, err := exec.Command(self, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %v\n%s", set, err, out)
		}
		if err := s.finishFile(filepath.Join(dir, set+files["out"])); err != nil {
			return fmt.Errorf("%s: %w", set, err)
		}
	}
	return nil
}

// finishFile finishes a file of assembly.
func (s set) finishFile(name string) error {
	text, err := os.ReadFile(name)
	if err == nil {
		text, err = s.finish(text)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

// upper matches registers that only AVX-512 has. avo takes them when the others are used up.
var upper = regexp.MustCompile(`\b[XY](1[6-9]|2\d|3[01])\b`)

// onlyAVX2 fails if the assembly uses registers that AVX2 does not have.
func onlyAVX2(text []byte) ([]byte, error) {
	for _, function := range bytes.Split(text, []byte("\nTEXT "))[1:] {
		if r := upper.Find(function); r != nil {
			name, _, _ := bytes.Cut(function, []byte("("))
			return nil, fmt.Errorf("%s uses %s: too many values are alive", name, r)
		}
	}
	return text, nil
}

func asItIs(text []byte) ([]byte, error) { return text, nil }
