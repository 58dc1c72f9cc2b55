//go:build !unix && !windows

package atomicfile

// patiently calls f.
func patiently(f func() error) error { return f() }

// syncDir does nothing: these systems have no such call.
func syncDir(string) error { return nil }
