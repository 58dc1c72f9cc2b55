package kernel

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
)

// errGoexit is what Run panics with when a part ended its goroutine instead of returning.
var errGoexit = errors.New("kernel: a part of a task called runtime.Goexit")

// asleep marks, in job.pending, that the caller sleeps until the count is 0.
const asleep = 1 << 30

// job is one Run in progress. It lies in the first of the helpers that the Run has claimed, and belongs to the caller as long as they do.
type job struct {
	task    Task
	parts   int
	helpers *helper // claimed by the caller, linked by next
	ended   bool    // the caller's own parts ended without a panic

	_       [64]byte
	claimed atomic.Int64 // parts that have been begun
	_       [64]byte
	pending atomic.Int32 // helpers that may still touch the job
	wake    chan struct{}

	mu       sync.Mutex
	failed   bool // a helper's part panicked
	panicked any  // with this value
}

// start hands the job to the helpers.
func (j *job) start(task Task, parts int, first *helper) {
	j.task, j.parts, j.helpers, j.ended = task, parts, first, false
	j.claimed.Store(0)
	n := int32(0)
	for h := first; h != nil; h = h.next {
		n++
	}
	j.pending.Store(n)
	for h := first; h != nil; h = h.next {
		h.post(j)
	}
}

// work does parts until none is left.
func (j *job) work() {
	for {
		i := int(j.claimed.Add(1)) - 1
		if i >= j.parts {
			return
		}
		j.task.Do(i)
	}
}

// help is work for a helper: a panic is kept for the caller. It reports whether the goroutine may go on.
func (j *job) help() {
	returned := false
	defer func() {
		if !returned {
			j.fail(recover())
		}
		if j.pending.Add(-1) == asleep {
			j.wake <- struct{}{}
		}
	}()
	j.work()
	returned = true
}

// fail keeps the first panic and stops the parts that have not begun.
func (j *job) fail(value any) {
	j.claimed.Store(int64(j.parts))
	j.mu.Lock()
	defer j.mu.Unlock()
	if value == nil {
		value = errGoexit
	}
	if !j.failed {
		j.failed, j.panicked = true, value
	}
}

// finish waits until no helper touches the job, lets the helpers go, and raises a helper's panic. A panic of the caller's own part is
// on its way already and is left alone.
func (j *job) finish() {
	if !j.ended {
		j.claimed.Store(int64(j.parts))
	}
	for h := j.helpers; h != nil; h = h.next {
		if h.retract(j) {
			j.pending.Add(-1)
		}
	}
	j.wait()
	raise, value := j.failed && j.ended, j.panicked
	j.task, j.failed, j.panicked = nil, false, nil
	for h := j.helpers; h != nil; {
		next := h.next
		h.taken.Store(false)
		h = next
	}
	if raise {
		panic(value)
	}
}

// wait returns when pending is 0: it looks for a while, and then sleeps until the last helper wakes it.
func (j *job) wait() {
	for range waitRounds {
		for range spinsPerRound {
			if j.pending.Load() == 0 {
				return
			}
			relax()
		}
		runtime.Gosched()
	}
	for {
		n := j.pending.Load()
		if n == 0 {
			return
		}
		if j.pending.CompareAndSwap(n, n|asleep) {
			<-j.wake
			return
		}
	}
}
