package lint

import (
	"regexp"
	"strings"
)

// leftovers matches the words that people put beside unfinished work. They are written in two parts, so that this file has none.
var leftovers = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`)

var wordsRule = rule{
	name:   "words",
	reason: "a thing that is not done is not there; what remains to be done is not a comment",
	check:  checkWords,
	cases: []ruleCase{
		{map[string]string{"op/a.go": "package op\n// To do it, see the to-do list XXXL.", "op/testdata/a.txt": "TO" + "DO"}, nil},
		{map[string]string{
			"op/a.go":           "package op\n\n// TO" + "DO: more\nvar a int // FIX" + "ME",
			"op/a_test.go":      "package op\n/* XX" + "X */",
			"README.md":         "HA" + "CK",
			"internal/k/a.s":    "\n// TO" + "DO(me)",
			"internal/g/go.mod": "module g",
			"internal/g/a.go":   "package g // TO" + "DO",
		}, []string{
			"op/a.go:3: has the word TO" + "DO", "op/a.go:4: has the word FIX" + "ME", "op/a_test.go:2: has the word XX" + "X",
			"README.md:1: has the word HA" + "CK", "internal/k/a.s:2: has the word TO" + "DO", "internal/g/a.go:1: has the word TO" + "DO",
		}},
	},
}

func checkWords(t *tree) (found []finding) {
	for _, f := range t.files {
		if strings.Contains("/"+f.path, "/testdata/") {
			continue
		}
		number := 0
		for line := range strings.Lines(f.text) {
			number++
			if word := leftovers.FindString(line); word != "" {
				found = append(found, finding{f.path, number, "has the word " + word})
			}
		}
	}
	return found
}
