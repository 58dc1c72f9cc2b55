package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// softmaxTasks are the tasks of Softmax, SoftmaxGrad and LogSumExp.
type softmaxTasks struct{ softmax softmaxTask }

// rowKind says what is computed of each row.
type rowKind uint8

const (
	rowSoftmax rowKind = iota
	rowLogSoftmax
	rowSoftmaxGrad
	rowLogSoftmaxGrad
	rowLogSumExp
)

// softmaxTask works on the rows of the last axis.
type softmaxTask struct {
	kind     rowKind
	x, dy, y op.Buffer // x is the result of Softmax for a gradient
	width    int
	span     span // of rows
}

// Softmax implements op.Backend. A row whose elements are all −Inf, that is, one in which nothing is allowed, gives zeros, or −Inf
// with log.
func (b *Backend) Softmax(log bool, x, y op.Buffer) {
	b.rows(softmaxTask{kind: rowSoftmax, x: x, y: y}, log)
}

// SoftmaxGrad implements op.Backend. It is 0 for a row that had only −Inf.
func (b *Backend) SoftmaxGrad(log bool, y, dy, dx op.Buffer) {
	b.rows(softmaxTask{kind: rowSoftmaxGrad, x: y, dy: dy, y: dx}, log)
}

// LogSumExp implements op.Backend.
func (b *Backend) LogSumExp(x, y op.Buffer) {
	b.rows(softmaxTask{kind: rowLogSumExp, x: x, y: y}, false)
}

// rows runs a task; log makes it that of the logarithm.
func (b *Backend) rows(t softmaxTask, log bool) {
	if log {
		t.kind++
	}
	rows, width := lastAxis(t.x)
	t.width, t.span = width, rowSpan(rows, width, heavyGrain)
	b.softmax = t
	b.run(t.span.parts(), &b.softmax)
	b.softmax = softmaxTask{}
}

// Do computes one part.
func (t *softmaxTask) Do(part int) {
	if t.x.DType == op.Float32 {
		softmaxRows[float32](t, part)
	} else {
		softmaxRows[float64](t, part)
	}
}

func softmaxRows[T kernel.Float](t *softmaxTask, part int) {
	x, dy, y := elements[T](t.x), elements[T](t.dy), elements[T](t.y)
	first, last := t.span.bounds(part)
	for i := first; i < last; i++ {
		lo, hi := i*t.width, (i+1)*t.width
		switch t.kind {
		case rowSoftmax:
			kernel.Softmax(x[lo:hi], y[lo:hi])
		case rowLogSoftmax:
			kernel.LogSoftmax(x[lo:hi], y[lo:hi])
		case rowSoftmaxGrad:
			kernel.SoftmaxGrad(x[lo:hi], dy[lo:hi], y[lo:hi])
		case rowLogSoftmaxGrad:
			kernel.LogSoftmaxGrad(x[lo:hi], dy[lo:hi], y[lo:hi])
		case rowLogSumExp:
			y[i] = kernel.LogSumExp(x[lo:hi])
		}
	}
}
