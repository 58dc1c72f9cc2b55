package lint

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowance is a place where a call is right that is wrong elsewhere.
type allowance struct {
	path, function, call string
	reason               string
}

var allowances = []allowance{
	{"internal/kernel/team_job.go", "finish", "panic", "passes on what a task panicked with, from the helper's goroutine to the caller's, where op recovers it"},
	{"internal/kernel/team_scratch.go", "Take", "panic", "the impossible: the planner counted fewer parts than run"},
}

var callsRule = rule{
	name: "calls",
	reason: "a library returns errors: it does not panic on a user's mistake, end the program, or write to a terminal that is not its own; " +
		"an exception needs a line with its reason in internal/lint/calls_test.go",
	check: checkCalls,
	cases: []ruleCase{
		{map[string]string{
			"op/a_test.go":                "package op\nimport \"fmt\"\nfunc f() { panic(1); fmt.Println() }",
			"examples/mnist/main.go":      "package main\nimport \"log\"\nfunc main() { log.Fatal(1) }",
			"op/b.go":                     "package op\nimport \"fmt\"\nfunc f() error { return fmt.Errorf(fmt.Sprint(1)) }",
			"op/c.go":                     "package op\nimport log \"paddle/op/mathlog\"\nfunc f() { log.Print() }",
			"internal/kernel/team_job.go": "package kernel\nfunc (j *job) finish() { panic(1) }",
		}, nil},
		{map[string]string{"op/a.go": "package op\nimport (\n\"fmt\"\nl \"log\"\n\"os\"\n)\nfunc f() {\n\tpanic(1)\n\tl.Printf(\"\")\n\tfmt.Println()\n\tfunc() { os.Exit(1) }()\n\tprintln()\n}\nvar x = l.New"},
			[]string{"op/a.go:8: f calls panic", "op/a.go:9: f calls log.Printf", "op/a.go:10: f calls fmt.Println", "op/a.go:11: f calls os.Exit", "op/a.go:12: f calls println"}},
		{map[string]string{"op/a.go": "package op\nvar x = func() int { panic(1) }()"}, []string{"op/a.go:2: a declaration calls panic"}},
		{map[string]string{"internal/kernel/team_job.go": "package kernel\nfunc wait() { panic(1) }"}, []string{"internal/kernel/team_job.go:2: wait calls panic"}},
	},
}

// forbidden reports whether a library may not call this function.
func forbidden(call string) bool {
	switch call {
	case "panic", "print", "println", "fmt.Print", "fmt.Printf", "fmt.Println", "os.Exit":
		return true
	}
	return strings.HasPrefix(call, "log.")
}

func checkCalls(t *tree) (found []finding) {
	for _, c := range forbiddenCalls(t) {
		if !slices.ContainsFunc(allowances, c.allowedBy) {
			found = append(found, finding{c.path, c.line, c.function + " calls " + c.name})
		}
	}
	return found
}

// call is a call of a forbidden function.
type call struct {
	path, function, name string
	line                 int
}

func (c call) allowedBy(a allowance) bool {
	return a.path == c.path && a.function == c.function && a.call == c.name
}

func forbiddenCalls(t *tree) (calls []call) {
	for _, files := range t.library() {
		for _, f := range files {
			for _, d := range f.syntax.Decls {
				function := "a declaration"
				if fn, ok := d.(*ast.FuncDecl); ok {
					function = fn.Name.Name
				}
				ast.Inspect(d, func(n ast.Node) bool {
					if c, ok := n.(*ast.CallExpr); ok && forbidden(called(f.syntax, c.Fun)) {
						calls = append(calls, call{f.path, function, called(f.syntax, c.Fun), t.line(c.Pos())})
					}
					return true
				})
			}
		}
	}
	return calls
}

func TestAllowancesAreUsed(t *testing.T) {
	calls := forbiddenCalls(load(t, "../.."))
	for _, a := range allowances {
		if !slices.ContainsFunc(calls, func(c call) bool { return c.allowedBy(a) }) {
			t.Errorf("%s: %s no longer calls %s: remove the line that allows it", a.path, a.function, a.call)
		}
	}
}

// called names the called function: a plain name, or the path of its package and its name.
func called(f *ast.File, fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		if pkg, ok := fun.X.(*ast.Ident); ok {
			return importedAs(f, pkg.Name) + "." + fun.Sel.Name
		}
	}
	return ""
}

// importedAs returns the path that a file imports under a name, or "" if none.
func importedAs(f *ast.File, name string) string {
	for _, spec := range f.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		local := path.Base(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if local == name {
			return imported
		}
	}
	return ""
}
