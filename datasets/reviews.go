package datasets

import (
	"context"
	"fmt"
	"io/fs"

	"paddle/internal/fetch"
)

// MovieReviews loads the polarity set v2.0 of Pang and Lee (A Sentimental Education, ACL 2004), in the form of NLTK's corpus
// movie_reviews, which Paddle's set "sentiment" is too: 1,000 negative (label 0, "neg") and 1,000 positive (1, "pos") reviews, in lower
// case, with a space around each token and a sentence on each line. The zero value is ready to use.
//
// See [Source] for its fields. The set's file is movie_reviews.zip, of 4 MB, and unpacking it gives the folder movie_reviews. The mirrors
// are
//
//	https://corpora.bj.bcebos.com/movie_reviews
//	https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/corpora
type MovieReviews Source

// Load loads all reviews. The classes take turns, review i has label i modulo 2, and the reviews of a class are in the order of their
// files' names.
func (d MovieReviews) Load(ctx context.Context) (*Texts, error) {
	return d.load(ctx, movieReviews)
}

const nltkCorpora = "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/corpora"

var movieReviews = publicSet{
	file: fetch.File{Name: "movie_reviews.zip", Size: 4004848, MD5: "155de2b77c6834dd8eea7cbe88e93acb",
		SHA256: "a41211ae685019137410268134db6a1a14428c89b671eb83056151a878539008"},
	folder:  "movie-reviews",
	mirrors: []string{"https://corpora.bj.bcebos.com/movie_reviews", nltkCorpora},
	count:   1000,
}

func (d MovieReviews) load(ctx context.Context, set publicSet) (texts *Texts, err error) {
	from, err := Source(d).withFolder(ctx, set, "neg", []string{"movie_reviews"}, func(root fs.FS) error {
		texts, err = textFolders(root, []string{"neg", "pos"})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("datasets.MovieReviews: %w", err)
	}
	var count [2]int
	for _, x := range texts.records {
		count[x.Label]++
	}
	for class, n := range count {
		if n != set.count {
			return nil, fmt.Errorf("datasets.MovieReviews: %s: %s has %d reviews, want %d", from, texts.labels[class], n, set.count)
		}
	}
	return texts, nil
}
