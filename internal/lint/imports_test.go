package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// module is the path of our module, and of its root package.
const module = "paddle"

// graph is the import graph: what a package that can be imported, and its commands, may import of our own packages. A name that ends
// in /... stands for everything below; the first row that fits counts.
var graph = []struct {
	name string
	may  []string
}{
	{"examples/...", []string{"...", "examples/..."}},
	{"internal/bench/...", []string{"..."}},
	{"op", nil},
	{"op/optest", []string{"op", "internal/exec"}},
	{"op/gorgop", []string{"op", module}},
	{"sequence", []string{"op"}},
	{"layer", []string{"op", "sequence"}},
	{"amp", []string{"op"}},
	{"recompute", []string{"op"}},
	{"datasets", []string{"op", "sequence", "internal/fetch", "internal/atomicfile"}},
	{"parallel/...", []string{"op", module, "parallel/..."}},
	{module, []string{"op", "internal/exec", "internal/safetensors", "internal/atomicfile"}},
	{"internal/kernel", nil},
	{"internal/cpu", []string{"op", "internal/kernel"}},
	{"internal/exec", []string{"op", "internal/cpu"}},
	{"internal/fetch", []string{"internal/atomicfile"}},
	{"internal/safetensors", nil},
	{"internal/atomicfile", nil},
	{"internal/lint", nil},
}

// lean are the packages that may import only these ones from outside of the standard library and this module.
var lean = map[string][]string{
	"internal/kernel": {"golang.org/x/sys/...", "github.com/chewxy/math32"},
}

var importsRule = rule{
	name: "imports",
	reason: "packages build on one another in one direction, so that each can be read, tested and used without those above it; " +
		"the table in internal/lint/imports_test.go says which",
	check: checkImports,
	cases: []ruleCase{
		{map[string]string{
			"layer/fc.go":                "package layer\nimport (\n\"fmt\"\n\"paddle/op\"\n\"paddle/sequence\"\n\"gorgonia.org/tensor\"\n)",
			"layer/fc_test.go":           "package layer_test\nimport \"paddle\"",
			"trainer.go":                 "package paddle\nimport \"paddle/internal/exec\"",
			"parallel/launch/main.go":    "package main\nimport \"paddle/parallel\"",
			"internal/bench/main.go":     "package main\nimport \"paddle/layer\"",
			"examples/mnist/main.go":     "package main\nimport (\n\"paddle\"\n\"paddle/examples/mnist/net\"\n)",
			"internal/kernel/add.go":     "package kernel\nimport (\n\"golang.org/x/sys/cpu\"\n\"github.com/chewxy/math32\"\n)",
			"internal/kernel/gen/a.go":   "package main\nimport \"paddle/op\"",
			"internal/kernel/gen/go.mod": "module gen",
		}, nil},
		{map[string]string{"op/a.go": "package op\nimport \"paddle/internal/kernel\""},
			[]string{"op/a.go:2: op imports internal/kernel, may import none of ours"}},
		{map[string]string{"layer/a.go": "package layer\n\nimport \"paddle\""},
			[]string{"layer/a.go:3: layer imports paddle, may import op, sequence"}},
		{map[string]string{"internal/fetch/a.go": "package fetch\nimport x \"paddle/datasets\""},
			[]string{"internal/fetch/a.go:2: internal/fetch imports datasets, may import internal/atomicfile"}},
		{map[string]string{"trainer.go": "package paddle\nimport \"paddle/internal/kernel\""},
			[]string{"trainer.go:2: paddle imports internal/kernel, may import op, internal/exec, internal/safetensors, internal/atomicfile"}},
		{map[string]string{"trainer_test.go": "package paddle_test\nimport \"paddle/examples/mnist\""},
			[]string{"trainer_test.go:2: paddle imports examples/mnist: examples show the library, nothing is built on them"}},
		{map[string]string{"internal/bench/b.go": "package bench\nimport \"paddle/examples/mnist\""},
			[]string{"internal/bench/b.go:2: internal/bench imports examples/mnist: examples show the library, nothing is built on them"}},
		{map[string]string{"utils/a.go": "package utils\nimport \"paddle/op\""},
			[]string{"utils/a.go:2: utils is not in the table"}},
		{map[string]string{"internal/kernel/a.go": "package kernel\nimport \"gonum.org/v1/gonum/blas\""},
			[]string{"internal/kernel/a.go:2: internal/kernel imports gonum.org/v1/gonum/blas, may import the standard library, golang.org/x/sys/..., github.com/chewxy/math32"}},
	},
}

