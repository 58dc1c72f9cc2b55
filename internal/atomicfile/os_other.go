//go:build !unix && !windows

package atomicfile

import "os"

func rename(from, to string) error { return os.Rename(from, to) }

// syncDir does nothing: these systems have no such call.
func syncDir(string) error { return nil }
