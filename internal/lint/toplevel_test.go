package lint

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// topLevel are the entries that the root may have besides the Go files of its package.
var topLevel = []string{
	"layer", "op", "sequence", "recompute", "amp", "parallel", "datasets", "examples", "internal",
	"go.mod", "go.sum", "README.md", "LICENSE", ".ci", ".gitignore",
}

var topLevelRule = rule{
	name:   "top level",
	reason: "the root is the table of contents of the library; a new package belongs into one of its directories, a command where its subject is",
	check:  checkTopLevel,
	cases: []ruleCase{
		{map[string]string{"trainer.go": "package paddle", "trainer_test.go": "package paddle", "go.mod": "", "op/a.go": "package op", "internal/exec/a.txt": "", ".ci/run": ""}, nil},
		{map[string]string{"utils/a.go": "package utils", "utils/b.go": "package utils", "Makefile": "", "a.txt": ""},
			[]string{"utils: has no place at the top level", "Makefile: has no place at the top level", "a.txt: has no place at the top level"}},
	},
}

func checkTopLevel(t *tree) (found []finding) {
	entries := make(map[string]bool)
	for _, f := range t.files {
		entry, _, inside := strings.Cut(f.path, "/")
		if inside || path.Ext(entry) != ".go" {
			entries[entry] = true
		}
	}
	for _, entry := range slices.Sorted(maps.Keys(entries)) {
		if !slices.Contains(topLevel, entry) {
			found = append(found, finding{entry, 0, "has no place at the top level"})
		}
	}
	return found
}
