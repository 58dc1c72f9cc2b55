package datasets

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"paddle/internal/fetch"
)

// files are the compressed files of a small set, by name, and what they should be.
type files struct {
	part    mnistPart
	content map[string][]byte
}

// smallMNIST makes files of n images: pixel k of image i is i+k modulo 256, its class is i modulo 10.
func smallMNIST(n int) files {
	pixels, classes := make([]byte, n*784), make([]byte, n)
	for i := range n {
		classes[i] = byte(i % 10)
		for k := range 784 {
			pixels[784*i+k] = byte(i + k)
		}
	}
	return newFiles(idx(pixels, n, 28, 28), idx(classes, n))
}

func newFiles(images, labels []byte) files {
	f := files{content: map[string][]byte{}}
	f.part.images = f.add("images.gz", images)
	f.part.labels = f.add("labels.gz", labels)
	return f
}

func (f files) add(name string, idx []byte) fetch.File {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(idx)
	z.Close()
	return f.put(name, b.Bytes())
}

func (f files) put(name string, content []byte) fetch.File {
	f.content[name] = content
	sha, md := sha256.Sum256(content), md5.Sum(content)
	return fetch.File{Name: name, Size: int64(len(content)), SHA256: hex.EncodeToString(sha[:]), MD5: hex.EncodeToString(md[:])}
}

// serve serves the files and counts the calls.
func (f files) serve(t *testing.T) (url string, calls *atomic.Int32) {
	t.Helper()
	calls = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		w.Write(f.content[filepath.Base(r.URL.Path)])
	}))
	t.Cleanup(s.Close)
	return s.URL, calls
}

// write writes the files to dir.
func (f files) write(t *testing.T, dir string) {
	t.Helper()
	for name, content := range f.content {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// damaged is f with a changed file of images and the checksums of that.
func damaged(f files, change func(gz []byte)) files {
	g := files{part: f.part, content: map[string][]byte{"labels.gz": f.content["labels.gz"]}}
	gz := bytes.Clone(f.content["images.gz"])
	change(gz)
	g.part.images = g.put("images.gz", gz)
	return g
}

// cut is f with n bytes less of images, and the checksums of that.
func cut(f files, n int) files {
	g := damaged(f, func([]byte) {})
	gz := g.content["images.gz"]
	g.part.images = g.put("images.gz", gz[:max(0, len(gz)-n)])
	return g
}

// TestMNISTContent: files that have the right checksums but are not what they should be.
func TestMNISTContent(t *testing.T) {
	noGo(t)
	good := smallMNIST(3)
	pixels, classes := idx(make([]byte, 3*784), 3, 28, 28), idx([]byte{0, 1, 2}, 3)
	for _, test := range []struct {
		want string
		f    files
	}{
		{"images.gz has 3 images, labels.gz has 2 labels", newFiles(pixels, idx([]byte{0, 1}, 2))},
		{"images.gz has images of 28×27 pixels, want 28×28", newFiles(idx(make([]byte, 3*28*27), 3, 28, 27), classes)},
		{"labels.gz: label 1 is 10, want 0 to 9", newFiles(pixels, idx([]byte{0, 10, 2}, 3))},
		{"images.gz: the magic number is 2049, want 2051", newFiles(classes, classes)},
		{"labels.gz: the magic number is 2051, want 2049", newFiles(pixels, pixels)},
		{"images.gz: it has no records", newFiles(idx(nil, 0, 28, 28), classes)},
		{"images.gz: it ends after 784 of 2352 elements", newFiles(pixels[:16+784], classes)},
		{"images.gz: gzip: invalid header", damaged(good, func(gz []byte) { gz[0] ^= 1 })},
		{"images.gz: after 2352 of 2352 elements: gzip: invalid checksum", damaged(good, func(gz []byte) { gz[len(gz)-5] ^= 1 })},
		{"images.gz: after 2352 of 2352 elements: gzip: invalid checksum", damaged(good, func(gz []byte) { gz[len(gz)-1] ^= 1 })},
		{"images.gz: after 2352 of 2352 elements: unexpected EOF", cut(good, 1)},
		{"images.gz: EOF", cut(good, 1<<20)},
	} {
		dir := t.TempDir()
		test.f.write(t, dir)
		_, err := MNIST{Dir: dir}.load(t.Context(), test.f.part)
		contains(t, err, test.want)
	}
}
