package optest

import "paddle/op"

// repeats runs the case again, on one thread and on two, on the first values and on values large enough to be divided among threads.
func (k *checker) repeats(s *subject) {
	two, err := s.compile(setting{threads: 2}, s.out, s.grads)
	if err != nil {
		k.failf("compiled again: %v", err)
		return
	}
	large := k.point(s.rig, s.largeBatch(), 2)
	for _, at := range []*point{s.first, large} {
		base, err := s.program.run(at)
		if err != nil {
			k.failf("batch %d: %v", at.sizes.batch, err)
			return
		}
		k.same(s, base, s.program, at, "a second run differs")
		k.same(s, base, two, at, "a run on two threads differs from one on a single thread")
		k.same(s, base, two, at, "a second run on two threads differs")
	}
	k.randomness(s, large)
}

func (k *checker) same(s *subject, base *result, p *program, at *point, what string) {
	res, err := p.run(at)
	if err == nil {
		err = s.compareBits(base, res)
	}
	if err != nil {
		k.failf("%s (batch %d): %v", what, at.sizes.batch, err)
	}
}

// largeBatch returns a batch size at which the largest input or output has some ten thousand elements, enough to be divided among threads.
func (r *rig) largeBatch() int {
	const enough, most = 1 << 14, 1 << 11
	n := most
	for _, x := range append(append([]*op.Node{}, r.in...), r.out...) {
		for n > 5 && elements(r.shapeIn(sizesFor(n), x.Shape())) > enough {
			n /= 2
		}
	}
	return max(n, 5)
}

// randomness looks whether random ops give other numbers in another step, and whether the others do not.
func (k *checker) randomness(s *subject, at *point) {
	random := false
	for _, c := range s.graph.Calls() {
		random = random || op.TraitsOf(c.Op).Random
	}
	a, err := s.program.runStep(at, 1)
	if err != nil {
		k.failf("%v", err)
		return
	}
	b, err := s.program.runStep(at, 2)
	if err != nil {
		k.failf("%v", err)
		return
	}
	switch err := s.compareBits(a, b); {
	case err == nil && random:
		k.failf("the op is random and gives the same numbers in two steps")
	case err != nil && !random:
		k.failf("two steps give different numbers, and the op does not have the trait Random: %v", err)
	}
}

// serves runs one program on the case's batch sizes in turn, with other values each time, and compares each run with that of a program
// made for it alone. Last come the first values again.
func (k *checker) serves(s *subject) {
	for i, batch := range append(k.c.batches(), k.c.batches()[0]) {
		at := k.point(s.rig, batch, uint64(i+10))
		got, err := s.program.run(at)
		if err != nil {
			k.failf("batch %d: %v", batch, err)
			return
		}
		k.agrees(s.rig, at, got)
		fresh, err := s.compile(setting{threads: 1}, s.out, s.grads)
		if err != nil {
			k.failf("compiled again: %v", err)
			return
		}
		k.same(s, got, fresh, at, "a program that has run on other sizes gives other numbers than a new one")
	}
	k.same(s, s.result, s.program, s.first, "after runs on other values the first ones give other numbers")
}

// probes runs the case with every op being watched.
func (k *checker) probes(s *subject) {
	p, err := s.compile(setting{threads: 1, probe: k}, s.out, s.grads)
	if err != nil {
		k.failf("compiled again: %v", err)
		return
	}
	k.same(s, s.result, p, s.first, "a watched run differs")
}

// optimized compiles the case with the passes that fuse and merge. They may not change a bit.
func (k *checker) optimized(s *subject) {
	p, err := s.compile(setting{threads: 1, optimize: true}, s.out, s.grads)
	if err != nil {
		k.failf("compiled with op.Optimize: %v", err)
		return
	}
	k.same(s, s.result, p, s.first, "a program differs after op.Optimize")
}

// inference compiles the case for prediction. Ops that are the same there have to give the same numbers.
func (k *checker) inference(s *subject) {
	p, err := s.compile(setting{threads: 1, mode: op.Inference}, s.out, nil)
	if err != nil {
		k.failf("compiled for inference: %v", err)
		return
	}
	at := *s.first
	at.dout = nil
	res, err := p.run(&at)
	if err != nil {
		k.failf("inference: %v", err)
		return
	}
	for _, c := range s.graph.Calls() {
		if _, other := c.Op.(op.Inferencer); other {
			return
		}
	}
	if err := compareAll("output", s.result.out, res.out); err != nil {
		k.failf("inference differs from training, and the op is no op.Inferencer: %v", err)
	}
}
