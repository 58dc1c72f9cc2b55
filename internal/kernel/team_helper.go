package kernel

import (
	"runtime"
	"sync/atomic"
)

// How long a goroutine looks before it sleeps: so many rounds of spinsPerRound looks, with a chance for other goroutines between two
// rounds.
const (
	idleRounds = 40
	waitRounds = 40
)

// helper is one goroutine of a Team. A caller takes it, posts its job, and lets it go when the job is done.
type helper struct {
	taken  atomic.Bool         // by a caller
	posted atomic.Pointer[job] // work that has not been begun
	parked atomic.Bool         // sleeps on wake
	wake   chan struct{}
	next   *helper // in the list of its caller
	_      [64]byte
	job    job
	_      [64]byte
}

func newHelper() *helper {
	h := &helper{wake: make(chan struct{}, 1)}
	h.job.wake = make(chan struct{}, 1)
	return h
}

// post gives the helper work and wakes it if it sleeps.
func (h *helper) post(j *job) {
	h.posted.Store(j)
	if h.parked.Load() && h.parked.CompareAndSwap(true, false) {
		h.wake <- struct{}{}
	}
}

// retract takes back work that the helper has not begun.
func (h *helper) retract(j *job) bool {
	return h.posted.Load() == j && h.posted.CompareAndSwap(j, nil)
}

// loop is the helper's goroutine. A part that ends the goroutine (runtime.Goexit) gets it replaced.
func (h *helper) loop() {
	defer func() { go h.loop() }()
	for {
		h.await()
		if j := h.posted.Load(); j != nil && h.posted.CompareAndSwap(j, nil) {
			j.help()
		}
	}
}

// await returns when there is work: it looks for a while, and then sleeps.
func (h *helper) await() {
	for range idleRounds {
		for range spinsPerRound {
			if h.posted.Load() != nil {
				return
			}
			relax()
		}
		runtime.Gosched()
	}
	h.parked.Store(true)
	if h.posted.Load() != nil && h.parked.CompareAndSwap(true, false) {
		return
	}
	<-h.wake
}
