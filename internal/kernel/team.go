package kernel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Task is work that has been divided into parts. Do computes one part; parts run at the same time, in any order, each once.
type Task interface{ Do(part int) }

// Team is a set of goroutines that help whoever has a Task to run. They are started when they are first wanted, never more than
// GOMAXPROCS−1 of them, and kept: a helper that has finished looks for new work for a few tens of microseconds, because the next
// kernel usually follows at once and waking a sleeping goroutine takes longer than many kernels, and then sleeps.
//
// The zero Team is ready for use. A process has one, Workers, that all callers share: together they compute on their own goroutines and on
// GOMAXPROCS−1 more, however many threads each asks for. Helpers go to the callers that come first, and nobody waits for one.
type Team struct {
	helpers atomic.Pointer[[]*helper] // grows only; replaced under mu
	mu      sync.Mutex
}

var workers Team

// Workers returns the team of this process.
func Workers() *Team { return &workers }

// Run calls task.Do(0) to task.Do(parts−1), on the caller's goroutine and at most threads−1 helpers, and returns when all are done.
// Helpers that are busy for other callers are not waited for: at worst the caller does all parts itself, so that a Do may call Run.
// If a part panics, no further parts are begun, and Run panics with the same value once those that had begun have ended.
func (t *Team) Run(threads, parts int, task Task) {
	first := t.claim(min(threads, parts) - 1)
	if first == nil {
		for i := range parts {
			task.Do(i)
		}
		return
	}
	j := &first.job
	j.start(task, parts, first)
	defer j.finish()
	j.work()
	j.ended = true
}

// claim takes up to n idle helpers and returns the first of their list, nil if there is none.
func (t *Team) claim(n int) (first *helper) {
	if n <= 0 {
		return nil
	}
	limit := runtime.GOMAXPROCS(0) - 1
	n = min(n, limit)
	for _, h := range t.upTo(n, limit) {
		if n == 0 {
			break
		}
		if !h.taken.Load() && h.taken.CompareAndSwap(false, true) {
			h.next = first
			first = h
			n--
		}
	}
	return first
}

// upTo returns the helpers to choose from, limit at most, and starts new ones while there are fewer than n or all are taken.
func (t *Team) upTo(n, limit int) []*helper {
	var list []*helper
	if p := t.helpers.Load(); p != nil {
		list = *p
	}
	if len(list) < limit && idle(list) < n {
		list = t.grow(n, limit)
	}
	return list[:min(limit, len(list))]
}

// idle counts the helpers that nobody has taken.
func idle(list []*helper) (n int) {
	for _, h := range list {
		if !h.taken.Load() {
			n++
		}
	}
	return n
}

// grow adds helpers until n are idle or there are limit.
func (t *Team) grow(n, limit int) []*helper {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []*helper
	if p := t.helpers.Load(); p != nil {
		list = append(list, *p...)
	}
	for missing := n - idle(list); missing > 0 && len(list) < limit; missing-- {
		h := newHelper()
		list = append(list, h)
		go h.loop()
	}
	t.helpers.Store(&list)
	return list
}
