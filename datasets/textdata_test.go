package datasets

import (
	"os"
	"path/filepath"
	"testing"
)

// dataFile returns the path of a file of real data, in the directory PADDLE_DATA; a test that has none is skipped.
func dataFile(t *testing.T, elements ...string) string {
	t.Helper()
	dir := os.Getenv("PADDLE_DATA")
	if dir == "" {
		t.Skip("PADDLE_DATA names no directory with real data")
	}
	path := filepath.Join(append([]string{dir}, elements...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("PADDLE_DATA is %q, and %v", dir, err)
	}
	return path
}

// labelCounts returns how many texts each class has.
func labelCounts(t *testing.T, texts *Texts) []int {
	t.Helper()
	counts := make([]int, len(texts.Labels()))
	for x, err := range texts.InOrder() {
		if err != nil {
			t.Fatal(err)
		}
		counts[x.Label]++
	}
	return counts
}

// writeTree writes files, by their paths in dir.
func writeTree(t *testing.T, dir string, content map[string]string) {
	t.Helper()
	for name, text := range content {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
