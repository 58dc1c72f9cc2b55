package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// registries matches the shape of the names of package registries and their mirrors: by their first label, or by the one before the
// last.
var registries = regexp.MustCompile(`(?i)\b((proxy|sum|registry|registry-\d|goproxy|pypi|npm|conda|crates|packages)\.[a-z0-9-]+\.(org|com|io|dev|net|cn)` +
	`|([a-z0-9-]+\.)*(pypi|pythonhosted|crates|npmjs|rubygems|goproxy|anaconda|debian|ubuntu)\.(org|com|io|cn))\b`)

// homes matches paths in a person's own directory.
var homes = regexp.MustCompile(`(^|[^\w./)])/(home|Users|root)/\w`)

var hostsRule = rule{
	name:   "hosts and paths",
	reason: "where packages come from and where a checkout lies is the business of each machine, not of the project",
	check:  checkHosts,
	cases: []ruleCase{
		{map[string]string{
			"README.md":     "see gorgonia.org/tensor, https://github.com/x/y and a/home/b; proxy settings are yours. debian packages.",
			"op/a.go":       "package op // paths such as /usr/local/go and model/root/x\n//" + " the sum.of and packages.go",
			"internal/a.md": "root/home/users/home",
			"op/b.go":       "package op\nvar x = sum.rows.len + proxy.pool.get",
		}, nil},
		{map[string]string{
			"README.md":          "\nhttps://proxy" + ".golang.org/x",
			"op/testdata/a.txt":  "pip --index https://pypi" + ".org/simple",
			".ci/run":            "cd /ho" + "me/ann/paddle\nGOPROXY=https://Goproxy" + ".cn,direct\nfiles.python" + "hosted.org",
			"internal/bench/b.s": "// from /ro" + "ot/x",
		}, []string{
			"README.md:2: names the package registry proxy" + ".golang.org",
			"op/testdata/a.txt:1: names the package registry pypi" + ".org",
			".ci/run:1: names a path in a home directory",
			".ci/run:2: names the package registry Goproxy" + ".cn",
			".ci/run:3: names the package registry files.python" + "hosted.org",
			"internal/bench/b.s:1: names a path in a home directory",
		}},
	},
}

func checkHosts(t *tree) (found []finding) {
	machine := machinePaths(t.root)
	for _, f := range t.files {
		number := 0
		for line := range strings.Lines(f.text) {
			number++
			if host := registries.FindString(line); host != "" {
				found = append(found, finding{f.path, number, "names the package registry " + host})
			}
			if homes.MatchString(line) {
				found = append(found, finding{f.path, number, "names a path in a home directory"})
			} else if machine != nil && machine.MatchString(line) {
				found = append(found, finding{f.path, number, "names a path of this machine"})
			}
		}
	}
	return found
}

// machinePaths matches the directory of the checkout, the one around it and the home directory; nil where they have no telling name.
func machinePaths(root string) *regexp.Regexp {
	home, _ := os.UserHomeDir()
	const telling = 5 // characters; /src and the like may stand for something else
	var paths []string
	for _, p := range []string{root, filepath.Dir(root), home} {
		if len(p) >= telling && filepath.IsAbs(p) {
			paths = append(paths, regexp.QuoteMeta(p))
		}
	}
	if len(paths) == 0 {
		return nil
	}
	return regexp.MustCompile(`(^|[^\w./)])(` + strings.Join(paths, "|") + `)\b`)
}

func TestMachinePaths(t *testing.T) {
	root := filepath.FromSlash("/srv/checkouts/paddle")
	if !filepath.IsAbs(root) {
		t.Skip("not an absolute path on this system")
	}
	machine := machinePaths(root)
	for _, line := range []string{root, "cd " + root + "/op", `"/srv/checkouts"`, "file:/srv/checkouts/other"} {
		if !machine.MatchString(line) {
			t.Errorf("%q is not found", line)
		}
	}
	for _, line := range []string{"srv/checkouts", "example.org/srv/checkouts", "/srv", "/srv/checkoutsets"} {
		if machine.MatchString(line) {
			t.Errorf("%q is found", line)
		}
	}
}
