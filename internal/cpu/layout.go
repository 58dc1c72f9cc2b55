package cpu

import "paddle/op"

// operands is how many buffers a layout follows.
const operands = 3

// layout tells where up to three buffers stand at each position of a common shape. Axes that all buffers pass through without a gap
// are one axis here, and axes of size 1 are left out, so that there are few axes and the last is long.
type layout struct {
	rank   int
	shape  [op.MaxRank]int
	stride [op.MaxRank][operands]int
}

// push adds an axis inside of the others.
func (l *layout) push(size int, stride [operands]int) {
	if size == 1 {
		return
	}
	if k := l.rank - 1; k >= 0 && l.follows(size, stride) {
		l.shape[k] *= size
		l.stride[k] = stride
		return
	}
	l.shape[l.rank], l.stride[l.rank] = size, stride
	l.rank++
}

// follows reports whether a step of the last axis is as far as size steps of a new one, for all operands.
func (l *layout) follows(size int, stride [operands]int) bool {
	for i, s := range l.stride[l.rank-1] {
		if s != stride[i]*size {
			return false
		}
	}
	return true
}

// pop takes the last axis away and returns it; without axes it is one of size 1.
func (l *layout) pop() (size int, stride [operands]int) {
	if l.rank == 0 {
		return 1, stride
	}
	l.rank--
	return l.shape[l.rank], l.stride[l.rank]
}

// count returns the number of positions.
func (l *layout) count() int { return product(l.shape[:l.rank]) }

// at returns where each operand stands at position i, in row-major order.
func (l *layout) at(i int) (p [operands]int) {
	for k := l.rank - 1; k >= 0; k-- {
		step := i
		if k > 0 {
			i /= l.shape[k]
			step -= i * l.shape[k]
		}
		for j, s := range l.stride[k] {
			p[j] += step * s
		}
	}
	return p
}

// broadcast makes l the layout of a shape for operands that are stretched to it as in NumPy: their shapes are aligned at the last axis,
// and an axis of size 1 stands for all positions.
func (l *layout) broadcast(shape []int, from ...[]int) {
	var strides [op.MaxRank][operands]int
	for j, s := range from {
		step := 1
		for k := len(s) - 1; k >= 0; k-- {
			if s[k] != 1 {
				strides[len(shape)-len(s)+k][j] = step
			}
			step *= s[k]
		}
	}
	l.rank = 0
	for k, d := range shape {
		l.push(d, strides[k])
	}
}
