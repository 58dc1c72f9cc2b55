package lint

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

var commentsRule = rule{
	name: "comments",
	reason: "every exported name says what it is or computes, in a comment that begins with the name, because users read the library in " +
		"godoc; constants and variables may share the comment of their group, and fields and interface methods that of their block, or of a " +
		"type that is one block",
	check: checkComments,
	cases: []ruleCase{
		{map[string]string{"op/good.go": goodComments, "op/good_test.go": "package op\nfunc Helper() {}", "parallel/launch/main.go": "package main\nfunc Exported() {}"}, nil},
		{map[string]string{"op/a.go": "package op"}, []string{`op/a.go: no file of the package has a comment "Package op …"`}},
		{map[string]string{"op/a.go": "// Operations.\npackage op"}, []string{`op/a.go: no file of the package has a comment "Package op …"`}},
		{map[string]string{"op/bad.go": badComments}, []string{
			"op/bad.go:4: func NoComment has no comment that begins with its name",
			"op/bad.go:7: func Other has no comment that begins with its name",
			"op/bad.go:10: func Prefix has no comment that begins with its name",
			"op/bad.go:12: type T has no comment that begins with its name",
			"op/bad.go:16: field Alone has no comment, nor has its block",
			"op/bad.go:19: method (T).M has no comment that begins with its name",
			"op/bad.go:20: method (G).P has no comment that begins with its name",
			"op/bad.go:26: const A has no comment that begins with its name, nor has its group one",
			"op/bad.go:29: var V has no comment that begins with its name",
			"op/bad.go:33: method Run has no comment, nor has its block",
		}},
	},
}

func checkComments(t *tree) (found []finding) {
	for _, files := range t.library() {
		documented := false
		for _, f := range files {
			name := f.syntax.Name.Name
			documented = documented || strings.HasPrefix(f.syntax.Doc.Text(), "Package "+name+" ")
			c := comments{tree: t, file: f}
			for _, d := range f.syntax.Decls {
				c.decl(d)
			}
			found = append(found, c.found...)
		}
		if !documented {
			what := fmt.Sprintf(`no file of the package has a comment "Package %s …"`, files[0].syntax.Name.Name)
			found = append(found, finding{files[0].path, 0, what})
		}
	}
	return found
}

// comments collects what lacks a comment in one file.
type comments struct {
	tree  *tree
	file  *file
	found []finding
}

func (c *comments) missing(n ast.Node, format string, args ...any) {
	c.found = append(c.found, finding{c.file.path, c.tree.line(n.Pos()), fmt.Sprintf(format, args...)})
}

func (c *comments) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		c.function(d)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				c.typ(d, s)
			case *ast.ValueSpec:
				c.value(d, s)
			}
		}
	}
}

func (c *comments) function(d *ast.FuncDecl) {
	kind, name := "func", d.Name.Name
	if d.Recv != nil {
		receiver := baseType(d.Recv.List[0].Type)
		if !ast.IsExported(receiver) {
			return
		}
		kind, name = "method", fmt.Sprintf("(%s).%s", receiver, d.Name.Name)
	}
	if d.Name.IsExported() && !begins(d.Doc, d.Name.Name) {
		c.missing(d.Name, "%s %s has no comment that begins with its name", kind, name)
	}
}

// baseType returns the name of a receiver's type: T of *T and T[P].
func baseType(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return baseType(e.X)
	case *ast.IndexExpr:
		return baseType(e.X)
	case *ast.IndexListExpr:
		return baseType(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func (c *comments) typ(d *ast.GenDecl, s *ast.TypeSpec) {
	if !s.Name.IsExported() {
		return
	}
	doc := s.Doc
	if !d.Lparen.IsValid() {
		doc = d.Doc
	}
	if !begins(doc, s.Name.Name) && !(d.Lparen.IsValid() && d.Doc != nil) {
		c.missing(s.Name, "type %s has no comment that begins with its name", s.Name.Name)
	}
	switch e := s.Type.(type) {
	case *ast.StructType:
		c.fields("field", e.Fields.List)
	case *ast.InterfaceType:
		c.fields("method", e.Methods.List)
	}
}

// fields checks each block of fields or methods: those with no empty line between them. One comment is enough for a block, and the
// comment of a type is enough for one that is a single block.
func (c *comments) fields(kind string, list []*ast.Field) {
	blocks := c.blocks(list)
	if len(blocks) == 1 {
		return
	}
	for _, block := range blocks {
		commented := false
		for _, f := range block {
			commented = commented || f.Doc != nil || f.Comment != nil
		}
		for _, f := range block {
			for _, name := range f.Names {
				if name.IsExported() && !commented {
					c.missing(name, "%s %s has no comment, nor has its block", kind, name.Name)
				}
			}
		}
	}
}

func (c *comments) blocks(list []*ast.Field) (blocks [][]*ast.Field) {
	end := -1
	for _, f := range list {
		begin := f.Pos()
		if f.Doc != nil {
			begin = f.Doc.Pos()
		}
		if len(blocks) == 0 || c.tree.line(begin) > end+1 {
			blocks = append(blocks, nil)
		}
		last := len(blocks) - 1
		blocks[last] = append(blocks[last], f)
		end = c.tree.line(f.End())
	}
	return blocks
}

func (c *comments) value(d *ast.GenDecl, s *ast.ValueSpec) {
	for _, name := range s.Names {
		switch {
		case !name.IsExported():
			continue
		case !d.Lparen.IsValid() && !begins(d.Doc, name.Name):
			c.missing(name, "%s %s has no comment that begins with its name", d.Tok, name.Name)
		case d.Lparen.IsValid() && d.Doc == nil && !begins(s.Doc, name.Name):
			c.missing(name, "%s %s has no comment that begins with its name, nor has its group one", d.Tok, name.Name)
		}
		return // the first name stands for all of its line
	}
}

// begins reports whether a comment begins with a name.
func begins(doc *ast.CommentGroup, name string) bool {
	rest, ok := strings.CutPrefix(doc.Text(), name)
	next, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLetter(next) && !unicode.IsDigit(next) && next != '_' && token.IsExported(name)
}
