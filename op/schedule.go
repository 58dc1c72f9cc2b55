package op

import "container/heap"

// Schedule returns roots and all the applications that they depend on, each after those it depends on. Among those that are free to run
// the one with the least Order comes first, and those with an effect come after all others: what can fail or be cancelled has run before
// the first update.
func Schedule(roots []*Call) []*Call {
	waits := map[*Call]int{} // how many dependencies are not scheduled yet
	users := map[*Call][]*Call{}
	var ready callHeap
	var stack []*Call
	visit := func(c *Call) {
		if _, seen := waits[c]; !seen {
			waits[c] = 0
			stack = append(stack, c)
		}
	}
	for _, c := range roots {
		visit(c)
	}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, d := range c.dependencies() {
			waits[c]++
			users[d] = append(users[d], c)
			visit(d)
		}
	}
	for c, n := range waits {
		if n == 0 {
			ready = append(ready, c)
		}
	}
	heap.Init(&ready)
	out := make([]*Call, 0, len(waits))
	for len(ready) > 0 {
		c := heap.Pop(&ready).(*Call)
		out = append(out, c)
		for _, u := range users[c] {
			if waits[u]--; waits[u] == 0 {
				heap.Push(&ready, u)
			}
		}
	}
	return out
}

// dependencies returns the applications that must run before c, one entry for each reason.
func (c *Call) dependencies() []*Call {
	var out []*Call
	for _, in := range c.In {
		for _, m := range in.parts() {
			if m.call != nil {
				out = append(out, m.call)
			}
		}
	}
	return append(out, c.Deps...)
}

// callHeap is a heap of applications by order, then by creation.
type callHeap []*Call

func (h callHeap) Len() int { return len(h) }
func (h callHeap) Less(i, j int) bool {
	if a, b := h[i].Effect(), h[j].Effect(); a != b {
		return b
	}
	if h[i].order != h[j].order {
		return h[i].order < h[j].order
	}
	return h[i].id < h[j].id
}
func (h callHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *callHeap) Push(x any)   { *h = append(*h, x.(*Call)) }
func (h *callHeap) Pop() any {
	old := *h
	c := old[len(old)-1]
	*h = old[:len(old)-1]
	return c
}
