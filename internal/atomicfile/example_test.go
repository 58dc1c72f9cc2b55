package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"paddle/internal/atomicfile"
)

func ExampleWrite() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "notes")

	err = atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, "whole")
		return err
	})
	fmt.Println(err)
	err = atomicfile.Write(path, func(w io.Writer) error {
		io.WriteString(w, "half of the ne")
		return errors.New("power is low")
	})
	fmt.Println(err != nil)

	content, err := os.ReadFile(path)
	fmt.Println(string(content), err)
	// Output:
	// <nil>
	// true
	// whole <nil>
}
