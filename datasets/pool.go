package datasets

import (
	"iter"
	"math/rand/v2"
	"sync"
)

// A pool is one pass of a Map with workers. A fixed number of slots goes round, so that memory is bounded: the reading goroutine takes
// a free slot for each record and gives it to the workers; the consumer takes slots from ready and frees them. In order, the
// reading goroutine puts a slot into ready before it is worked on, and the consumer waits for it; else the worker puts it there when it is done.
// No channel ever blocks for want of room, since each has room for all slots.
type pool[T, U any] struct {
	f                 func(*rand.Rand, T) (U, error)
	o                 MapOptions
	free, jobs, ready chan *slot[T, U]
	stop              chan struct{} // closed when the consumer wants no more
	readErr           error         // of the reader; set before ready is closed
}

type slot[T, U any] struct {
	index int
	x     T
	y     U
	err   error
	done  chan struct{} // in order: one token, sent when y or err is set
}

func newPool[T, U any](f func(*rand.Rand, T) (U, error), o MapOptions) *pool[T, U] {
	n := 2 * o.Workers // one in work and one ready for each worker
	p := &pool[T, U]{f: f, o: o, stop: make(chan struct{})}
	p.free, p.jobs, p.ready = make(chan *slot[T, U], n), make(chan *slot[T, U], n), make(chan *slot[T, U], n)
	for range n {
		p.free <- &slot[T, U]{done: make(chan struct{}, 1)}
	}
	return p
}

func (p *pool[T, U]) run(r iter.Seq2[T, error], yield func(U, error) bool) {
	var all sync.WaitGroup
	all.Go(func() { p.read(r) })
	for range p.o.Workers {
		all.Go(p.work)
	}
	go func() {
		all.Wait()
		close(p.ready)
	}()
	defer func() {
		close(p.stop)
		for range p.ready { // until every goroutine is done
		}
	}()
	for s := range p.ready {
		if !p.o.Unordered {
			<-s.done
		}
		y, err := s.y, s.err
		*s = slot[T, U]{done: s.done}
		p.free <- s
		if !yield(y, err) || err != nil {
			return
		}
	}
	if p.readErr != nil {
		var zero U
		yield(zero, p.readErr)
	}
}

// read gives the records of r to the workers.
func (p *pool[T, U]) read(r iter.Seq2[T, error]) {
	defer close(p.jobs)
	index := p.o.Start
	drive("datasets.Map", r, func(x T) bool {
		var s *slot[T, U]
		select {
		case s = <-p.free:
		case <-p.stop:
			return false
		}
		s.index, s.x = index, x
		index++
		if !p.o.Unordered {
			p.ready <- s
		}
		p.jobs <- s
		return true
	}, &p.readErr)
}

// work calls the function until there is nothing left to do.
func (p *pool[T, U]) work() {
	c := newCaller(p.f, p.o.Random)
	for s := range p.jobs {
		select {
		case <-p.stop:
			return
		default:
			p.serve(c, s)
		}
	}
}

// serve computes one slot and hands it on, even if the function ends the goroutine.
func (p *pool[T, U]) serve(c *caller[T, U], s *slot[T, U]) {
	defer func() {
		if p.o.Unordered {
			p.ready <- s
		} else {
			s.done <- struct{}{}
		}
	}()
	c.call(s.index, s.x, &s.y, &s.err)
}
