package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// updateTasks are the tasks of the optimizers' steps.
type updateTasks struct{ update updateTask }

// updateKind names the rule of an updateTask.
type updateKind uint8

const (
	updateSGD updateKind = iota
	updateMomentum
	updateNesterov
	updateAdam
	updateAdaGrad
)

// updateTask changes w and its state by the gradient g; with ids, row ids[i] of w and of the state by row i of g.
type updateTask struct {
	kind          updateKind
	w, ids, g     op.Buffer
	first, second op.Buffer // state: v, a, or m and v
	rate          float64
	constant      float64 // μ or ε
	adam32        kernel.Adam[float32]
	adam64        kernel.Adam[float64]
	width, limit  int // elements of a row, and rows of w
	span          span
}

// UpdateSGD implements op.Backend.
func (b *Backend) UpdateSGD(w, ids, g op.Buffer, lr float64) {
	b.updateOf(updateSGD, w, ids, g).rate = lr
	b.runUpdate()
}

// UpdateMomentum implements op.Backend.
func (b *Backend) UpdateMomentum(w, ids, g, v op.Buffer, s op.MomentumSpec) {
	kind := updateMomentum
	if s.Nesterov {
		kind = updateNesterov
	}
	t := b.updateOf(kind, w, ids, g)
	t.first, t.rate, t.constant = v, s.LearningRate, s.Momentum
	b.runUpdate()
}

// UpdateAdam implements op.Backend.
func (b *Backend) UpdateAdam(w, ids, g, m, v op.Buffer, s op.AdamSpec) {
	t := b.updateOf(updateAdam, w, ids, g)
	t.first, t.second = m, v
	if w.DType == op.Float32 {
		t.adam32 = kernel.NewAdam[float32](s.LearningRate, s.Beta1, s.Beta2, s.Epsilon, s.Decay, s.Step)
	} else {
		t.adam64 = kernel.NewAdam[float64](s.LearningRate, s.Beta1, s.Beta2, s.Epsilon, s.Decay, s.Step)
	}
	b.runUpdate()
}

// UpdateAdaGrad implements op.Backend.
func (b *Backend) UpdateAdaGrad(w, ids, g, a op.Buffer, lr, epsilon float64) {
	t := b.updateOf(updateAdaGrad, w, ids, g)
	t.first, t.rate, t.constant = a, lr, epsilon
	b.runUpdate()
}

// updateOf returns the task, made ready for a rule.
func (b *Backend) updateOf(kind updateKind, w, ids, g op.Buffer) *updateTask {
	t := &b.update
	t.kind, t.w, t.ids, t.g = kind, w, ids, g
	return t
}

// runUpdate runs the task over elements, or over rows if there are ids. Ids outside of w are passed over, as in ScatterAdd.
func (b *Backend) runUpdate() {
	t := &b.update
	if t.ids.IsNil() {
		t.width, t.span = 1, span{t.g.Len(), lightGrain}
	} else {
		t.width, t.limit = rowWidth(t.w), t.w.Shape[0]
		t.span = rowSpan(t.ids.Len(), t.width, heavyGrain)
	}
	b.run(t.span.parts(), t)
	*t = updateTask{}
}

// Do computes one part.
func (t *updateTask) Do(part int) {
	if t.w.DType == op.Float32 {
		updatePart(t, part, &t.adam32)
	} else {
		updatePart(t, part, &t.adam64)
	}
}

func updatePart[T kernel.Float](t *updateTask, part int, adam *kernel.Adam[T]) {
	lo, hi := t.span.bounds(part)
	u := updater[T]{t, adam, elements[T](t.w), elements[T](t.g), elements[T](t.first), elements[T](t.second)}
	switch {
	case t.ids.IsNil():
		u.step(lo, lo, hi-lo)
	case t.ids.DType == op.Int32:
		updateRows(&u, t.ids.Int32s(), lo, hi)
	default:
		updateRows(&u, t.ids.Int64s(), lo, hi)
	}
}

func updateRows[I kernel.ID, T kernel.Float](u *updater[T], ids []I, lo, hi int) {
	ids = ids[:hi]
	for i := lo; i < hi; i++ {
		if (i-lo)%kernel.RowsAhead == 0 {
			for _, x := range [...][]T{u.w, u.first, u.second} {
				kernel.AskForRows(x, u.width, kernel.Ahead(ids, i))
			}
		}
		if id := uint64(ids[i]); id < uint64(u.limit) {
			u.step(int(id)*u.width, i*u.width, u.width)
		}
	}
}

// updater is an updateTask with its buffers' elements.
type updater[T kernel.Float] struct {
	*updateTask
	adam                *kernel.Adam[T]
	w, g, first, second []T
}

// step changes the n elements at place at of w and its state by the gradient at place from.
func (u *updater[T]) step(at, from, n int) {
	w, g := u.w[at:at+n], u.g[from:from+n]
	switch u.kind {
	case updateSGD:
		kernel.UpdateSGD(w, g, u.rate)
	case updateMomentum:
		kernel.UpdateMomentum(w, g, u.first[at:at+n], u.rate, u.constant)
	case updateNesterov:
		kernel.UpdateNesterov(w, g, u.first[at:at+n], u.rate, u.constant)
	case updateAdam:
		kernel.UpdateAdam(u.adam, w, g, u.first[at:at+n], u.second[at:at+n])
	case updateAdaGrad:
		kernel.UpdateAdaGrad(w, g, u.first[at:at+n], u.rate, u.constant)
	}
}