func checkImports(t *tree) (found []finding) {
	for _, f := range t.files {
		if f.syntax == nil {
			continue
		}
		for _, spec := range f.syntax.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue
			}
			if what := checkImport(f, imported); what != "" {
				found = append(found, finding{f.path, t.line(spec.Pos()), what})
			}
		}
	}
	return found
}

// checkImport returns what is wrong with an import. Tests may import what they like, but for examples.
func checkImport(f *file, imported string) string {
	from := packageName(f.dir())
	to, ours := ownPackage(imported)
	if !ours {
		allowed, isLean := lean[from]
		if isLean && !f.isTest() && outside(imported) && !matchAny(allowed, imported) {
			return fmt.Sprintf("%s imports %s, may import the standard library, %s", from, imported, strings.Join(allowed, ", "))
		}
		return ""
	}
	if match("examples/...", to) && !match("examples/...", from) {
		return fmt.Sprintf("%s imports %s: examples show the library, nothing is built on them", from, to)
	}
	if f.isTest() {
		return ""
	}
	for _, row := range graph {
		if !match(row.name, from) {
			continue
		}
		if matchAny(row.may, to) {
			return ""
		}
		if row.may == nil {
			return fmt.Sprintf("%s imports %s, may import none of ours", from, to)
		}
		return fmt.Sprintf("%s imports %s, may import %s", from, to, strings.Join(row.may, ", "))
	}
	return from + " is not in the table"
}

// packageName is the name of a directory's package in the table.
func packageName(dir string) string {
	if dir == "." {
		return module
	}
	return dir
}

// ownPackage returns the name in the table of an imported package; ours is false when it is not of this module.
func ownPackage(imported string) (name string, ours bool) {
	if imported == module {
		return module, true
	}
	return strings.CutPrefix(imported, module+"/")
}

// outside reports whether an import is neither the standard library's nor ours: its first element is a host.
func outside(imported string) bool {
	host, _, _ := strings.Cut(imported, "/")
	return strings.Contains(host, ".")
}

func matchAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return match(p, name) })
}

// match reports whether name is the pattern, or at or below a pattern that ends in "...".
func match(pattern, name string) bool {
	prefix, below := strings.CutSuffix(pattern, "...")
	if !below {
		return pattern == name
	}
	return strings.HasPrefix(name+"/", prefix)
}

var gorgoniaRule = rule{
	name:   "gorgonia",
	reason: "gorgonia.org/gorgonia is large, and only programs that use the bridge op/gorgop shall link it",
	check:  checkGorgonia,
	cases: []ruleCase{
		{map[string]string{
			"op/gorgop/a.go":          "package gorgop\nimport \"gorgonia.org/gorgonia\"",
			"internal/bench/peers.go": "package main\nimport \"gorgonia.org/gorgonia\"",
			"examples/bridge/main.go": "package main\nimport \"gorgonia.org/gorgonia\"",
			"op/a.go":                 "package op\nimport \"gorgonia.org/tensor\"",
		}, nil},
		{map[string]string{"op/a_test.go": "package op\nimport G \"gorgonia.org/gorgonia\""}, []string{"op/a_test.go:2: op imports gorgonia.org/gorgonia"}},
		{map[string]string{"a.go": "package paddle\nimport \"gorgonia.org/gorgonia/ops/nn\""}, []string{"a.go:2: paddle imports gorgonia.org/gorgonia/ops/nn"}},
	},
}

func checkGorgonia(t *tree) (found []finding) {
	for _, f := range t.files {
		from := packageName(f.dir())
		if f.syntax == nil || matchAny([]string{"op/gorgop", "internal/bench/...", "examples/..."}, from) {
			continue
		}
		for _, spec := range f.syntax.Imports {
			if imported, _ := strconv.Unquote(spec.Path.Value); match("gorgonia.org/gorgonia/...", imported) {
				found = append(found, finding{f.path, t.line(spec.Pos()), from + " imports " + imported})
			}
		}
	}
	return found
}
