package op

// CrossEntropy returns the mean of −log softmax(logits)[label] over the rows that count, a scalar: logits are (batch, classes) and label
// (batch) Int32 or Int64, or both with more axes in front. It is computed from the logits without overflow (log-sum-exp minus the
// label's logit); the gradient is (softmax(logits) − one-hot(label))/count.
//
// A row whose label is IgnoreLabel does not count; Count gives the number of those that do, and if none does the loss and its gradient are 0.
// Any other label outside [0, classes) is an error of the run, a *RangeError with the row and the label.
func CrossEntropy(logits, label *Node) *Node {
	loss, count := labelled(crossEntropy{IgnoreLabel}, logits, label)
	return meanOver(loss, count)
}

// CrossEntropyRows returns the loss of each row, in the shape of label, instead of the mean; see CrossEntropy. Ignored rows have 0. Count of
// it is the number of rows that count.
func CrossEntropyRows(logits, label *Node) *Node {
	loss, count := labelled(crossEntropy{IgnoreLabel}, logits, label)
	return rowsLike(label, loss, count)
}

// labelled applies a loss op to scores (…, classes) and label (…), as a matrix and a vector, and returns the loss of each row and how many
// rows count.
func labelled(o Op, scores, label *Node) (loss, count *Node) {
	if scores.Err() == nil && label.Err() == nil && scores.Rank() > 2 && SameShape(label.shape, scores.shape[:scores.Rank()-1]) {
		scores, label = Reshape(scores, Auto, scores.Dim(-1)), Reshape(label, Auto)
	}
	out := Apply(o, scores, label)
	return out[0], out[1]
}

// rowsLike gives rows the shape of label and the denominator count.
func rowsLike(label, rows, count *Node) *Node {
	if rows.Err() != nil {
		return failedFrom(rows)
	}
	return WithCount(Reshape(rows, label.shape...), Cast(count, Float32))
}

// inferLabelled checks scores (batch, classes) and labels (batch).
func inferLabelled(s *Shapes) error {
	if err := s.Arity(2); err != nil {
		return err
	}
	if err := s.Float(0); err != nil {
		return err
	}
	if err := s.Integer(1); err != nil {
		return err
	}
	scores := s.In[0].Shape
	if len(scores) < 2 {
		return s.Wrong(0, "(batch, classes)")
	}
	if rows := scores[:len(scores)-1]; !SameShape(s.In[1].Shape, rows) {
		return s.Wrong(1, "%s, a label for each row of %s", s.String(rows), s.input(0))
	}
	return nil
}

// crossEntropy gives the loss of each row, the number of rows that count, and the log-sum-exp of each row.
type crossEntropy struct{ Ignore int64 }

func (crossEntropy) Name() string { return "cross_entropy" }

func (crossEntropy) Infer(s *Shapes) ([]Spec, error) {
	if err := inferLabelled(s); err != nil {
		return nil, err
	}
	row := Spec{s.In[0].DType, s.In[1].Shape}
	return []Spec{row, {Int64, []Dim{}}, row}, nil
}

func (o crossEntropy) Run(e *Env, in, out []Buffer) error {
	count, err := e.CrossEntropy(o.Ignore, in[0], in[1], out[0], out[2])
	if err == nil {
		e.Fill(out[1], float64(count))
	}
	return err
}

func (o crossEntropy) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	return []*Node{apply1(crossEntropyGrad(o), c.In[0], c.In[1], c.Out[2], dout[0]), nil}
}

func (crossEntropy) Traits() Traits { return Traits{Precision: Keep32} }

func (crossEntropy) FLOPs(in, _ [][]int) int64 { return 4 * elements(in[0]) }

// crossEntropyGrad computes (softmax(logits) − one-hot(label))·dy from logits, labels, log-sum-exp and dy.
type crossEntropyGrad crossEntropy

func (crossEntropyGrad) Name() string { return "cross_entropy_grad" }

func (crossEntropyGrad) Infer(s *Shapes) ([]Spec, error) { return []Spec{s.In[0]}, s.Arity(4) }

func (o crossEntropyGrad) Run(e *Env, in, out []Buffer) error {
	e.CrossEntropyGrad(o.Ignore, 0, in[0], in[1], in[2], in[3], out[0])
	return nil
}

func (crossEntropyGrad) Traits() Traits { return Traits{InPlace: []Pair{{0, 0}}, Precision: Keep32} }

func (crossEntropyGrad) FLOPs(in, _ [][]int) int64 { return 4 * elements(in[0]) }
