package op

// NLL returns the mean of −logProbabilities[label] over the rows that count, a scalar; the first argument (batch, classes) is what
// LogSoftmax gives. Labels are as in CrossEntropy, which does both in one.
func NLL(logProbabilities, label *Node) *Node {
	loss, count := labelled(nll{IgnoreLabel}, logProbabilities, label)
	return meanOver(loss, count)
}

// nll gives the loss of each row and the number of rows that count.
type nll struct{ Ignore int64 }

func (nll) Name() string { return "nll" }

func (nll) Infer(s *Shapes) ([]Spec, error) {
	if err := inferLabelled(s); err != nil {
		return nil, err
	}
	return []Spec{{s.In[0].DType, s.In[1].Shape}, {Int64, []Dim{}}}, nil
}

func (o nll) Run(e *Env, in, out []Buffer) error {
	count, err := e.NLL(o.Ignore, in[0], in[1], out[0])
	if err == nil {
		e.Fill(out[1], float64(count))
	}
	return err
}

func (o nll) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	return []*Node{apply1(nllGrad{o.Ignore, c.In[0].Dim(-1)}, c.In[1], dout[0]), nil}
}

func (nll) Traits() Traits { return Traits{Precision: Keep32} }

// nllGrad puts −dy at each row's label.
type nllGrad struct {
	Ignore  int64
	Classes Dim
}

func (nllGrad) Name() string { return "nll_grad" }

func (o nllGrad) Infer(s *Shapes) ([]Spec, error) {
	shape := append(append([]Dim{}, s.In[0].Shape...), o.Classes)
	return []Spec{{s.In[1].DType, shape}}, s.Arity(2)
}

func (o nllGrad) Run(e *Env, in, out []Buffer) error {
	e.NLLGrad(o.Ignore, 0, in[0], in[1], out[0])
	return nil
}

func (nllGrad) Traits() Traits { return Traits{Precision: Keep32} }
