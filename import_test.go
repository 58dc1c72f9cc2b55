package paddle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// user is a program of another module that uses paddle's packages.
const user = `package main

import (
	"fmt"

	"paddle"
	"paddle/layer"
	"paddle/op"
)

type net struct{ Out layer.FC }

func main() {
	n := &net{Out: layer.FC{Size: 2}}
	g := op.NewGraph(n)
	y := n.Out.Forward(g.Input("x", op.Float32, op.Batch, 3))
	_, err := paddle.NewPredictor(y)
	fmt.Print(y.ShapeString(), " ", err)
}
`

// TestImportFromAnotherModule builds and runs a program of another module both ways that the README shows: with a replace directive and
// with a workspace. The go command may fetch descriptions of modules, as it does for any first build.
func TestImportFromAnotherModule(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]map[string]string{
		"replace": {
			"go.mod": "module example.com/app\n\ngo 1.26.0\n\nrequire paddle v0.0.0\n\nreplace paddle => " + root + "\n",
			"go.sum": string(sums),
		},
		"workspace": {
			"go.mod":  "module example.com/app\n\ngo 1.26.0\n",
			"go.work": "go 1.26.0\n\nuse .\nuse " + root + "\n",
		},
	}
	for name, extra := range files {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			extra["main.go"] = user
			for file, text := range extra {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			args := []string{"run", "."}
			if name == "replace" {
				args = []string{"run", "-mod=mod", "."}
			}
			cmd := exec.Command("go", args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=")
			out, err := cmd.CombinedOutput()
			if want := "(batch, 2) <nil>"; err != nil || string(out) != want {
				t.Errorf("go %v: %v, output %q, want %q", args, err, out, want)
			}
		})
	}
}
