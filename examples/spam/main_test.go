package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestTiny(t *testing.T) {
	c, err := run(context.Background(), options{epochs: 8, seed: 1, tiny: true})
	if err != nil || c.accuracy() < 0.95 {
		t.Errorf("%v, error %v, want an accuracy of 0.95 or more", c, err)
	}
}

// TestRealMessages trains on the real messages where this machine has them: in sms-spam/sms.tsv of the directory PADDLE_DATA.
func TestRealMessages(t *testing.T) {
	file := filepath.Join(os.Getenv("PADDLE_DATA"), "sms-spam", "sms.tsv")
	if _, err := os.Stat(file); os.Getenv("PADDLE_DATA") == "" || err != nil {
		t.Skipf("PADDLE_DATA is %q, want a directory with sms-spam/sms.tsv", os.Getenv("PADDLE_DATA"))
	}
	c, err := run(context.Background(), options{epochs: 2, seed: 1, data: file})
	if err != nil || c.precision() < 0.9 || c.recall() < 0.8 || c.spamAsSpam+c.spamAsHam+c.hamAsSpam+c.hamAsHam != 1115 {
		t.Errorf("%v, error %v, want a precision of 0.9 and a recall of 0.8 or more over 1115 messages", c, err)
	}
}

func TestMissingFile(t *testing.T) {
	for _, o := range []options{{epochs: 1}, {epochs: 1, data: filepath.Join(t.TempDir(), "none")}} {
		if _, err := run(context.Background(), o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}
