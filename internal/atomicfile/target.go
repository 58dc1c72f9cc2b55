package atomicfile

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// newPerm are the permissions of a file that did not exist, before the umask.
const newPerm fs.FileMode = 0o644

// maxLinks is how many symbolic links are followed; more are a loop.
const maxLinks = 40

// target is the file to replace.
type target struct {
	path   string // with no symbolic link
	perm   fs.FileMode
	exists bool
}

// resolve returns the file that a program that opens path to write gets, and checks that it is one which may be replaced.
func resolve(path string) (target, error) {
	path, err := followLinks(path)
	if err != nil {
		return target{}, err
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return target{path: path, perm: newPerm}, nil
	case err != nil:
		return target{}, err
	case info.IsDir():
		return target{}, errors.New("is a directory, want a file")
	case !info.Mode().IsRegular():
		return target{}, errors.New("is a device or a pipe, want a file")
	}
	if err := patiently(func() error { return checkWritable(path) }); err != nil {
		return target{}, err
	}
	return target{path: path, perm: info.Mode().Perm(), exists: true}, nil
}

// checkWritable asks for the permission to write a file; renaming over it would ask for that in the directory only.
func checkWritable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// followLinks follows the symbolic links of path, also when nothing is at their end yet.
func followLinks(path string) (string, error) {
	for range maxLinks {
		dir, base := filepath.Split(path)
		if base == "" || base == "." || base == ".." {
			return "", errors.New("names a directory, want a file")
		}
		dir, err := filepath.EvalSymlinks(cmp.Or(dir, "."))
		if err != nil {
			return "", err
		}
		path = filepath.Join(dir, base)
		link, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link, or nothing there
		}
		if !filepath.IsAbs(link) {
			link = dir + string(filepath.Separator) + link // not Join, which takes .. for the parent of a link
		}
		path = link
	}
	return "", errors.New("too many symbolic links")
}
