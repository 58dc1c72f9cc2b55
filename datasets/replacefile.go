package datasets

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile makes write's output the content of the file at path, which is there whole or not at all: it goes to a temporary file beside
// it, is brought to the disk and takes its name. On an error the old file is as it was and the temporary one is gone. A symbolic link is
// followed; an existing file keeps its permissions.
func replaceFile(path string, write func(io.Writer) error) (err error) {
	path, mode, err := fileToReplace(path)
	if err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			part.Close()
			os.Remove(part.Name())
		}
	}()
	if err := write(part); err != nil {
		return err
	}
	if err := part.Chmod(mode); err != nil {
		return err
	}
	if err := part.Sync(); err != nil {
		return err
	}
	if err := part.Close(); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

// fileToReplace returns the file that path leads to, and the permissions it is to have.
func fileToReplace(path string) (string, fs.FileMode, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, 0o644, nil
	case err != nil:
		return "", 0, err
	case !info.Mode().IsRegular():
		return "", 0, &fs.PathError{Op: "save", Path: path, Err: errors.New("it is there and is no file")}
	}
	path, err = filepath.EvalSymlinks(path)
	return path, info.Mode().Perm(), err
}
