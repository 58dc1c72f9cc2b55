package fetch

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
)

// File is a file known by its content.
type File struct {
	// Name is the file's name, without a directory.
	Name string
	// Size is its length in bytes.
	Size int64
	// SHA256 and MD5 are its checksums in hexadecimal; "" where one is not known. Sets from before SHA-256 are published with MD5.
	SHA256, MD5 string
}

// Check reads the file at path and returns an error, which names path, unless it has the right content.
func (f File) Check(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := f.verify(file, io.Discard); err != nil {
		return fmt.Errorf("%s is damaged: %w", path, err)
	}
	return nil
}

// verify copies r to w and returns an error unless r had the right content. It reads little more than Size bytes.
func (f File) verify(r io.Reader, w io.Writer) error {
	sha, md := sha256.New(), md5.New()
	n, err := io.Copy(io.MultiWriter(w, sha, md), io.LimitReader(r, f.Size+1))
	switch {
	case err != nil:
		return fmt.Errorf("after %d of %d bytes: %w", n, f.Size, err)
	case n < f.Size:
		return fmt.Errorf("it has %d bytes, want %d", n, f.Size)
	case n > f.Size:
		return fmt.Errorf("it has more than %d bytes", f.Size)
	}
	if err := compare("SHA-256", sha, f.SHA256); err != nil {
		return err
	}
	return compare("MD5", md, f.MD5)
}

func compare(name string, h hash.Hash, want string) error {
	if got := hex.EncodeToString(h.Sum(nil)); want != "" && got != want {
		return fmt.Errorf("its %s is %s, want %s", name, got, want)
	}
	return nil
}
