package lint

import (
	"go/ast"
	"go/doc"
)

var examplesRule = rule{
	name:   "examples",
	reason: "every public package has an Example with an Output comment, because it is the first thing a user copies, and go test runs it",
	check:  checkExamples,
	cases: []ruleCase{
		{map[string]string{
			"op/a.go":                 "package op",
			"op/a_test.go":            "package op_test\nfunc ExampleAdd() {\n\tAdd()\n\t// Output: 3\n}",
			"trainer.go":              "package paddle",
			"example_test.go":         "package paddle_test\nfunc Example() {\n\tFit()\n\t// Unordered output: 3\n}",
			"internal/exec/a.go":      "package exec",
			"examples/mnist/net/a.go": "package net",
			"parallel/launch/main.go": "package main",
		}, nil},
		{map[string]string{
			"op/a.go":         "package op",
			"op/a_test.go":    "package op\nfunc TestAdd() {}",
			"layer/a.go":      "package layer",
			"layer/a_test.go": "package layer_test\nfunc Example() {\n\tuse()\n}",
			"trainer.go":      "package paddle",
		}, []string{"op: has no Example that runs", "layer: has no Example that runs", "paddle: has no Example that runs"}},
	},
}

func checkExamples(t *tree) (found []finding) {
	tests := make(map[string][]*ast.File)
	for _, f := range t.files {
		if f.syntax != nil && f.isTest() {
			tests[f.dir()] = append(tests[f.dir()], f.syntax)
		}
	}
	for dir := range t.library() {
		if matchAny([]string{"internal/...", "examples/..."}, dir) {
			continue
		}
		runs := false
		for _, e := range doc.Examples(tests[dir]...) {
			runs = runs || e.Output != "" || e.EmptyOutput
		}
		if !runs {
			found = append(found, finding{packageName(dir), 0, "has no Example that runs"})
		}
	}
	return found
}
