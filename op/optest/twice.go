package optest

import "paddle/op"

// twice builds the case two times on the same inputs in one graph.
func (k *checker) twice() {
	if k.c.Model != nil {
		return // a layer is meant to be used more than once: its parameters are shared
	}
	r, err := newRig(k.c, k.dtype)
	if err != nil {
		k.failf("built again: %v", err)
		return
	}
	isInput := map[*op.Node]bool{}
	for _, n := range r.in {
		isInput[n] = true
	}
	first := r.out
	var second []*op.Node
	for i, n := range k.c.Build(r.in...) {
		if n.Err() != nil {
			k.failf("a second application fails: %v", n.Err())
			return
		}
		if n = op.Densify(n); n == first[i] && !isInput[n] {
			k.failf("output %d of a second application is the node of the first", i)
			return
		}
		second = append(second, n)
	}
	r.out = append(append([]*op.Node{}, first...), second...)
	k.bothRun(r, len(first))
}

// bothRun compares the two applications' results: the same, unless they are random.
func (k *checker) bothRun(r *rig, n int) {
	p, err := r.compile(setting{threads: 1}, r.out, nil)
	if err != nil {
		k.failf("two applications: %v", err)
		return
	}
	at := k.point(r, r.largeBatch(), 3)
	res, err := p.run(at)
	if err != nil {
		k.failf("two applications: %v", err)
		return
	}
	seeds := map[uint64]bool{}
	random := false
	for _, c := range r.graph.Calls() {
		if !op.TraitsOf(c.Op).Random {
			continue
		}
		if random = true; seeds[c.Seed] {
			k.failf("two applications of %s draw the same random numbers", c.Op.Name())
		}
		seeds[c.Seed] = true
	}
	if err := compareAll("output", res.out[:n], res.out[n:]); err != nil && !random {
		k.failf("a second application gives other numbers: %v", err)
	}
}
