package datasets

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestT02IMDbDamaged: an archive that is cut anywhere is an error; one with any bit changed is, or it has the same reviews.
func TestT02IMDbDamaged(t *testing.T) {
	content := packed(t, smallIMDb())
	for at := range content {
		if _, err := readIMDbArchive(t.Context(), bytes.NewReader(content[:at])); err == nil {
			t.Errorf("an archive cut at %d of %d was taken", at, len(content))
		}
	}
	whole, err := readIMDbArchive(t.Context(), bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for at := range content {
		flipped := bytes.Clone(content)
		flipped[at] ^= 1 << (at % 8)
		got, err := readIMDbArchive(t.Context(), bytes.NewReader(flipped))
		if err != nil {
			refused++
		} else if !reflect.DeepEqual(got.by, whole.by) { // some bits mean nothing, such as those of the time
			t.Errorf("an archive with a bit of byte %d changed was read as another", at)
		}
	}
	if refused < len(content)*9/10 {
		t.Errorf("%d of %d changed archives were refused", refused, len(content))
	}
	path := filepath.Join(t.TempDir(), "half.tar.gz")
	os.WriteFile(path, content[:len(content)/2], 0o644)
	_, _, err = IMDb{Archive: path}.Load(t.Context())
	contains(t, err, "datasets.IMDb: "+path+": unexpected EOF")
	os.WriteFile(path, []byte("not packed"), 0o644)
	_, _, err = IMDb{Archive: path}.Load(t.Context())
	contains(t, err, "datasets.IMDb: "+path+": gzip: invalid header")
	_, _, err = IMDb{Archive: path + ".none"}.Load(t.Context())
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want fs.ErrNotExist", err)
	}
}

// TestT02IMDbContent: archives and folders that are whole but are not what they should be.
func TestT02IMDbContent(t *testing.T) {
	without := func(name string) func(map[string]string) { return func(m map[string]string) { delete(m, name) } }
	with := func(name string) func(map[string]string) { return func(m map[string]string) { m[name] = "x" } }
	for _, test := range []struct {
		change func(map[string]string)
		want   string
	}{
		{without("aclImdb/train/pos/0_8.txt"), "aclImdb/train/pos has 2 reviews, want 3"},
		{without("aclImdb/test/neg/10_3.txt"), "aclImdb/test/neg has 2 reviews, want 3"},
		{with("aclImdb/test/pos/11_7.txt"), "aclImdb/test/pos has 4 reviews, want 3"},
		{with("aclImdb/train/pos/0.txt"), "train/pos/0.txt: the name is not NUMBER_RATING.txt"},
		{with("aclImdb/train/pos/x_9.txt"), "train/pos/x_9.txt: the name is not NUMBER_RATING.txt"},
		{with("aclImdb/train/pos/-1_9.txt"), "the name is not NUMBER_RATING.txt"},
		{with("aclImdb/train/pos/3_4.txt"), "train/pos/3_4.txt: the rating is 4, want 7 to 10 in pos"},
		{with("aclImdb/test/neg/3_7.txt"), "test/neg/3_7.txt: the rating is 7, want 1 to 4 in neg"},
		{func(m map[string]string) { m["aclImdb/test/pos/2_10.txt"] = "x"; delete(m, "aclImdb/test/pos/0_8.txt") },
			"aclImdb/test/pos has two reviews of the number 2"},
	} {
		members := smallIMDb()
		test.change(members)
		dir := t.TempDir()
		path := filepath.Join(dir, "some.tar.gz")
		os.WriteFile(path, packed(t, members), 0o644)
		writeTree(t, dir, members)
		for _, d := range []IMDb{{Archive: path}, {Dir: dir}} {
			_, _, err := d.load(t.Context(), publicSet{count: 3})
			contains(t, err, test.want)
			contains(t, err, "datasets.IMDb: "+dir)
		}
	}
	renamed := map[string]string{}
	for name, text := range smallIMDb() {
		renamed[strings.Replace(name, "aclImdb", "imdb", 1)] = text
	}
	path := filepath.Join(t.TempDir(), "renamed.tar.gz")
	os.WriteFile(path, packed(t, renamed), 0o644)
	_, _, err := IMDb{Archive: path}.Load(t.Context())
	contains(t, err, path+": aclImdb/train/neg has 0 reviews, want 12500")

	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"aclImdb/train/neg/0_1.txt": "x"})
	_, _, err = IMDb{Dir: dir}.Load(t.Context())
	contains(t, err, "open train/pos")
}

func FuzzReadIMDb(f *testing.F) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	w.WriteHeader(&tar.Header{Name: "aclImdb/train/pos/0_9.txt", Size: 4, Typeflag: tar.TypeReg})
	w.Write([]byte("good"))
	w.Close()
	z.Close()
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:b.Len()/2])
	f.Fuzz(func(t *testing.T, archive []byte) {
		reviews, err := readIMDbArchive(t.Context(), bytes.NewReader(archive))
		if err != nil {
			return
		}
		for part := range imdbParts {
			reviews.texts(part, 1)
		}
	})
}

// TestIMDbFiles reads the real reviews, packed again, and compares with what other programs count in them.
func TestIMDbFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("50,000 reviews are not short")
	}
	train, test, err := IMDb{Archive: dataFile(t, "imdb", "aclImdb-labelled.tar.gz")}.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// The numbers of words between white space are those of awk over the files.
	for _, part := range []struct {
		texts *Texts
		words int
	}{{train, 5844464}, {test, 5712939}} {
		same(t, "counts", labelCounts(t, part.texts), []int{12500, 12500})
		words := 0
		for x := range part.texts.InOrder() {
			words += len(strings.FieldsFunc(x.Text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }))
		}
		if words != part.words {
			t.Errorf("%d words, want %d", words, part.words)
		}
	}
	first := collect(t, train.InOrder())[1]
	if first.Label != 1 || !strings.HasPrefix(first.Text, "Bromwell High is a cartoon comedy.") { // train/pos/0_9.txt
		t.Errorf("the first positive review is %.60q", first.Text)
	}
	// The numbers of tokens are those of a regular expression in Python, [^\W_]+(?:['’][^\W_]+)*|[^\w\s]|_ after <br /> and control
	// characters were made spaces, in lower case; it takes a soft hyphen for a mark.
	v, err := NewVocabulary(train.Strings(), VocabularyOptions{Tokenizer: Tokenizer{DropBreaks: true}, MaxSize: 20002, Reserved: []string{"<pad>"}})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the most frequent", entriesOf(v)[2:7], []entry{{"the", 336756}, {".", 327192}, {",", 276280}, {"and", 164140}, {"a", 163115}})
	corpus, err := train.Encode(v, EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if corpus.Len() != 25000 || corpus.Size() != 6745851 || corpus.Label(1) != 1 {
		t.Errorf("%d texts of %d tokens, want 25000 of 6745851", corpus.Len(), corpus.Size())
	}
	unknown := int64(0)
	for i := range corpus.Len() {
		for _, id := range corpus.Tokens(i) {
			if id == v.Unknown() {
				unknown++
			}
		}
	}
	if unknown != v.Count(v.Unknown()) {
		t.Errorf("%d unknown tokens, %d were left out", unknown, v.Count(v.Unknown()))
	}
}
