// Package atomicfile replaces files in one step, so that a crash, a full disk or an error while saving never costs the file that was
// there before.
package atomicfile

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
)

// bufferSize is the bytes that are collected before they go to the file.
const bufferSize = 64 << 10

// Write makes what write writes the whole content of the file at path, or leaves everything as it was. It writes to a
// temporary file in the same directory, brings that to the disk and renames it over path, so that at any moment, and after a
// loss of power, path is the whole old file or the whole new one. When write returns an error or panics, or the disk does not take the
// file, the temporary file is removed; the error wraps write's or the system's.
//
// Where path is a symbolic link, the file that it leads to is replaced. The permissions of an existing file stay, and one that this
// program may not write is an error; a new file gets 0644 less the umask. Owner, hard links and extended attributes do not
// pass to the new file. The directory must exist. Several programs may write the same path at once: the last one wins.
//
// One error comes when path already is the new file: that of a directory which cannot be brought to the disk. A program that is
// killed leaves its temporary file, named .atomicfile-….tmp, behind.
func Write(path string, write func(io.Writer) error) error {
	return replace(system{}, path, write)
}

// disk is what replace needs of the operating system; tests put failures there.
type disk interface {
	create(name string, perm fs.FileMode) (file, error) // a new file; fs.ErrExist when there is one
	rename(from, to string) error                       // replaces to
	remove(name string) error
	syncDir(name string) error
}

// file is an open file of a disk.
type file interface {
	io.Writer
	Stat() (fs.FileInfo, error)
	Chmod(fs.FileMode) error
	Sync() error
	Close() error
}

func replace(d disk, path string, write func(io.Writer) error) error {
	t, err := resolve(path)
	if err != nil {
		return fmt.Errorf("saving %s: %w", path, err)
	}
	dir := filepath.Dir(t.path)
	f, temp, err := createTemp(d, dir, t.perm)
	if err != nil {
		return fmt.Errorf("saving %s: %w", path, err)
	}
	renamed := false
	defer func() { // also when write panics
		if !renamed {
			f.Close()
			d.remove(temp)
		}
	}()
	if err := fill(f, t, write); err != nil {
		return fmt.Errorf("saving %s: %w", path, err)
	}
	if err := d.rename(temp, t.path); err != nil {
		return fmt.Errorf("saving %s: %w", path, err)
	}
	renamed = true
	if err := d.syncDir(dir); err != nil {
		return fmt.Errorf("saving %s: the new file is in place, but a loss of power may bring back the old one: %w", path, err)
	}
	return nil
}

// fill gives f its permissions and its content, brings it to the disk and closes it.
func fill(f file, t target, write func(io.Writer) error) error {
	if t.exists {
		if err := setPerm(f, t.perm); err != nil {
			return err
		}
	}
	b := bufio.NewWriterSize(f, bufferSize)
	if err := write(b); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

// setPerm undoes what the umask took away. It leaves files that are right alone, because not every file system can change them.
func setPerm(f file, perm fs.FileMode) error {
	info, err := f.Stat()
	if err != nil || info.Mode().Perm() == perm {
		return err
	}
	return f.Chmod(perm)
}
