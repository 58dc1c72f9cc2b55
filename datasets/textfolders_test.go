package datasets

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"
)

func TestTextFolders(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	tree := fstest.MapFS{
		"mail/ham/b": file("ham b\n"), "mail/ham/a": file("ham a"), "mail/ham/c": file("\xff"), "mail/ham/.DS_Store": file("x"),
		"mail/ham/old/d": file("x"), "mail/spam/z": file(""), "mail/README": file("x"),
	}
	texts, err := TextFolders(tree, "mail/spam", "mail/ham")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "labels", texts.Labels(), []string{"spam", "ham"})
	same(t, "texts", collect(t, texts.InOrder()), []Text{{"", 0}, {"ham a", 1}, {"ham b\n", 1}, {"\xff", 1}})

	_, err = TextFolders(tree, "mail/ham", "mail/none")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want fs.ErrNotExist", err)
	}
	contains(t, err, "datasets.TextFolders: open mail/none")
	_, err = TextFolders(tree, "mail/ham", "other/ham")
	contains(t, err, `two classes have the name "ham"`)
	if texts, err := TextFolders(tree, "mail"); err != nil || texts.Len() != 1 || texts.Labels()[0] != "mail" {
		t.Errorf("one folder: %v", err)
	}
	_, err = TextFolders(fstest.MapFS{"a/.b": file("x")}, "a")
	contains(t, err, "the folder a has no files")
	_, err = TextFolders(tree)
	contains(t, err, "there are no folders")
	_, err = TextFolders(nil, "a")
	contains(t, err, "there are no folders")
}

// endless is a file system whose files never end.
type endless struct{ fstest.MapFS }

func (e endless) Open(name string) (fs.File, error) {
	f, err := e.MapFS.Open(name)
	if name == "a/b" {
		f = endlessFile{f}
	}
	return f, err
}

type endlessFile struct{ fs.File }

func (endlessFile) Read(p []byte) (int, error) { return len(p), nil }

func TestTextFoldersEndlessFile(t *testing.T) {
	_, err := TextFolders(endless{fstest.MapFS{"a/b": {}}}, "a")
	contains(t, err, "a/b has more than 16 MiB")
}

// writeZip writes a zip file.
func writeZip(t *testing.T, path string, content map[string]string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, text := range content {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}
