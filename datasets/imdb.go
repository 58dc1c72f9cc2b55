package datasets

import (
	"context"
	"errors"
	"fmt"
	"os"

	"paddle/internal/fetch"
)

// IMDb loads the Large Movie Review Dataset (Maas et al., Learning Word Vectors for Sentiment Analysis, ACL 2011): 25,000 reviews for
// training and 25,000 for testing, half of them negative (label 0, "neg") and half positive (1, "pos"). The zero value is ready to use:
//
//	train, test, err := datasets.IMDb{}.Load(ctx)
//
// See [Source] for its fields. The set's file is aclImdb_v1.tar.gz, of 84 MB, and unpacking it gives the folder aclImdb. The mirrors are
//
//	https://ai.stanford.edu/~amaas/data/sentiment
//	https://dataset.bj.bcebos.com/imdb
//
// A packed file, whole or packed again, and an unpacked folder must have the 12,500 reviews of each class under their names, such as
// aclImdb/train/pos/0_9.txt, whose second number is the rating: 1 to 4 in neg, 7 to 10 in pos. What else is in them, such as
// the 50,000 reviews without a label, is passed over.
type IMDb Source

// Load loads the reviews for training and for testing. In both the classes take turns, review i has label i modulo 2, and the reviews
// of a class are in the order of their numbers. They are as in the files: UTF-8, with HTML line breaks (see Tokenizer.DropBreaks).
func (d IMDb) Load(ctx context.Context) (train, test *Texts, err error) {
	return d.load(ctx, imdb)
}

var imdb = publicSet{
	file: fetch.File{Name: "aclImdb_v1.tar.gz", Size: 84125825, MD5: "7c2ac02c03563afcf9b574c7e56c153a",
		SHA256: "c40f74a18d3b61f90feba1e17730e0d38e8b97c05fde7008942e91923d1658fe"},
	folder:  "imdb",
	mirrors: []string{"https://ai.stanford.edu/~amaas/data/sentiment", "https://dataset.bj.bcebos.com/imdb"},
	count:   12500,
}

func (d IMDb) load(ctx context.Context, set publicSet) (train, test *Texts, err error) {
	if ctx == nil {
		return nil, nil, errors.New("datasets.IMDb: the context is nil")
	}
	reviews, from, err := d.read(ctx, set)
	if err != nil {
		return nil, nil, fmt.Errorf("datasets.IMDb: %w", err)
	}
	if train, err = reviews.texts(0, set.count); err == nil {
		test, err = reviews.texts(1, set.count)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("datasets.IMDb: %s: %w", from, err)
	}
	return train, test, nil
}

// read reads all reviews from a folder or a packed file, and says which.
func (d IMDb) read(ctx context.Context, set publicSet) (reviews *imdbReviews, from string, err error) {
	dir, err := Source(d).unpacked(imdbParts[0], "aclImdb")
	if err != nil {
		return nil, "", err
	}
	if dir != "" {
		reviews, err = readIMDbFolder(ctx, os.DirFS(dir))
		return reviews, dir, inFile(dir, err)
	}
	path, err := Source(d).find(ctx, set)
	if err != nil {
		return nil, "", err
	}
	archive, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer archive.Close()
	reviews, err = readIMDbArchive(ctx, archive)
	return reviews, path, inFile(path, err)
}
