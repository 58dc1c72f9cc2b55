package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Module is a Place inside a Go module, which the go command downloads, with the user's own Go settings, or has in its cache already.
// It is asked once; a Module is not for use by several goroutines at a time.
type Module struct {
	// Path and Version name the module.
	Path, Version string
	// Dir is the directory of the files in the module.
	Dir string
	// Offline lets the go command look into its cache only.
	Offline bool
	// Timeout is how long the go command may take; 0 is no limit.
	Timeout time.Duration

	asked bool
	root  string
	err   error
}

// At returns the module's name and version.
func (m *Module) At(string) string { return "module " + m.Path + "@" + m.Version }

// Open opens file in the module's directory.
func (m *Module) Open(ctx context.Context, file string) (io.ReadCloser, error) {
	if !m.asked {
		m.root, m.err = m.download(ctx)
		m.asked = true
	}
	if m.err != nil {
		return nil, m.err
	}
	return os.Open(filepath.Join(m.root, m.Dir, file))
}

// download runs the go command, in an empty directory so that no go.mod and no vendoring of the program around it takes part.
func (m *Module) download(ctx context.Context) (root string, err error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("the go command: %w", err)
	}
	empty, err := os.MkdirTemp("", "module")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(empty)
	if m.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, m.Timeout, fmt.Errorf("the go command took longer than %v", m.Timeout))
		defer cancel()
	}
	var stderr strings.Builder
	command := exec.CommandContext(ctx, path, "mod", "download", "-json", m.Path+"@"+m.Version)
	command.Dir, command.Env, command.Stderr = empty, m.environment(), &stderr
	command.WaitDelay = time.Second / 4 // a child that it leaves behind must not hold us up
	out, err := command.Output()
	if c := context.Cause(ctx); c != nil {
		return "", c
	}
	return parseDownload(out, err, stderr.String())
}

func (m *Module) environment() []string {
	env := os.Environ()
	if m.Offline {
		env = append(env, "GOPROXY=off", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local")
	}
	return env
}

// parseDownload reads what `go mod download -json` printed.
func parseDownload(out []byte, exit error, stderr string) (root string, err error) {
	var answer struct{ Dir, Error string }
	err = json.Unmarshal(out, &answer)
	switch {
	case answer.Error != "":
		return "", errors.New(answer.Error)
	case exit != nil:
		return "", fmt.Errorf("the go command: %w: %s", exit, stderr)
	case err != nil:
		return "", fmt.Errorf("the go command's answer: %w", err)
	case answer.Dir == "":
		return "", errors.New("the go command's answer has no directory")
	}
	return answer.Dir, nil
}
