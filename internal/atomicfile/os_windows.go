package atomicfile

import (
	"errors"
	"syscall"
	"time"
)

// errSharing is what Windows answers while another program has a file open and does not share it.
const errSharing = syscall.Errno(32)

// patience is how long other programs may keep a file busy.
const patience = 2 * time.Second

// patiently calls f, which opens or replaces a file, until it succeeds or fails for good. Windows refuses both while another program,
// such as a virus scanner, a backup or another writer, has the file open, most often for a moment; so it is tried again for a while.
func patiently(f func() error) error {
	for wait, end := time.Millisecond, time.Now().Add(patience); ; wait = min(2*wait, patience/10) {
		err := f()
		busy := errors.Is(err, errSharing) || errors.Is(err, syscall.ERROR_ACCESS_DENIED)
		if !busy || time.Now().After(end) {
			return err
		}
		time.Sleep(wait)
	}
}

// syncDir does nothing: Windows has no such call, and its file systems keep a journal of the names.
func syncDir(string) error { return nil }
