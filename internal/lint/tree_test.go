package lint

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maxText is the size from which a file is taken for data.
const maxText = 1 << 20

// tree is the files of a checkout.
type tree struct {
	root  string // of the checkout on this machine; empty for a tree in memory
	fset  *token.FileSet
	files []*file // by path
}

// file is a text file. Go files of our module also have their syntax.
type file struct {
	path   string // from the root, with slashes
	text   string
	syntax *ast.File // nil for other files, for testdata and for modules inside of this one
}

// dir is the directory of the file, "." for the root.
func (f *file) dir() string { return path.Dir(f.path) }

func (f *file) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// isLibrary reports whether f is Go code that another package can import.
func (f *file) isLibrary() bool {
	return f.syntax != nil && !f.isTest() && f.syntax.Name.Name != "main"
}

func (t *tree) line(p token.Pos) int { return t.fset.Position(p).Line }

// library returns the files of each package that can be imported, by directory.
func (t *tree) library() map[string][]*file {
	packages := make(map[string][]*file)
	for _, f := range t.files {
		if f.isLibrary() {
			packages[f.dir()] = append(packages[f.dir()], f)
		}
	}
	return packages
}

// load reads the checkout at root: what git ignores and files that are no text are left out.
func load(t *testing.T, root string) *tree {
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	ignored := ignorePatterns(t, root)
	texts := make(map[string]string)
	err = filepath.WalkDir(root, func(full string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, full)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		switch {
		case name == ".git" || ignored.match(name):
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case d.IsDir() || !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(full)
		if err != nil || len(text) > maxText || bytes.IndexByte(text, 0) >= 0 {
			return err
		}
		texts[name] = string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	tree := memory(t, texts)
	tree.root = root
	return tree
}

// memory makes a tree from the text of its files.
func memory(t *testing.T, texts map[string]string) *tree {
	t.Helper()
	tree := &tree{fset: token.NewFileSet()}
	for name, text := range texts {
		f := &file{path: name, text: text}
		if strings.HasSuffix(name, ".go") && !foreign(name, texts) {
			syntax, err := parser.ParseFile(tree.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Error(err)
				continue
			}
			f.syntax = syntax
		}
		tree.files = append(tree.files, f)
	}
	slices.SortFunc(tree.files, func(a, b *file) int { return strings.Compare(a.path, b.path) })
	return tree
}

// foreign reports whether a Go file is not part of our module, for the reasons that the go command knows.
func foreign(name string, texts map[string]string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		base := path.Base(dir)
		if _, module := texts[dir+"/go.mod"]; module || base == "testdata" || base == "vendor" || base[0] == '.' || base[0] == '_' {
			return true
		}
	}
	return strings.HasPrefix(path.Base(name), "_") || strings.HasPrefix(path.Base(name), ".")
}

// patterns are the lines of a .gitignore file.
type patterns []string

func ignorePatterns(t *testing.T, root string) patterns {
	text, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// match reports whether a path is ignored: by its name, or from the root by a pattern that begins with a slash.
func (p patterns) match(name string) bool {
	return slices.ContainsFunc(p, func(pattern string) bool {
		pattern = strings.TrimSuffix(pattern, "/")
		tail, anchored := strings.CutPrefix(pattern, "/")
		subject := path.Base(name)
		if anchored {
			subject = name
		}
		ok, _ := path.Match(tail, subject)
		return ok
	})
}

func TestLoadLeavesOutWhatIsNotOurs(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		".gitignore":            "*.out\n/paddle-*.test\nbuild/\n",
		".git/a.go":             "package a",
		"op/a.go":               "package op",
		"op/paddle-1.test":      "kept: the pattern is for the root",
		"op/testdata/a.go":      "not Go at all",
		"gen/go.mod":            "module gen",
		"gen/deep/a.go":         "package gen",
		"cpu.out":               "x",
		"op/cpu.out":            "x",
		"op/build/a.go":         "package build",
		"paddle-1.test":         "x",
		"op/weights":            "\x00\x01",
		"op/large":              strings.Repeat("x", maxText+1),
		"op/testdata/vectors":   "1 2 3",
		"op/_draft/a.go":        "not Go at all",
		"op/inner/.hidden/a.go": "not Go at all",
	} {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var texts, parsed []string
	for _, f := range load(t, root).files {
		texts = append(texts, f.path)
		if f.syntax != nil {
			parsed = append(parsed, f.path)
		}
	}
	want := []string{".gitignore", "gen/deep/a.go", "gen/go.mod", "op/_draft/a.go", "op/a.go", "op/inner/.hidden/a.go", "op/paddle-1.test",
		"op/testdata/a.go", "op/testdata/vectors"}
	if !slices.Equal(texts, want) {
		t.Errorf("files\n%q, want\n%q", texts, want)
	}
	if !slices.Equal(parsed, []string{"op/a.go"}) {
		t.Errorf("parsed %q, want only op/a.go", parsed)
	}
}
