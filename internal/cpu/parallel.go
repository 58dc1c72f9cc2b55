package cpu

// parallelTasks is the task of Parallel.
type parallelTasks struct{ body bodyTask }

// bodyTask calls a function with parts of [0, n).
type bodyTask struct {
	n, grain int
	call     func(lo, hi int)
}

// Do computes one part.
func (t *bodyTask) Do(part int) {
	lo := part * t.grain
	t.call(lo, min(lo+t.grain, t.n))
}

// mostParts bounds the parts of one Parallel: enough for any number of processors to share evenly.
const mostParts = 256

// Parallel implements op.Backend.
func (b *Backend) Parallel(n, grain int, body func(lo, hi int)) {
	if n <= 0 {
		return
	}
	t := &b.body
	t.n, t.grain, t.call = n, max(grain, 1, ceilDiv(n, mostParts)), body
	defer t.clear()
	b.run(ceilDiv(n, t.grain), t)
}

// clear lets go of the caller's function.
func (t *bodyTask) clear() { t.call = nil }

// ceilDiv returns a/b rounded up.
func ceilDiv(a, b int) int { return (a + b - 1) / b }
