package datasets

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// TextFolders reads labelled texts that are kept as one file each, with a folder for each class: the texts of folders[0] have the label 0,
// and so on. The names of the classes are the last elements of the folders' paths. For example, with the folders train/neg and train/pos
// of a directory of reviews:
//
//	texts, err := datasets.TextFolders(os.DirFS("reviews"), "train/neg", "train/pos")
//
// The texts come in turn from each folder, as long as it has more, and within a folder in the order of the files' names. So a Slice has
// as much of each class as the folders allow. Names that begin with a dot and folders in a folder are left out. Bytes are kept as they
// are. It is an error when a folder is missing or has no file, or a file has more than 16 MiB.
func TextFolders(fsys fs.FS, folders ...string) (*Texts, error) {
	texts, err := textFolders(fsys, folders)
	if err != nil {
		return nil, fmt.Errorf("datasets.TextFolders: %w", err)
	}
	return texts, nil
}

func textFolders(fsys fs.FS, folders []string) (*Texts, error) {
	if fsys == nil || len(folders) == 0 {
		return nil, fmt.Errorf("there are no folders")
	}
	var labels []string
	files := make([][]string, len(folders))
	for i, folder := range folders {
		name := path.Base(folder)
		if slices.Contains(labels, name) {
			return nil, fmt.Errorf("two classes have the name %q", name)
		}
		labels = append(labels, name)
		var err error
		if files[i], err = textFiles(fsys, folder); err != nil {
			return nil, err
		}
	}
	var records []Text
	var reader textReader
	for turn, left := 0, true; left; turn++ {
		left = false
		for label, names := range files {
			if turn >= len(names) {
				continue
			}
			left = true
			text, err := reader.file(fsys, names[turn])
			if err != nil {
				return nil, err
			}
			records = append(records, Text{text, int32(label)})
		}
	}
	return &Texts{records, labels}, nil
}

// textFiles returns the paths of the files in a folder, sorted.
func textFiles(fsys fs.FS, folder string) ([]string, error) {
	entries, err := fs.ReadDir(fsys, folder)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, path.Join(folder, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("the folder %s has no files", folder)
	}
	return files, nil
}

// maxTextFile is the most bytes that a file of one text may have: archives may claim and hold anything.
const maxTextFile = 16 << 20

// A textReader reads texts, one after another, through the same memory.
type textReader struct{ buf bytes.Buffer }

func (t *textReader) file(fsys fs.FS, name string) (string, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	return t.text(file, name)
}

// text reads one text to its end; an error has its name.
func (t *textReader) text(r io.Reader, name string) (string, error) {
	t.buf.Reset()
	n, err := t.buf.ReadFrom(io.LimitReader(r, maxTextFile+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if n > maxTextFile {
		return "", fmt.Errorf("%s has more than %d MiB", name, maxTextFile>>20)
	}
	return t.buf.String(), nil
}
