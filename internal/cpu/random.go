package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// randomTasks are the tasks of Uniform, Normal and Dropout.
type randomTasks struct {
	random  randomTask
	dropout dropoutTask
}

// randomGrain is a part's elements, a multiple of what a block of random words gives.
const randomGrain = heavyGrain

// randomTask fills y with random numbers: equally likely ones from a to b, or normal ones with mean a and deviation b.
type randomTask struct {
	normal bool
	stream kernel.Stream
	a, b   float64
	y      op.Buffer
	span   span
}

// Uniform implements op.Backend.
func (b *Backend) Uniform(key op.Key, lo, hi float64, y op.Buffer) {
	b.fillRandom(false, key, lo, hi, y)
}

// Normal implements op.Backend, with the method of Box and Muller (1958).
func (b *Backend) Normal(key op.Key, mean, deviation float64, y op.Buffer) {
	b.fillRandom(true, key, mean, deviation, y)
}

func (b *Backend) fillRandom(normal bool, key op.Key, a0, b0 float64, y op.Buffer) {
	t := &b.random
	*t = randomTask{normal, stream(key), a0, b0, y, span{y.Len(), randomGrain}}
	b.run(t.span.parts(), t)
	*t = randomTask{}
}

// stream returns the random words of a key.
func stream(key op.Key) kernel.Stream { return kernel.NewStream(key.Seed, key.Node, key.Step) }

// Do computes one part.
func (t *randomTask) Do(part int) {
	if t.y.DType == op.Float32 {
		randomPart[float32](t, part)
	} else {
		randomPart[float64](t, part)
	}
}

func randomPart[T kernel.Float](t *randomTask, part int) {
	lo, hi := t.span.bounds(part)
	y, block := elements[T](t.y)[lo:hi], uint64(lo/kernel.PerBlock[T]())
	if t.normal {
		kernel.Normal(t.stream, block, t.a, t.b, y)
	} else {
		kernel.Uniform(t.stream, block, t.a, t.b, y)
	}
}

// dropoutTask sets elements to 0 at random.
type dropoutTask struct {
	stream kernel.Stream
	p      float64
	x, y   op.Buffer
	span   span
}

// Dropout implements op.Backend. p = 0 gives x itself.
func (b *Backend) Dropout(key op.Key, p float64, x, y op.Buffer) {
	if p >= 1 {
		b.Fill(y, 0)
		return
	}
	t := &b.dropout
	*t = dropoutTask{stream(key), p, x, y, span{x.Len(), randomGrain}}
	b.run(t.span.parts(), t)
	*t = dropoutTask{}
}

// Do computes one part.
func (t *dropoutTask) Do(part int) {
	lo, hi := t.span.bounds(part)
	block, scale := uint64(lo/4), 1/(1-t.p)
	switch {
	case t.p <= 0:
		copy(t.y.Bytes()[lo*t.y.DType.Size():], t.x.Bytes()[lo*t.x.DType.Size():hi*t.x.DType.Size()])
	case t.x.DType == op.Float32:
		kernel.Dropout(t.stream, block, t.p, scale, t.x.Float32s()[lo:hi], t.y.Float32s()[lo:hi])
	default:
		kernel.Dropout(t.stream, block, t.p, scale, t.x.Float64s()[lo:hi], t.y.Float64s()[lo:hi])
	}
}
