package op

import "math"

// LogSumExp returns log Σ exp(x) over the last axis, which the result lacks, without overflow. Where all elements are −Inf it is −Inf, with
// a zero gradient.
func LogSumExp(x *Node) *Node { return apply1(logSumExp{}, x) }

type logSumExp struct{}

func (logSumExp) Name() string { return "log_sum_exp" }

func (logSumExp) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	shape := s.In[0].Shape
	if len(shape) == 0 {
		return nil, s.Wrong(0, "at least one axis")
	}
	return []Spec{{s.In[0].DType, shape[:len(shape)-1]}}, s.Float(0)
}

func (logSumExp) Run(e *Env, in, out []Buffer) error {
	e.LogSumExp(in[0], out[0])
	return nil
}

// Gradient is dy times the softmax, which has no meaning where all elements are −Inf.
func (logSumExp) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	x, y := c.In[0], Unsqueeze(c.Out[0], -1)
	none := Equal(y, c.graph.Full(y.dtype, math.Inf(-1)))
	share := Where(none, c.graph.Full(x.dtype, 0), Softmax(x))
	return []*Node{Mul(Unsqueeze(dout[0], -1), share)}
}

func (logSumExp) Traits() Traits { return Traits{Precision: Keep32} }

func (logSumExp) FLOPs(in, _ [][]int) int64 { return 4 * elements(in[0]) }
