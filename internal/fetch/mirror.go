package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Mirror is a Place on the web: a base URL to which the file's name is appended.
type Mirror struct {
	// URL is the base, with or without a slash at its end.
	URL string
	// Client makes the requests; nil is http.DefaultClient.
	Client *http.Client
	// Silence is how long the server may send nothing before it is given up; 0 is no limit.
	Silence time.Duration
}

// At returns the URL of file.
func (m Mirror) At(file string) string { return strings.TrimSuffix(m.URL, "/") + "/" + file }

// Open requests file. Any status but 200 is an error that gives it.
func (m Mirror) Open(ctx context.Context, file string) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	body := &body{ctx: ctx, cancel: cancel, silence: m.Silence}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, m.At(file), nil)
	if err != nil {
		body.Close()
		return nil, err
	}
	// The files are compressed already. Set by hand, this keeps the client from decompressing what a server declares as gzip, and a
	// server that stores it so from doing it for us: the bytes come as they are stored.
	request.Header.Set("Accept-Encoding", "gzip")
	client := m.Client
	if client == nil {
		client = http.DefaultClient
	}
	body.listen()
	response, err := client.Do(request)
	body.heard()
	if err != nil {
		err = cause(ctx, err)
		body.Close()
		return nil, err
	}
	body.from = response.Body
	if response.StatusCode != http.StatusOK {
		body.Close()
		return nil, errors.New(response.Status)
	}
	return body, nil
}

// body is a response that is broken off when nothing comes for too long.
type body struct {
	from    io.ReadCloser
	ctx     context.Context
	cancel  context.CancelCauseFunc
	silence time.Duration
	timer   *time.Timer
}

// listen starts the time that the server has to send something; heard stops it.
func (b *body) listen() {
	switch {
	case b.silence <= 0:
	case b.timer == nil:
		b.timer = time.AfterFunc(b.silence, func() { b.cancel(fmt.Errorf("nothing came for %v", b.silence)) })
	default:
		b.timer.Reset(b.silence)
	}
}

func (b *body) heard() {
	if b.timer != nil {
		b.timer.Stop()
	}
}

func (b *body) Read(p []byte) (int, error) {
	b.listen()
	n, err := b.from.Read(p)
	b.heard()
	if err != nil && err != io.EOF {
		err = cause(b.ctx, err)
	}
	return n, err
}

func (b *body) Close() error {
	b.heard()
	b.cancel(nil)
	if b.from == nil {
		return nil
	}
	return b.from.Close()
}

// cause returns why ctx ended, if it did, in place of what the request made of it.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil {
		return c
	}
	return err
}
