package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// put returns a write function that writes content in pieces of 7 bytes.
func put(content string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.CopyBuffer(w, struct{ io.Reader }{strings.NewReader(content)}, make([]byte, 7))
		return err
	}
}

// wantDir checks that dir has exactly the given files, by name and content: so no temporary file either.
func wantDir(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		content, ok := want[e.Name()]
		if !ok {
			t.Errorf("stray file %s", e.Name())
			continue
		}
		got, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil || string(got) != content {
			t.Errorf("%s: %d bytes (%v), want %d other ones", e.Name(), len(got), err, len(content))
		}
	}
	if len(entries) < len(want) {
		t.Errorf("%d files, want %d", len(entries), len(want))
	}
}

func TestWriteMakesAndReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	for _, content := range []string{"", "first", strings.Repeat("long ", bufferSize), "short again"} {
		if err := Write(path, put(content)); err != nil {
			t.Fatal(err)
		}
		wantDir(t, dir, map[string]string{"model": content})
	}
}

func TestRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := Write("model", put("x")); err != nil {
		t.Fatal(err)
	}
	wantDir(t, ".", map[string]string{"model": "x"})
}

func TestLongestName(t *testing.T) {
	dir := t.TempDir()
	name := strings.Repeat("n", 255)
	if err := Write(filepath.Join(dir, name), put("x")); err != nil {
		t.Fatal(err)
	}
	wantDir(t, dir, map[string]string{name: "x"})
}

func TestErrorOfWriteKeepsTheOldFile(t *testing.T) {
	mine := errors.New("no more weights")
	for _, n := range []int{0, 1, bufferSize, 3*bufferSize + 1} {
		dir := t.TempDir()
		path := filepath.Join(dir, "model")
		fail := func(w io.Writer) error {
			w.Write(make([]byte, n))
			return mine
		}
		if err := Write(path, fail); !errors.Is(err, mine) {
			t.Errorf("got %v, want %v", err, mine)
		}
		wantDir(t, dir, nil)
		os.WriteFile(path, []byte("old"), 0o644)
		if err := Write(path, fail); !errors.Is(err, mine) || !strings.HasPrefix(err.Error(), "saving "+path+": ") {
			t.Errorf("got %v, want saving %s: %v", err, path, mine)
		}
		wantDir(t, dir, map[string]string{"model": "old"})
	}
}

func TestPanicAndGoexitKeepTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	os.WriteFile(path, []byte("old"), 0o644)
	for _, c := range []struct {
		leave func()
		want  any
	}{{func() { panic("mine") }, "mine"}, {runtime.Goexit, nil}} {
		var recovered any
		var wg sync.WaitGroup
		wg.Go(func() {
			defer func() { recovered = recover() }()
			Write(path, func(w io.Writer) error {
				w.Write(make([]byte, 2*bufferSize))
				c.leave()
				return nil
			})
		})
		wg.Wait()
		if recovered != c.want {
			t.Errorf("panic %v, want %v", recovered, c.want)
		}
		wantDir(t, dir, map[string]string{"model": "old"})
	}
}

func TestWhatIsNoFileIsAnError(t *testing.T) {
	dir := t.TempDir()
	never := func(io.Writer) error { t.Error("write was called"); return nil }
	for path, want := range map[string]string{
		dir:                                 "is a directory, want a file",
		dir + string(filepath.Separator):    "names a directory, want a file",
		"":                                  "names a directory, want a file",
		"..":                                "names a directory, want a file",
		filepath.Join(dir, "none", "model"): "none",
	} {
		err := Write(path, never)
		if err == nil || !strings.HasPrefix(err.Error(), "saving "+path+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", path, err, want)
		}
	}
	if err := Write(filepath.Join(dir, "none", "model"), never); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want %v", err, fs.ErrNotExist)
	}
	wantDir(t, dir, nil)
}

func TestConcurrentWritersLeaveOneWholeFile(t *testing.T) {
	const writers, rounds, size = 6, 15, 3*bufferSize + 5
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	check := func() {
		got, err := os.ReadFile(path)
		if err == nil && (len(got) != size || len(bytes.Trim(got, string(got[:1]))) > 0) {
			t.Errorf("%d bytes, some from one writer and some from another, want the %d of one", len(got), size)
		}
	}
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			for range rounds {
				if err := Write(path, put(strings.Repeat(string(rune('a'+i)), size))); err != nil {
					t.Error(err)
				}
				check()
			}
		})
	}
	wg.Wait()
	check()
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files, want only the one", len(files))
	}
}
