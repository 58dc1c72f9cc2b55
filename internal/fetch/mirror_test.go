package fetch

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// hang sends some bytes, then nothing until the client goes away.
func hang(w http.ResponseWriter, r *http.Request) {
	w.Write(content[:100])
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

func TestHangingMirrorEndsWithTheContext(t *testing.T) {
	mirror, _ := serve(t, hang)
	next, nextCalls := serve(t, good)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	cache := t.TempDir()
	_, err := Store{Cache: cache, Places: []Place{mirror, next}}.Get(ctx, fileOf("a.gz", content))
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), mirror.At("a.gz")) {
		t.Errorf("%v, want the mirror and the context's error", err)
	}
	if nextCalls.Load() != 0 {
		t.Error("the next mirror was asked after the context had ended")
	}
	onlyFiles(t, cache)
}

func TestSilentMirrorIsGivenUp(t *testing.T) {
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for name, handler := range map[string]http.HandlerFunc{"before the status": silent, "in the body": hang} {
		mirror, _ := serve(t, handler)
		mirror.Silence = 50 * time.Millisecond
		next, _ := serve(t, good)
		path, err := Store{Cache: t.TempDir(), Places: []Place{mirror, next}}.Get(t.Context(), fileOf("a.gz", content))
		if err != nil || path == "" {
			t.Errorf("%s: %v, want the file of the next mirror", name, err)
		}
		_, err = Store{Cache: t.TempDir(), Places: []Place{mirror}}.Get(t.Context(), fileOf("a.gz", content))
		if want := mirror.At("a.gz") + ": "; err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "nothing came for 50ms") {
			t.Errorf("%s: %v, want %q and the silence", name, err, want)
		}
	}
}

func TestSlowMirrorIsNotSilent(t *testing.T) {
	mirror, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for part := content; len(part) > 0; part = part[1000:] {
			w.Write(part[:1000])
			w.(http.Flusher).Flush()
			time.Sleep(40 * time.Millisecond)
		}
	})
	mirror.Silence = 400 * time.Millisecond // in all it takes 560 ms
	if _, err := (Store{Cache: t.TempDir(), Places: []Place{mirror}}).Get(t.Context(), fileOf("a.gz", content)); err != nil {
		t.Error(err)
	}
}

// TestSlowReaderIsNotSilence: the time runs only while bytes are waited for.
func TestSlowReaderIsNotSilence(t *testing.T) {
	mirror, _ := serve(t, good)
	mirror.Silence = 300 * time.Millisecond
	r, err := mirror.Open(t.Context(), "a.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := io.ReadFull(r, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond)
	if rest, err := io.ReadAll(r); err != nil || len(rest) != len(content)-10 {
		t.Errorf("%d bytes, %v after a pause of the reader", len(rest), err)
	}
}

// TestStoredBytes: some object stores keep a .gz file as gzip-encoded content and decompress it for clients that do not accept gzip.
func TestStoredBytes(t *testing.T) {
	var stored strings.Builder
	z := gzip.NewWriter(&stored)
	z.Write(content)
	z.Close()
	mirror, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			w.Write(content)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		w.Write([]byte(stored.String()))
	})
	if _, err := (Store{Cache: t.TempDir(), Places: []Place{mirror}}).Get(t.Context(), fileOf("a.gz", []byte(stored.String()))); err != nil {
		t.Error(err)
	}
}

func TestMirrorURL(t *testing.T) {
	for _, base := range []string{"http://host/set", "http://host/set/"} {
		if got := (Mirror{URL: base}).At("a.gz"); got != "http://host/set/a.gz" {
			t.Errorf("%s: %s", base, got)
		}
	}
	if _, err := (Mirror{URL: "://"}).Open(t.Context(), "a.gz"); err == nil {
		t.Error("a URL without a scheme was taken")
	}
}

func TestDeadMirror(t *testing.T) {
	mirror := Mirror{URL: "http://127.0.0.1:1"} // nothing listens on port 1
	_, err := mirror.Open(t.Context(), "a.gz")
	if err == nil {
		t.Fatal("no error")
	}
	if errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Errorf("%v, want what the connection said", err)
	}
	all := &NotFoundError{File: "a.gz"}
	all.add(mirror.At("a.gz"), err)
	if n := strings.Count(all.Error(), mirror.At("a.gz")); n != 1 {
		t.Errorf("%v gives the URL %d times, want once", all, n)
	}
}
