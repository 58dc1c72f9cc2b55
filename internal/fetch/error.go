package fetch

import (
	"fmt"
	"strings"
)

// NotFoundError tells of a file that could not be had, with every place that was tried and what came of it.
type NotFoundError struct {
	File  string
	Tried []Attempt
	// Cause is the context's error if it ended the search.
	Cause error
}

// Attempt is one place that was tried for a file.
type Attempt struct {
	At  string
	Err error
}

// Error lists the attempts in one line.
func (e *NotFoundError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s was not found; tried ", e.File)
	for i, a := range e.Tried {
		if i > 0 {
			b.WriteString("; ")
		}
		text := oneLine(a.Err.Error())
		if strings.Contains(text, a.At) {
			b.WriteString(text)
		} else {
			fmt.Fprintf(&b, "%s: %s", a.At, text)
		}
	}
	if e.Cause != nil {
		fmt.Fprintf(&b, "; stopped: %v", e.Cause)
	}
	return b.String()
}

// Unwrap returns the errors of the attempts and the cause.
func (e *NotFoundError) Unwrap() []error {
	var all []error
	for _, a := range e.Tried {
		all = append(all, a.Err)
	}
	if e.Cause != nil {
		all = append(all, e.Cause)
	}
	return all
}

func (e *NotFoundError) add(at string, err error) { e.Tried = append(e.Tried, Attempt{at, err}) }

func (e *NotFoundError) stopped(cause error) error {
	e.Cause = cause
	return e
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
