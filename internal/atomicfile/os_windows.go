package atomicfile

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// errSharing is what Windows answers while another program has a file open and does not share it.
const errSharing = syscall.Errno(32)

// patience is how long rename waits for other programs to close the file.
const patience = 2 * time.Second

// rename replaces to. Windows refuses that while another program, such as a virus scanner, a backup or another writer, has one of the
// files open, most often for a moment; so it is tried again for a while.
func rename(from, to string) error {
	for wait, end := time.Millisecond, time.Now().Add(patience); ; wait *= 2 {
		err := os.Rename(from, to)
		busy := errors.Is(err, errSharing) || errors.Is(err, syscall.ERROR_ACCESS_DENIED)
		if !busy || time.Now().After(end) {
			return err
		}
		time.Sleep(wait)
	}
}

// syncDir does nothing: Windows has no such call, and its file systems keep a journal of the names.
func syncDir(string) error { return nil }
