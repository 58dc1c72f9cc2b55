package fetch

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

var content = bytes.Repeat([]byte("some records, "), 1000)

// fileOf describes a file with the given content.
func fileOf(name string, content []byte) File {
	sha, md := sha256.Sum256(content), md5.Sum(content)
	return File{Name: name, Size: int64(len(content)), SHA256: hex.EncodeToString(sha[:]), MD5: hex.EncodeToString(md[:])}
}

// serve starts a server and counts its calls.
func serve(t *testing.T, handler http.HandlerFunc) (m Mirror, calls *atomic.Int32) {
	t.Helper()
	calls = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	return Mirror{URL: s.URL + "/set", Client: s.Client()}, calls
}

func good(w http.ResponseWriter, _ *http.Request) { w.Write(content) }

func refuse(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) }

func truncate(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "14000")
	w.Write(content[:500]) // the server closes the connection
}

func alter(w http.ResponseWriter, _ *http.Request) {
	wrong := bytes.Clone(content)
	wrong[77] ^= 1
	w.Write(wrong)
}

func shorten(w http.ResponseWriter, _ *http.Request) { w.Write(content[:len(content)-1]) }

func lengthen(w http.ResponseWriter, _ *http.Request) { w.Write(append(bytes.Clone(content), 0)) }

// onlyFiles fails unless dir has exactly the given files: nothing temporary is left.
func onlyFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the directory has %q, want %q", got, want)
	}
}

func TestSecondMirrorThenCache(t *testing.T) {
	first, firstCalls := serve(t, refuse)
	second, secondCalls := serve(t, good)
	f, cache := fileOf("a.gz", content), filepath.Join(t.TempDir(), "new", "cache")
	for range 2 {
		path, err := Store{Cache: cache, Places: []Place{first, second}}.Get(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); !bytes.Equal(got, content) {
			t.Fatalf("%s has %d bytes, not the right ones", path, len(got))
		}
		if firstCalls.Load() != 1 || secondCalls.Load() != 1 {
			t.Fatalf("%d and %d calls, want 1 and 1: the second Get must not use the network", firstCalls.Load(), secondCalls.Load())
		}
	}
	onlyFiles(t, cache, "a.gz")
	if info, err := os.Stat(filepath.Join(cache, "a.gz")); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm()&0o044 == 0) {
		t.Errorf("others cannot read the file: %v, %v", info.Mode(), err)
	}
}

func TestErrorListsEveryPlace(t *testing.T) {
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"refused":   {refuse, "403 Forbidden"},
		"truncated": {truncate, "after 500 of 14000 bytes: unexpected EOF"},
		"altered":   {alter, "SHA-256 is"},
		"short":     {shorten, "it has 13999 bytes, want 14000"},
		"long":      {lengthen, "it has more than 14000 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			a, _ := serve(t, test.handler)
			b, _ := serve(t, test.handler)
			cache := t.TempDir()
			_, err := Store{Cache: cache, Places: []Place{a, b}}.Get(t.Context(), fileOf("a.gz", content))
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range []string{"a.gz", a.At("a.gz"), b.At("a.gz"), cache, test.want} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error %q lacks %q", err, want)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has several lines: %q", err)
			}
			if tried := new(NotFoundError); !errors.As(err, &tried) || len(tried.Tried) != 3 {
				t.Errorf("%T with %d attempts, want *NotFoundError with 3", err, len(tried.Tried))
			}
			onlyFiles(t, cache)
		})
	}
}

func TestChecksumIsEnforcedAlone(t *testing.T) {
	altered, _ := serve(t, alter)
	f := fileOf("a.gz", content)
	for _, f := range []File{{f.Name, f.Size, f.SHA256, ""}, {f.Name, f.Size, "", f.MD5}} {
		if _, err := (Store{Cache: t.TempDir(), Places: []Place{altered}}).Get(t.Context(), f); err == nil {
			t.Errorf("altered bytes were taken for %+v", f)
		}
	}
}

func TestDamagedCacheIsFetchedAgainOnce(t *testing.T) {
	mirror, calls := serve(t, good)
	f, cache := fileOf("a.gz", content), t.TempDir()
	for _, damaged := range [][]byte{nil, content[:100], append(bytes.Clone(content[1:]), 0)} {
		calls.Store(0)
		if err := os.WriteFile(filepath.Join(cache, "a.gz"), damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		path, err := Store{Cache: cache, Places: []Place{mirror, mirror}}.Get(t.Context(), f)
		if err != nil || f.Check(path) != nil || calls.Load() != 1 {
			t.Errorf("a file of %d bytes in the cache: error %v after %d calls, want a good file after 1", len(damaged), err, calls.Load())
		}
	}
	os.WriteFile(filepath.Join(cache, "a.gz"), content[:100], 0o644)
	_, err := Store{Cache: cache}.Get(t.Context(), f)
	if want := filepath.Join(cache, "a.gz") + " is damaged: it has 100 bytes, want 14000"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("without a mirror: %v, want %q", err, want)
	}
}

func TestDirComesFirst(t *testing.T) {
	mirror, calls := serve(t, good)
	f, dir, cache := fileOf("a.gz", content), t.TempDir(), t.TempDir()
	s := Store{Dir: dir, Cache: cache, Places: []Place{mirror}}
	if path, err := s.Get(t.Context(), f); err != nil || filepath.Dir(path) != cache {
		t.Fatalf("from an empty directory: %q, %v, want a file in the cache", path, err)
	}
	os.WriteFile(filepath.Join(dir, "a.gz"), content, 0o444)
	if path, err := s.Get(t.Context(), f); err != nil || filepath.Dir(path) != dir {
		t.Errorf("%q, %v, want the file in Dir", path, err)
	}
	os.Remove(filepath.Join(dir, "a.gz"))
	os.WriteFile(filepath.Join(dir, "a.gz"), content[1:], 0o444)
	_, err := s.Get(t.Context(), f)
	if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "a.gz")+" is damaged") {
		t.Errorf("a damaged file in Dir: %v", err)
	}
	if calls.Load() != 1 {
		t.Errorf("%d calls, want 1", calls.Load())
	}
	onlyFiles(t, dir, "a.gz")
}

func TestNoCache(t *testing.T) {
	mirror, calls := serve(t, good)
	dir, f := t.TempDir(), fileOf("a.gz", content)
	s := Store{Dir: dir, NoCache: errors.New("there is no home"), Places: []Place{mirror}}
	if _, err := s.Get(t.Context(), f); err == nil || !strings.Contains(err.Error(), "there is no home") || calls.Load() != 0 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
	os.WriteFile(filepath.Join(dir, "a.gz"), content, 0o644)
	if _, err := s.Get(t.Context(), f); err != nil {
		t.Error(err)
	}
}

func TestCacheThatCannotBeWritten(t *testing.T) {
	mirror, _ := serve(t, good)
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o644)
	_, err := Store{Cache: filepath.Join(file, "cache"), Places: []Place{mirror}}.Get(t.Context(), fileOf("a.gz", content))
	if err == nil || !strings.Contains(err.Error(), "cannot be kept") {
		t.Errorf("%v, want one that says the file cannot be kept", err)
	}
}

func TestManyAtATime(t *testing.T) {
	mirror, _ := serve(t, good)
	f, cache := fileOf("a.gz", content), t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := (Store{Cache: cache, Places: []Place{mirror}}).Get(context.Background(), f); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	onlyFiles(t, cache, "a.gz")
}
