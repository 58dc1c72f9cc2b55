package main

import (
	"context"
	"testing"
)

func TestLearnsToAdd(t *testing.T) {
	if loss, err := run(context.Background(), 400, 1); err != nil || loss > 0.05 {
		t.Errorf("mean square error %v, error %v, want at most 0.05", loss, err)
	}
	if _, err := run(context.Background(), 4, 1); err == nil || err.Error() != "-updates 4, want 5 or more" {
		t.Errorf("got %v", err)
	}
}
