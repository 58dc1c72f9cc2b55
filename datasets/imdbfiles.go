package datasets

import (
	"archive/tar"
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

var (
	imdbParts   = []string{"train", "test"}
	imdbClasses = []string{"neg", "pos"}
)

// imdbReviews are the reviews that were read.
type imdbReviews struct {
	by     [2][2][]imdbReview // the part and the class
	reader textReader
}

type imdbReview struct {
	number int
	text   string
}

// texts returns a part with count reviews of each class, which take turns.
func (r *imdbReviews) texts(part, count int) (*Texts, error) {
	var records []Text
	for class, reviews := range r.by[part] {
		folder := path.Join("aclImdb", imdbParts[part], imdbClasses[class])
		if len(reviews) != count {
			return nil, fmt.Errorf("%s has %d reviews, want %d", folder, len(reviews), count)
		}
		slices.SortFunc(reviews, func(a, b imdbReview) int { return cmp.Compare(a.number, b.number) })
		for i := 1; i < len(reviews); i++ {
			if reviews[i].number == reviews[i-1].number {
				return nil, fmt.Errorf("%s has two reviews of the number %d", folder, reviews[i].number)
			}
		}
	}
	for i := range count {
		for class, reviews := range r.by[part] {
			records = append(records, Text{reviews[i].text, int32(class)})
		}
	}
	return &Texts{records, imdbClasses}, nil
}

// add adds the review that a member of aclImdb is, if it is one.
func (r *imdbReviews) add(member string, content io.Reader) error {
	folder, file := path.Split(member)
	part, class, ok := imdbFolder(folder)
	if !ok || strings.HasPrefix(file, ".") {
		return nil
	}
	number, err := imdbName(file, class)
	if err != nil {
		return fmt.Errorf("%s: %w", member, err)
	}
	text, err := r.reader.text(content, member)
	if err != nil {
		return err
	}
	r.by[part][class] = append(r.by[part][class], imdbReview{number, text})
	return nil
}

// imdbFolder returns the indices of the part and the class of a folder such as train/pos/; ok is false when it has no labelled reviews.
func imdbFolder(folder string) (part, class int, ok bool) {
	first, second := path.Split(strings.TrimSuffix(folder, "/"))
	part = slices.Index(imdbParts, strings.TrimSuffix(first, "/"))
	class = slices.Index(imdbClasses, second)
	return part, class, part >= 0 && class >= 0
}

// imdbName returns the number in a name such as 0_9.txt, and checks that its rating is one of the class.
func imdbName(file string, class int) (number int, err error) {
	first, second, _ := strings.Cut(strings.TrimSuffix(file, ".txt"), "_")
	number, err = strconv.Atoi(first)
	if err != nil || number < 0 {
		return 0, errors.New("the name is not NUMBER_RATING.txt")
	}
	rating, err := strconv.Atoi(second)
	if err != nil {
		return 0, errors.New("the name is not NUMBER_RATING.txt")
	}
	if least, most := 1+6*class, 4+6*class; rating < least || rating > most {
		return 0, fmt.Errorf("the rating is %d, want %d to %d in %s", rating, least, most, imdbClasses[class])
	}
	return number, nil
}

// readIMDbFolder reads the reviews of an unpacked folder aclImdb.
func readIMDbFolder(ctx context.Context, root fs.FS) (*imdbReviews, error) {
	r := &imdbReviews{}
	for _, part := range imdbParts {
		for _, class := range imdbClasses {
			files, err := textFiles(root, path.Join(part, class))
			if err != nil {
				return nil, err
			}
			for _, name := range files {
				if err := r.addFile(ctx, root, name); err != nil {
					return nil, err
				}
			}
		}
	}
	return r, nil
}

func (r *imdbReviews) addFile(ctx context.Context, root fs.FS, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	file, err := root.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return r.add(name, file)
}

// readIMDbArchive reads the reviews of a packed folder aclImdb, to the end, where the checksum is.
func readIMDbArchive(ctx context.Context, from io.Reader) (*imdbReviews, error) {
	packed, err := gzip.NewReader(bufio.NewReaderSize(from, 1<<16))
	if err != nil {
		return nil, err
	}
	r, archive := &imdbReviews{}, tar.NewReader(packed)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		member, inside := strings.CutPrefix(path.Clean(header.Name), "aclImdb/")
		if inside && header.Typeflag == tar.TypeReg {
			if err := r.add(member, archive); err != nil {
				return nil, err
			}
		}
	}
	_, err = io.Copy(io.Discard, packed)
	return r, err
}
