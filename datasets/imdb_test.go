package datasets

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
)

// smallIMDb are the members of an archive of three reviews of each class, and others that are not to be read.
func smallIMDb() map[string]string {
	members := map[string]string{
		"aclImdb/README": "read me", "aclImdb/imdb.vocab": "the\nand", "aclImdb/train/unsup/0_0.txt": "no label",
		"aclImdb/train/labeledBow.feat": "9 0:9", "aclImdb/train/pos/._0_9.txt": "not a review",
	}
	for _, part := range imdbParts {
		for i, number := range []int{0, 2, 10} { // 10 is before 2 in the order of names
			members[fmt.Sprintf("aclImdb/%s/neg/%d_%d.txt", part, number, 1+i)] = fmt.Sprintf("%s neg %d", part, number)
			members[fmt.Sprintf("aclImdb/%s/pos/%d_%d.txt", part, number, 8+i)] = fmt.Sprintf("%s pos %d", part, number)
		}
	}
	return members
}

// smallIMDbTexts are the texts of a part of smallIMDb.
func smallIMDbTexts(part string) (texts []Text) {
	for _, number := range []int{0, 2, 10} {
		texts = append(texts, Text{fmt.Sprintf("%s neg %d", part, number), 0}, Text{fmt.Sprintf("%s pos %d", part, number), 1})
	}
	return texts
}

// packed makes a tar.gz of members, in the reverse order of their names.
func packed(t *testing.T, members map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range slices.Backward(sortedKeys(members)) {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(members[name])), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(members[name]))
	}
	w.WriteHeader(&tar.Header{Name: "aclImdb/train/pos/", Mode: 0o755, Typeflag: tar.TypeDir})
	w.Close()
	z.Close()
	return b.Bytes()
}

func sortedKeys(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// setOf is a set of count texts of each class whose file has the given content.
func setOf(name string, content []byte, count int) publicSet {
	f := files{content: map[string][]byte{}}
	return publicSet{file: f.put(name, content), folder: "small", mirrors: []string{"http://127.0.0.1:1"}, count: count}
}

// serveFile serves one content under every name and counts the calls.
func serveFile(t *testing.T, content []byte) (url string, calls *atomic.Int32) {
	t.Helper()
	calls = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		w.Write(content)
	}))
	t.Cleanup(s.Close)
	return s.URL, calls
}

func refusing(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	t.Cleanup(s.Close)
	return s.URL
}

func checkSmallIMDb(t *testing.T, d IMDb, set publicSet) {
	t.Helper()
	train, test, err := d.load(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "train", collect(t, train.InOrder()), smallIMDbTexts("train"))
	same(t, "test", collect(t, test.InOrder()), smallIMDbTexts("test"))
	same(t, "labels", test.Labels(), []string{"neg", "pos"})
}

// TestIMDbForms: packed under its own name, packed again under another, with ./ before the names, unpacked, and the folder itself.
func TestIMDbForms(t *testing.T) {
	content := packed(t, smallIMDb())
	set := setOf("reviews.tar.gz", content, 3)
	dir, dead := t.TempDir(), &http.Client{Transport: &count{}}
	writeTree(t, dir, map[string]string{"reviews.tar.gz": string(content)})
	checkSmallIMDb(t, IMDb{Dir: dir, Client: dead}, set)

	dotted := map[string]string{}
	for name, text := range smallIMDb() {
		dotted["./"+name] = text
	}
	again := filepath.Join(t.TempDir(), "again.tgz")
	os.WriteFile(again, packed(t, dotted), 0o644)
	checkSmallIMDb(t, IMDb{Archive: again, Dir: dir, Client: dead}, set)

	dir = t.TempDir()
	writeTree(t, dir, smallIMDb())
	checkSmallIMDb(t, IMDb{Dir: dir, Client: dead}, set)
	checkSmallIMDb(t, IMDb{Dir: filepath.Join(dir, "aclImdb"), Client: dead}, set)
	if calls := dead.Transport.(*count).calls; calls != 0 {
		t.Errorf("%d calls although the files are at hand", calls)
	}
}

func TestT01IMDbFromAMirrorThenCache(t *testing.T) {
	content := packed(t, smallIMDb())
	set := setOf("reviews.tar.gz", content, 3)
	url, calls := serveFile(t, content)
	d := IMDb{Cache: t.TempDir(), Mirrors: []string{refusing(t), url}}
	checkSmallIMDb(t, d, set)
	dead := &count{}
	d.Mirrors, d.Client = []string{"http://dead.invalid"}, &http.Client{Transport: dead}
	checkSmallIMDb(t, d, set)
	if calls.Load() != 1 || dead.calls != 0 {
		t.Errorf("%d calls and %d with the file in the cache, want 1 and 0", calls.Load(), dead.calls)
	}
}

func TestT01IMDbErrorListsEveryPlace(t *testing.T) {
	dir, cache, a, b := t.TempDir(), t.TempDir(), refusing(t), refusing(t)
	_, _, err := IMDb{Dir: dir, Cache: cache, Mirrors: []string{a, b + "/x/"}}.Load(t.Context())
	const name = "aclImdb_v1.tar.gz"
	for _, want := range []string{
		"datasets.IMDb: " + name + " was not found", filepath.Join(dir, name), filepath.Join(cache, name),
		a + "/" + name + ": 403 Forbidden", b + "/x/" + name + ": 403 Forbidden",
	} {
		contains(t, err, want)
	}
	dead := &count{}
	_, _, err = IMDb{Cache: cache, Offline: true, Client: &http.Client{Transport: dead}}.Load(t.Context())
	contains(t, err, name+" was not found")
	if strings.Contains(err.Error(), "http") || dead.calls != 0 {
		t.Errorf("Offline, but %d calls, and %v", dead.calls, err)
	}
	_, _, err = IMDb{Cache: cache, Client: &http.Client{Transport: dead}}.Load(t.Context())
	contains(t, err, "https://ai.stanford.edu/~amaas/data/sentiment/"+name)
	contains(t, err, "https://dataset.bj.bcebos.com/imdb/"+name)
}

// TestT02IMDbDamagedCache: a half file in the cache is fetched again, once.
func TestT02IMDbDamagedCache(t *testing.T) {
	content := packed(t, smallIMDb())
	set := setOf("reviews.tar.gz", content, 3)
	url, calls := serveFile(t, content)
	d := IMDb{Cache: t.TempDir(), Mirrors: []string{url}}
	writeTree(t, d.Cache, map[string]string{"reviews.tar.gz": string(content[:100])})
	checkSmallIMDb(t, d, set)
	if calls.Load() != 1 {
		t.Errorf("%d calls, want 1", calls.Load())
	}
}

func TestIMDbContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	writeTree(t, dir, smallIMDb())
	path := filepath.Join(dir, "some.tar.gz")
	os.WriteFile(path, packed(t, smallIMDb()), 0o644)
	for _, d := range []IMDb{{Archive: path}, {Dir: dir}, {Cache: t.TempDir(), Mirrors: []string{refusing(t)}}} {
		if _, _, err := d.Load(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want context.Canceled", err)
		}
	}
	var none context.Context
	_, _, err := IMDb{}.Load(none)
	contains(t, err, "datasets.IMDb: the context is nil")
	if _, err := readIMDbArchive(t.Context(), iotest.ErrReader(fs.ErrClosed)); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("%v, want the reader's error", err)
	}
}
