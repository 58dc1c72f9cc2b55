package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestG06ExampleRunsToTheEnd trains both networks on reviews made here, with a partial last batch, and classifies with what was saved: a
// text gets the same verdict alone as among others, and one of no known words is no error.
func TestG06ExampleRunsToTheEnd(t *testing.T) {
	for _, name := range []string{"lstm", "cnn"} {
		t.Run(name, func(t *testing.T) {
			o := options{model: name, out: t.TempDir(), batch: 48, seed: 1, tiny: true}
			accuracy, err := run(context.Background(), o)
			if err != nil || accuracy < 0.9 {
				t.Fatalf("accuracy %v, error %v, want at least 0.9", accuracy, err)
			}
			texts := []string{"the film was not good and the plot was dull .", "The music was lovely, and the ending was not sad.", "", "Xyzzy!"}
			all := verdicts(t, o, texts...)
			if !strings.HasPrefix(all[0], "negative") || !strings.HasPrefix(all[1], "positive") {
				t.Errorf("%q, want a negative and a positive one first", all)
			}
			for i, text := range texts {
				if alone := verdicts(t, o, text); alone[0] != all[i] {
					t.Errorf("%q alone, %q among others", alone[0], all[i])
				}
			}
		})
	}
}

func verdicts(t *testing.T, o options, texts ...string) []string {
	t.Helper()
	var b strings.Builder
	if err := classify(context.Background(), o, texts, &b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != len(texts)+1 {
		t.Fatalf("%q", lines)
	}
	return lines
}

func TestMistakes(t *testing.T) {
	for _, o := range []options{
		{model: "mlp", tiny: true, batch: 8, epochs: 1, out: t.TempDir()},
		{model: "lstm", data: t.TempDir(), batch: 8, epochs: 1, out: filepath.Join(t.TempDir(), "none")},
	} {
		if err := classify(context.Background(), o, []string{"a"}, os.Stdout); err == nil {
			t.Errorf("%+v: classifying is no error", o)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]options{
		`-model "mlp", want lstm or cnn`: {model: "mlp", tiny: true, batch: 8},
		"-batch 0, want 1 or more":       {model: "lstm", tiny: true},
		"-epochs -1, want 0 or more":     {model: "lstm", tiny: true, batch: 8, epochs: -1},
		"-cap -1, want 0 or more":        {model: "lstm", tiny: true, batch: 8, cap: -1},
		"not a directory":                {model: "lstm", tiny: true, batch: 8, out: filepath.Join(file, "in")},
	} {
		if _, err := run(context.Background(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
