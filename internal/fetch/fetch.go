// Package fetch finds the files of public data sets: in a given directory, in a cache, or in one of several places on the network,
// checking the content of each before it is used.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Place is somewhere that files may be had from.
type Place interface {
	// At says where file is in this place, for errors.
	At(file string) string
	// Open returns the content of file. The context holds until the content is closed.
	Open(ctx context.Context, file string) (io.ReadCloser, error)
}

// Store finds files.
type Store struct {
	// Dir is looked at first and never written to; "" is none. A file that is there must be the right one.
	Dir string
	// Cache is where files from Places are kept, and looked at before them.
	Cache string
	// NoCache, if not nil, says why there is no Cache; then only Dir is looked at.
	NoCache error
	// Places are tried in order for files that are neither in Dir nor, whole, in Cache.
	Places []Place
}

// Get returns the path of a file whose content has been checked. A damaged file in the cache is fetched again. The error when the file
// cannot be had is a *NotFoundError.
func (s Store) Get(ctx context.Context, f File) (string, error) {
	missing := &NotFoundError{File: f.Name}
	if s.Dir != "" {
		path := filepath.Join(s.Dir, f.Name)
		err := f.Check(path)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err // what the user points at is not passed over in silence
		}
		missing.add(path, err)
	}
	if s.NoCache != nil {
		missing.add("cache", s.NoCache)
		return "", missing
	}
	path := filepath.Join(s.Cache, f.Name)
	err := f.Check(path)
	if err == nil {
		return path, nil
	}
	missing.add(path, err)
	for _, p := range s.Places {
		if err := ctx.Err(); err != nil {
			return "", missing.stopped(err)
		}
		err := fetch(ctx, f, p, path)
		if err == nil {
			return path, nil
		}
		missing.add(p.At(f.Name), err)
	}
	return "", missing.stopped(ctx.Err())
}

// fetch copies a file from a place to path. It appears there whole and checked, or not at all.
func fetch(ctx context.Context, f File, p Place, path string) (err error) {
	from, err := p.Open(ctx, f.Name)
	if err != nil {
		return err
	}
	defer from.Close()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("cannot be kept: %w", err)
	}
	part, err := os.CreateTemp(filepath.Dir(path), "."+f.Name+".*.part")
	if err != nil {
		return fmt.Errorf("cannot be kept: %w", err)
	}
	defer func() {
		part.Close()
		if err != nil {
			os.Remove(part.Name())
		}
	}()
	if err := f.verify(from, part); err != nil {
		return err
	}
	if err := part.Chmod(0o644); err != nil { // a cache may be shared
		return fmt.Errorf("cannot be kept: %w", err)
	}
	if err := part.Close(); err != nil {
		return fmt.Errorf("cannot be kept: %w", err)
	}
	if err := os.Rename(part.Name(), path); err != nil {
		return fmt.Errorf("cannot be kept: %w", err)
	}
	return nil
}
