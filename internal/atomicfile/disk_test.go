package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var errDisk = errors.New("disk on fire")

// badDisk is the system's disk whose step fail fails, and whose files take room bytes in all.
type badDisk struct {
	system
	fail string
	room *int
}

func (d badDisk) step(name string) error {
	if d.fail == name {
		return errDisk
	}
	return nil
}

func (d badDisk) create(name string, perm fs.FileMode) (file, error) {
	if err := d.step("create"); err != nil {
		return nil, err
	}
	f, err := d.system.create(name, perm)
	return badFile{f, d}, err
}

func (d badDisk) rename(from, to string) error {
	if err := d.step("rename"); err != nil {
		return err
	}
	return d.system.rename(from, to)
}

func (d badDisk) syncDir(name string) error { return d.step("syncDir") }

// badFile is a file of a badDisk.
type badFile struct {
	file
	disk badDisk
}

func (f badFile) Write(p []byte) (int, error) {
	n, full := min(len(p), *f.disk.room), len(p) > *f.disk.room
	*f.disk.room -= n
	n, err := f.file.Write(p[:n])
	if full {
		err = errDisk
	}
	return n, err
}

func (f badFile) Stat() (fs.FileInfo, error) {
	info, err := f.file.Stat()
	return info, errors.Join(err, f.disk.step("stat"))
}

func (f badFile) Sync() error { return f.disk.step("sync") }

func (f badFile) Close() error { return errors.Join(f.file.Close(), f.disk.step("close")) }

// The disk is full after n bytes, for every n: the old file must stay, bit for bit, and no temporary file.
func TestK01DiskFullAfterAnyByte(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	const old = "the old checkpoint"
	os.WriteFile(path, []byte(old), 0o644)
	content := strings.Repeat("new", bufferSize)
	careless := func(w io.Writer) error { // overlooks the error
		put(content)(w)
		return nil
	}
	for n := 0; n < len(content); n++ {
		if n > 300 && n < len(content)-300 && n%bufferSize > 2 && n%bufferSize < bufferSize-2 {
			n = min((n/bufferSize+1)*bufferSize-2, len(content)-300) // on to the next border of a buffer
		}
		for _, write := range []func(io.Writer) error{put(content), careless} {
			room := n
			if err := replace(badDisk{room: &room}, path, write); !errors.Is(err, errDisk) {
				t.Fatalf("room for %d of %d bytes: got %v, want %v", n, len(content), err, errDisk)
			}
		}
	}
	wantDir(t, dir, map[string]string{"model": old})
	room := len(content)
	if err := replace(badDisk{room: &room}, path, careless); err != nil {
		t.Fatal(err)
	}
	wantDir(t, dir, map[string]string{"model": content})
}

func TestEveryFailingStepKeepsTheOldFile(t *testing.T) {
	for _, step := range []string{"create", "stat", "sync", "close", "rename"} {
		dir := t.TempDir()
		path := filepath.Join(dir, "model")
		os.WriteFile(path, []byte("old"), 0o644)
		room := bufferSize
		if err := replace(badDisk{fail: step, room: &room}, path, put("new")); !errors.Is(err, errDisk) {
			t.Errorf("%s: got %v, want %v", step, err, errDisk)
		}
		wantDir(t, dir, map[string]string{"model": "old"})
	}
}

func TestFailingDirectorySyncIsReported(t *testing.T) {
	dir := t.TempDir()
	room := bufferSize
	err := replace(badDisk{fail: "syncDir", room: &room}, filepath.Join(dir, "model"), put("new"))
	if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "the new file is in place") {
		t.Errorf("got %v, want %v and where the new file is", err, errDisk)
	}
	wantDir(t, dir, map[string]string{"model": "new"})
}

// orderDisk notes the order of the steps.
type orderDisk struct {
	system
	steps *[]string
}

func (d orderDisk) note(step string) { *d.steps = append(*d.steps, step) }

func (d orderDisk) create(name string, perm fs.FileMode) (file, error) {
	d.note("create")
	f, err := d.system.create(name, perm)
	return orderFile{f, d}, err
}

func (d orderDisk) rename(from, to string) error {
	d.note("rename")
	return d.system.rename(from, to)
}

func (d orderDisk) syncDir(name string) error {
	d.note("syncDir")
	return d.system.syncDir(name)
}

type orderFile struct {
	file
	disk orderDisk
}

func (f orderFile) Write(p []byte) (int, error) { f.disk.note("write"); return f.file.Write(p) }
func (f orderFile) Sync() error                 { f.disk.note("sync"); return f.file.Sync() }
func (f orderFile) Close() error                { f.disk.note("close"); return f.file.Close() }

// The content must be on the disk before the name points to it, and the file closed before Windows lets it be renamed.
func TestOrderOfSteps(t *testing.T) {
	var steps []string
	if err := replace(orderDisk{steps: &steps}, filepath.Join(t.TempDir(), "model"), put("new")); err != nil {
		t.Fatal(err)
	}
	const want = "create write sync close rename syncDir"
	if got := strings.Join(steps, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// takenDisk says that the first names are taken.
type takenDisk struct {
	system
	taken *int
}

func (d takenDisk) create(name string, perm fs.FileMode) (file, error) {
	if *d.taken--; *d.taken >= 0 {
		return nil, fs.ErrExist
	}
	return d.system.create(name, perm)
}

func TestTakenTemporaryNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	taken := 3
	if err := replace(takenDisk{taken: &taken}, path, put("new")); err != nil {
		t.Error(err)
	}
	taken = 1 << 30
	if err := replace(takenDisk{taken: &taken}, path, put("new")); err == nil || !strings.Contains(err.Error(), "are all taken") {
		t.Errorf("got %v, want an end of the tries", err)
	}
}
