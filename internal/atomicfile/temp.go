package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// createTemp makes a new file in dir and returns it with its name, which is short enough for any file system.
func createTemp(d disk, dir string, perm fs.FileMode) (file, string, error) {
	const tries = 100
	for range tries {
		name := filepath.Join(dir, fmt.Sprintf(".atomicfile-%016x.tmp", rand.Uint64()))
		f, err := d.create(name, perm)
		if err == nil {
			return f, name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, "", err
		}
	}
	return nil, "", fmt.Errorf("%d random names for a temporary file in %s are all taken", tries, dir)
}

// system is the disk of the operating system.
type system struct{}

func (system) create(name string, perm fs.FileMode) (file, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (system) rename(from, to string) error {
	return patiently(func() error { return os.Rename(from, to) })
}

func (system) remove(name string) error { return os.Remove(name) }

func (system) syncDir(name string) error { return syncDir(name) }
