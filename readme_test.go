package paddle_test

import (
	"os"
	"strings"
	"testing"
)

// TestREADMEShowsTheExample holds the README's Go code to the package's Example: every line of it stands there.
func TestREADMEShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for line := range strings.Lines(string(source)) {
		have[strings.TrimSpace(line)] = true
	}
	blocks := strings.Split(string(readme), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("the README shows no Go code")
	}
	for _, b := range blocks {
		code, _, _ := strings.Cut(b, "```")
		for line := range strings.Lines(code) {
			if !have[strings.TrimSpace(line)] {
				t.Errorf("example_test.go lacks the README's line %q", strings.TrimSpace(line))
			}
		}
	}
}
