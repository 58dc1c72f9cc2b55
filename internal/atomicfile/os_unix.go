//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// patiently calls f: an open file is never in the way of replacing it.
func patiently(f func() error) error { return f() }

// syncDir brings the names in a directory to the disk, where that is possible: not in a directory that this program may not read,
// and not on file systems that have no such call.
func syncDir(name string) error {
	dir, err := os.Open(name)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
