package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The words that stand for instructions are those that the GNU assembler makes of the text beside them.
func TestWordsAreTheirInstructions(t *testing.T) {
	assembler, err := exec.LookPath("aarch64-linux-gnu-as")
	if err != nil {
		t.Skip("binutils-aarch64-linux-gnu is not installed")
	}
	words, text := writtenWords(t)
	dir := t.TempDir()
	object, image := filepath.Join(dir, "words.o"), filepath.Join(dir, "words")
	assemble := exec.Command(assembler, "-o", object, "-")
	assemble.Stdin = strings.NewReader(strings.Join(text, "\n") + "\n")
	if out, err := assemble.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command("aarch64-linux-gnu-objcopy", "-O", "binary", "-j", ".text", object, image).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(image)
	if err != nil {
		t.Fatal(err)
	}
	if len(want) != 4*len(words) {
		t.Fatalf("%d instructions are %d bytes", len(words), len(want))
	}
	for i, got := range words {
		if w := uint32(want[4*i]) | uint32(want[4*i+1])<<8 | uint32(want[4*i+2])<<16 | uint32(want[4*i+3])<<24; got != w {
			t.Errorf("%s is written %#08x, but is %#08x", text[i], got, w)
		}
	}
}

// writtenWords returns the words in the assembly for arm64, each once, and the text beside them.
func writtenWords(t *testing.T) (words []uint32, text []string) {
	dir := t.TempDir()
	known := map[string]bool{}
	for name, write := range neonSets {
		if err := writeNEON(dir, name, write); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(filepath.Join(dir, name+"_arm64.s"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for lines := bufio.NewScanner(file); lines.Scan(); {
			line, is := strings.CutPrefix(lines.Text(), "\tWORD $")
			if !is || known[line] {
				continue
			}
			known[line] = true
			number, instruction, _ := strings.Cut(line, " // ")
			word, err := strconv.ParseUint(number, 0, 32)
			if err != nil {
				t.Fatal(fmt.Errorf("%s: %w", line, err))
			}
			words, text = append(words, uint32(word)), append(text, instruction)
		}
	}
	return words, text
}
