package datasets

import (
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
)

// PanicError is a panic of a function given to Map, or of a reader that Map or Prefetch ran in a goroutine of their own. It reaches
// the consumer as the error that ends the pass.
type PanicError struct {
	// Where says what panicked, such as "datasets.Map: record 17".
	Where string
	// Value is what was passed to panic.
	Value any
	// Stack is the stack of the goroutine that panicked, as debug.Stack formats it.
	Stack []byte
}

// Error returns Where and the value, in one line; the stack is not in it.
func (e *PanicError) Error() string { return fmt.Sprintf("%s: panic: %v", e.Where, e.Value) }

// Unwrap returns the value if it is an error, such as a runtime.Error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

var errGoexit = errors.New("runtime.Goexit was called")

// rescue, deferred, turns a panic into *err, and the end of the goroutine without a panic (runtime.Goexit) too, which would
// otherwise leave the consumer waiting. where is called only then.
func rescue(finished *bool, err *error, where func() string) {
	if v := recover(); v != nil {
		*err = &PanicError{Where: where(), Value: v, Stack: debug.Stack()}
	} else if !*finished {
		*err = fmt.Errorf("%s: %w", where(), errGoexit)
	}
}

// drive ranges over r until it ends or give returns false. The error that r yielded, or its panic, is left in *err.
func drive[T any](who string, r iter.Seq2[T, error], give func(T) bool, err *error) {
	finished := false
	defer rescue(&finished, err, func() string { return who + ": the reader" })
	for x, e := range r {
		if e != nil {
			*err = e
			break
		}
		if !give(x) {
			break
		}
	}
	finished = true
}
