// Package cpu computes the primitives of op.Backend in host memory, with the kernels of internal/kernel.
//
// A Backend divides each call into tasks for the process's team of goroutines. So that a call allocates nothing, the tasks and their
// scratch memory are fields of the Backend and used again in the next call: each file of this package declares the tasks of its
// primitives as one struct, which Backend embeds.
package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

var _ op.Backend = (*Backend)(nil)

// Backend implements op.Backend for host memory. It serves one call at a time.
type Backend struct {
	team    *kernel.Team
	threads int

	parallelTasks
	elementwiseTasks
	broadcastTasks
	moveTasks
	reduceTasks
	channelTasks
	layerNormTasks
	softmaxTasks
	entropyTasks
	gatherTasks
	segmentTasks
	randomTasks
	updateTasks
	matmulTasks
	attentionTasks
	convTasks
	poolTasks
	recurrentTasks
}

// New returns a Backend that uses one thread, until SetThreads says otherwise.
func New() *Backend { return &Backend{team: kernel.Workers(), threads: 1} }

// SetThreads sets how many threads a call may use, its own included; the results do not depend on it.
func (b *Backend) SetThreads(n int) { b.threads = max(1, n) }

// run does the parts of a task, a field of b, on b's threads.
func (b *Backend) run(parts int, t kernel.Task) { b.team.Run(b.threads, parts, t) }
