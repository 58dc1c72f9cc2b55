package fetch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// fakeGo puts a shell script in the place of the go command.
func fakeGo(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
}

// module returns a module directory with content in data/a.gz.
func module(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "data"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "data", "a.gz"), content, 0o444); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestModule(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	fakeGo(t, fmt.Sprintf(`echo "$@ proxy=$GOPROXY $(pwd)" >>%s; printf '{"Path": "m", "Dir": "%%s"}' %s`, log, module(t)))
	t.Setenv("GOPROXY", "mine")
	m, cache := &Module{Path: "example.org/m", Version: "v1.0.0", Dir: "data"}, t.TempDir()
	path, err := Store{Cache: cache, Places: []Place{m}}.Get(t.Context(), fileOf("a.gz", content))
	if err != nil || filepath.Dir(path) != cache {
		t.Fatalf("%q, %v, want a file in the cache", path, err)
	}
	if _, err := m.Open(t.Context(), "b.gz"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that the module lacks: %v", err)
	}
	asked, _ := os.ReadFile(log)
	lines := strings.Split(strings.TrimSpace(string(asked)), "\n")
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "mod download -json example.org/m@v1.0.0 proxy=mine ") {
		t.Errorf("the go command was called with %q, want once, with the user's settings", lines)
	}
	dir := lines[0][strings.LastIndex(lines[0], " ")+1:]
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary directory %s is left: %v", dir, err)
	}
}

func TestModuleOffline(t *testing.T) {
	fakeGo(t, `printf '{"Error": "%s"}' "the proxy is $GOPROXY"; exit 1`)
	t.Setenv("GOPROXY", "mine")
	_, err := (&Module{Path: "m", Version: "v1", Offline: true}).Open(t.Context(), "a.gz")
	if err == nil || err.Error() != "the proxy is off" {
		t.Errorf("%v, want the go command's own error, with the proxy off", err)
	}
}

func TestModuleErrors(t *testing.T) {
	for name, test := range map[string]struct{ script, want string }{
		"exit": {`echo "no such
command" >&2; exit 2`, "exit status 2: no such command"},
		"not JSON":     {`echo hello`, "answer: invalid character"},
		"no directory": {`echo '{}'`, "has no directory"},
	} {
		fakeGo(t, test.script)
		_, err := Store{Cache: t.TempDir(), Places: []Place{&Module{Path: "m", Version: "v1"}}}.Get(t.Context(), fileOf("a.gz", content))
		if err == nil || !strings.Contains(err.Error(), "module m@v1: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := (&Module{Path: "m", Version: "v1"}).Open(t.Context(), "a.gz"); err == nil || !strings.Contains(err.Error(), "the go command: ") {
		t.Errorf("without a go command: %v", err)
	}
}

func TestModuleTakesTooLong(t *testing.T) {
	fakeGo(t, "/bin/sleep 10\necho") // the shell is ended, its child keeps the output open
	start := time.Now()
	_, err := (&Module{Path: "m", Version: "v1", Timeout: 50 * time.Millisecond}).Open(t.Context(), "a.gz")
	if err == nil || err.Error() != "the go command took longer than 50ms" {
		t.Errorf("%v, want the time-out", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = Store{Cache: t.TempDir(), Places: []Place{&Module{Path: "m", Version: "v1"}}}.Get(ctx, fileOf("a.gz", content))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want the context's error", err)
	}
	if took := time.Since(start); took > 8*time.Second {
		t.Errorf("it took %v", took)
	}
}
