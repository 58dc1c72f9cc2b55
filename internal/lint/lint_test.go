package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// rule is one house rule.
type rule struct {
	name   string
	reason string // why the rule is there; part of every failure
	check  func(*tree) []finding
	cases  []ruleCase
}

// finding is a place that breaks a rule.
type finding struct {
	path string
	line int // 0 for a whole file or directory
	what string
}

func (f finding) String() string {
	if f.line == 0 {
		return f.path + ": " + f.what
	}
	return fmt.Sprintf("%s:%d: %s", f.path, f.line, f.what)
}

// ruleCase is a tree of files, by path, and what the rule must find in it.
type ruleCase struct {
	files map[string]string
	want  []string
}

var rules = []rule{importsRule, gorgoniaRule, commentsRule, examplesRule, callsRule, wordsRule, topLevelRule, hostsRule}

func TestHouseRules(t *testing.T) {
	tree := load(t, "../..")
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			found := r.check(tree)
			slices.SortFunc(found, func(a, b finding) int {
				return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line))
			})
			for _, f := range found {
				t.Errorf("%s\n\twhy: %s", f, r.reason)
			}
		})
	}
}

func TestRulesFindWhatBreaksThem(t *testing.T) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			if r.reason == "" || len(r.cases) == 0 {
				t.Fatal("a rule needs a reason and cases")
			}
			for i, c := range r.cases {
				var got []string
				for _, f := range r.check(memory(t, c.files)) {
					got = append(got, f.String())
				}
				slices.Sort(got)
				slices.Sort(c.want)
				if !slices.Equal(got, c.want) {
					t.Errorf("case %d: found\n\t%s\nwant\n\t%s", i, strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
				}
			}
		})
	}
}
