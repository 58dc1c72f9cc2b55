//go:build unix

package atomicfile

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestPermissions(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	dir := t.TempDir()
	for _, c := range []struct{ old, want fs.FileMode }{{0, 0o640}, {0o600, 0o600}, {0o666, 0o666}, {0o755, 0o755}, {0o640, 0o640}} {
		path := filepath.Join(dir, c.want.String())
		if c.old != 0 {
			os.WriteFile(path, []byte("old"), c.old)
			os.Chmod(path, c.old)
		}
		if err := Write(path, put("new")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != c.want {
			t.Errorf("file with %v became %v (%v), want %v", c.old, info.Mode(), err, c.want)
		}
		os.Remove(path)
	}
}

// While the new file is written nobody may read it who may not read the old one.
func TestTemporaryFileIsAsPrivateAsTheOldOne(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	os.WriteFile(path, nil, 0o600)
	var steps []string
	if err := replace(privateDisk{orderDisk{steps: &steps}, t}, path, put("new")); err != nil {
		t.Fatal(err)
	}
}

type privateDisk struct {
	orderDisk
	t *testing.T
}

func (d privateDisk) create(name string, perm fs.FileMode) (file, error) {
	f, err := d.system.create(name, perm)
	if info, err := os.Stat(name); err != nil || info.Mode() != 0o600 {
		d.t.Errorf("temporary file begins with %v, want %v", info.Mode(), fs.FileMode(0o600))
	}
	return f, err
}

func TestReadOnlyFileIsKept(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everything")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	os.WriteFile(path, []byte("old"), 0o444)
	if err := Write(path, put("new")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v, want %v", err, fs.ErrPermission)
	}
	wantDir(t, dir, map[string]string{"model": "old"})
}

func TestLinksAreWrittenThrough(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	os.MkdirAll(at("disk/deep"), 0o755)
	os.MkdirAll(at("links"), 0o755)
	os.WriteFile(at("disk/model"), []byte("old"), 0o644)
	for _, link := range [][2]string{
		{"links/absolute", at("disk/model")},
		{"links/relative", "../disk/model"},
		{"links/chain", "relative"},
		{"links/missing", "../disk/fresh"},
		{"links/deep", "../disk/deep"},
		{"links/through", "deep/../model"}, // the parent of disk/deep, not links/model
	} {
		if err := os.Symlink(link[1], at(link[0])); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range [][2]string{
		{"links/absolute", "disk/model"}, {"links/relative", "disk/model"}, {"links/chain", "disk/model"},
		{"links/through", "disk/model"}, {"links/missing", "disk/fresh"}, {"links/deep/in", "disk/deep/in"},
	} {
		before, _ := os.Readlink(at(c[0]))
		if err := Write(at(c[0]), put(c[0])); err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if got, _ := os.ReadFile(at(c[1])); string(got) != c[0] {
			t.Errorf("%s: %s has %q, want %q", c[0], c[1], got, c[0])
		}
		if after, _ := os.Readlink(at(c[0])); after != before {
			t.Errorf("%s led to %q and leads to %q now", c[0], before, after)
		}
	}
	path := at("links/deep") + "/../climb" // not cleaned: the system looks in disk
	if err := Write(path, put("climbed")); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(at("disk/climb")); string(got) != "climbed" {
		t.Errorf("%s went elsewhere", path)
	}
}

func TestLinksThatLeadToNoFile(t *testing.T) {
	dir := t.TempDir()
	for name, to := range map[string]string{"loop": "loop", "dir": ".", "null": os.DevNull, "gone": "none/model"} {
		os.Symlink(to, filepath.Join(dir, name))
	}
	for name, want := range map[string]string{"loop": "too many", "dir": "a directory", "null": "is a device", "gone": "no such file"} {
		err := Write(filepath.Join(dir, name), put("new"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 4 {
		t.Errorf("%d files, want the 4 links", len(files))
	}
}

const versionSize = 1 << 20

// TestKilledWriter kills a program that saves one version after another, at various times: what is there must be one whole version.
func TestKilledWriter(t *testing.T) {
	if args := flag.Args(); len(args) == 2 && args[0] == "save-forever" {
		for v := byte('a'); ; v = 'a' + (v-'a'+1)%26 {
			if err := Write(args[1], put(strings.Repeat(string(rune(v)), versionSize))); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "model")
	if err := Write(path, put(strings.Repeat("a", versionSize))); err != nil {
		t.Fatal(err)
	}
	versions := map[byte]bool{}
	for i := range 10 {
		saver := exec.Command(os.Args[0], "-test.run=^TestKilledWriter$", "save-forever", path)
		if err := saver.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+7*i) * time.Millisecond)
		saver.Process.Kill()
		saver.Wait()
		got, err := os.ReadFile(path)
		if err != nil || len(got) != versionSize || len(bytes.Trim(got, string(got[:1]))) > 0 {
			t.Fatalf("%d bytes of more than one version (%v), want %d of one", len(got), err, versionSize)
		}
		versions[got[0]] = true
	}
	if len(versions) < 2 {
		t.Error("every run left the same version, so nothing was saved before the kill")
	}
}
