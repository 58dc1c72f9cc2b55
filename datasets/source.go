package datasets

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"paddle/internal/fetch"
)

// Source says where the file of a public set of texts is looked for: it is what [IMDb], [MovieReviews] and [SentencePolarity] are made of.
//
// The file is looked for in Dir; in Cache; then in Mirrors. It is checked by length and checksum before it is used. What was fetched
// is kept in Cache, whole or not at all, and from then on nothing outside is asked. A damaged file in the cache is fetched again. An error
// lists every place that was tried and what came of it; one that is due to the context satisfies errors.Is for its error.
type Source struct {
	// Dir is a directory with the set's file under its own name, or with what unpacking it gives, looked at first and never written to;
	// "" is none. A file that is there but is not the right one is an error.
	Dir string
	// Archive is the path of a file like the set's own, such as one that was packed again. It is read in place of all others, and only
	// what is in it is checked; "" is none.
	Archive string
	// Cache is where a fetched file is kept; "" is a folder of os.UserCacheDir, paddle/imdb, paddle/movie-reviews or
	// paddle/sentence-polarity.
	Cache string
	// Mirrors are base URLs, to which the file's name is appended, in the order in which they are tried. Nil is those that the set
	// names, and an empty slice is none.
	Mirrors []string
	// Offline uses no network: only Dir and Cache are looked at.
	Offline bool
	// Client makes the requests to mirrors; nil is http.DefaultClient.
	Client *http.Client
	// Silence is how long a mirror may send nothing before the next is tried; 0 is 30 seconds.
	Silence time.Duration
}

// A publicSet is a set's file and what must be in it.
type publicSet struct {
	file    fetch.File
	folder  string   // in the cache directory
	mirrors []string // by default
	count   int      // the texts of each class, in each part
}

// find returns the path of the set's file.
func (s Source) find(ctx context.Context, set publicSet) (string, error) {
	if s.Archive != "" {
		return s.Archive, nil
	}
	store := fetch.Store{Dir: s.Dir, Cache: s.Cache}
	if s.Cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			store.NoCache = fmt.Errorf("no cache directory, set Cache: %w", err)
		}
		store.Cache = filepath.Join(dir, "paddle", set.folder)
	}
	if s.Offline {
		return store.Get(ctx, set.file)
	}
	if s.Silence == 0 {
		s.Silence = 30 * time.Second
	}
	if s.Mirrors == nil {
		s.Mirrors = set.mirrors
	}
	for _, url := range s.Mirrors {
		store.Places = append(store.Places, fetch.Mirror{URL: url, Client: s.Client, Silence: s.Silence})
	}
	return store.Get(ctx, set.file)
}

// unpacked returns the directory, one of the folders in Dir or Dir itself, that has what unpacking the set's file gives, known by the
// name of something that is in it; "" if none has.
func (s Source) unpacked(sign string, folders ...string) (string, error) {
	if s.Archive != "" || s.Dir == "" {
		return "", nil
	}
	for _, folder := range append(folders, ".") {
		dir := filepath.Join(s.Dir, folder)
		_, err := os.Stat(filepath.Join(dir, sign))
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", nil
}

// withFolder calls read with the first of the folders, as it is in the set's zip file, or with one that is unpacked, known by something
// that is in it. It returns where that is; an error of read names it.
func (s Source) withFolder(ctx context.Context, set publicSet, sign string, folders []string,
	read func(root fs.FS) error) (from string, err error) {
	if ctx == nil {
		return "", errors.New("the context is nil")
	}
	dir, err := s.unpacked(sign, folders...)
	if err != nil {
		return "", err
	}
	if dir != "" {
		return dir, inFile(dir, read(os.DirFS(dir)))
	}
	name, err := s.find(ctx, set)
	if err != nil {
		return "", err
	}
	archive, err := zip.OpenReader(name)
	if err != nil {
		return "", inFile(name, err)
	}
	defer archive.Close()
	root, err := fs.Sub(archive, folders[0])
	if err == nil {
		err = read(root)
	}
	return name, inFile(name, err)
}

// inFile puts the name of a file or folder before an error, if there is one.
func inFile(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}
