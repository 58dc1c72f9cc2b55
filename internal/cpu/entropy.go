package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// entropyTasks are the tasks of CrossEntropy, NLL and their gradients.
type entropyTasks struct{ entropy entropyTask }

// lossKind says what is computed of each row.
type lossKind uint8

const (
	lossCrossEntropy lossKind = iota
	lossCrossEntropyGrad
	lossNLL
	lossNLLGrad
)

// entropyTask works on rows of scores and their labels.
type entropyTask struct {
	kind      lossKind
	ignore    int64
	scale     float64
	scores    op.Buffer // logits or log-probabilities
	labels    op.Buffer
	loss, lse op.Buffer
	dloss, dx op.Buffer
	dtype     op.DType
	classes   int
	span      span // of rows
}

// CrossEntropy implements op.Backend. The loss has the same bits as NLL of the logarithm of Softmax.
func (b *Backend) CrossEntropy(ignore int64, logits, labels, loss, lse op.Buffer) (count int, err error) {
	count, err = checkLabels(labels, logits, ignore)
	if err == nil {
		b.lossRows(entropyTask{kind: lossCrossEntropy, ignore: ignore, scores: logits, labels: labels, loss: loss, lse: lse}, logits)
	}
	return count, err
}

// CrossEntropyGrad implements op.Backend. It equals SoftmaxGrad of NLLGrad but for the rounding of lse and of the log-probabilities.
func (b *Backend) CrossEntropyGrad(ignore int64, scale float64, logits, labels, lse, dloss, dx op.Buffer) {
	b.lossRows(entropyTask{kind: lossCrossEntropyGrad, ignore: ignore, scale: scale, scores: logits, labels: labels, lse: lse, dloss: dloss, dx: dx}, logits)
}

// NLL implements op.Backend.
func (b *Backend) NLL(ignore int64, logp, labels, loss op.Buffer) (count int, err error) {
	count, err = checkLabels(labels, logp, ignore)
	if err == nil {
		b.lossRows(entropyTask{kind: lossNLL, ignore: ignore, scores: logp, labels: labels, loss: loss}, logp)
	}
	return count, err
}

// NLLGrad implements op.Backend.
func (b *Backend) NLLGrad(ignore int64, scale float64, labels, dloss, dx op.Buffer) {
	b.lossRows(entropyTask{kind: lossNLLGrad, ignore: ignore, scale: scale, labels: labels, dloss: dloss, dx: dx}, dx)
}

// checkLabels counts the labels that are not ignore; the first one that names no class of scores is a RangeError.
func checkLabels(labels, scores op.Buffer, ignore int64) (count int, err error) {
	_, classes := lastAxis(scores)
	if labels.DType == op.Int32 {
		return countLabels(labels.Int32s(), classes, ignore)
	}
	return countLabels(labels.Int64s(), classes, ignore)
}

func countLabels[I kernel.ID](labels []I, classes int, ignore int64) (count int, err error) {
	if err := checkIDs(labels, classes, ignore, true); err != nil {
		return 0, err
	}
	for _, l := range labels {
		if int64(l) != ignore {
			count++
		}
	}
	return count, nil
}

// lossRows runs a task over the rows of a buffer (rows, classes).
func (b *Backend) lossRows(t entropyTask, rows op.Buffer) {
	n, classes := lastAxis(rows)
	t.dtype, t.classes, t.span = rows.DType, classes, rowSpan(n, classes, heavyGrain)
	b.entropy = t
	b.run(t.span.parts(), &b.entropy)
	b.entropy = entropyTask{}
}

// label returns the label of row i, −1 if it is ignored.
func (t *entropyTask) label(i int) int {
	var l int64
	if t.labels.DType == op.Int32 {
		l = int64(t.labels.Int32s()[i])
	} else {
		l = t.labels.Int64s()[i]
	}
	if l == t.ignore {
		return -1
	}
	return int(l)
}

// Do computes one part.
func (t *entropyTask) Do(part int) {
	if t.dtype == op.Float32 {
		entropyRows[float32](t, part)
	} else {
		entropyRows[float64](t, part)
	}
}

func entropyRows[T kernel.Float](t *entropyTask, part int) {
	scores, loss, lse := elements[T](t.scores), elements[T](t.loss), elements[T](t.lse)
	dloss, dx := elements[T](t.dloss), elements[T](t.dx)
	first, last := t.span.bounds(part)
	for i := first; i < last; i++ {
		lo, hi, label, scale := i*t.classes, (i+1)*t.classes, t.label(i), t.scale
		if dloss != nil {
			scale += float64(dloss[i])
		}
		switch t.kind {
		case lossCrossEntropy:
			loss[i], lse[i] = kernel.CrossEntropy(scores[lo:hi], label)
		case lossCrossEntropyGrad:
			kernel.CrossEntropyGrad(scores[lo:hi], lse[i], label, scale, dx[lo:hi])
		case lossNLL:
			loss[i] = kernel.NLL(scores[lo:hi], label)
		case lossNLLGrad:
			kernel.NLLGrad(label, scale, dx[lo:hi])
		}
	}
}
