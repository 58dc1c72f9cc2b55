package sequence

import "paddle/op"

// gatherProduct returns rows of a table, side by side those that each row of index (rows, length) names, times w (length·width, columns).
func gatherProduct(table, index, w *op.Node) *op.Node {
	return op.Apply(gatherMatMul{}, table, index, w)[0]
}

// gatherMatMul computes gatherProduct. It and its two gradients are linear in each of three matrices, and so each other's gradients.
type gatherMatMul struct{}

func (gatherMatMul) Name() string { return "gather_matmul" }

func (gatherMatMul) Traits() op.Traits { return op.Traits{Precision: op.Low} }

func (gatherMatMul) Infer(s *op.Shapes) ([]op.Spec, error) {
	shape := []op.Dim{s.In[1].Shape[0], s.In[2].Shape[1]}
	return []op.Spec{{DType: s.In[0].DType, Shape: shape}}, s.Float(0)
}

func (gatherMatMul) FLOPs(in, out [][]int) int64 { return 2 * elements64(in[2]) * int64(in[1][0]) }

func (gatherMatMul) Run(e *op.Env, in, out []op.Buffer) error {
	return e.GatherMatMul(noRow, in[0], in[1], in[2], out[0])
}

func (gatherMatMul) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	table, index, w := c.In[0], c.In[1], c.In[2]
	out := make([]*op.Node, 3)
	if want[0] {
		out[0] = op.Apply(gatherMatMulTable{table.Dim(0), table.Dim(1)}, dout[0], index, w)[0]
	}
	if want[2] {
		out[2] = op.Apply(gatherMatMulWeight{}, table, index, dout[0])[0]
	}
	return out
}

// gatherMatMulTable computes the gradient of gatherMatMul for its table (Rows, Width), from that of the result, the index, and the weights.
type gatherMatMulTable struct{ Rows, Width op.Dim }

func (gatherMatMulTable) Name() string { return "gather_matmul_grad_table" }

func (gatherMatMulTable) Traits() op.Traits { return op.Traits{Precision: op.Low} }

func (o gatherMatMulTable) Infer(s *op.Shapes) ([]op.Spec, error) {
	return []op.Spec{{DType: s.In[0].DType, Shape: []op.Dim{o.Rows, o.Width}}}, s.Arity(3)
}

func (gatherMatMulTable) FLOPs(in, out [][]int) int64 { return 2 * elements64(in[2]) * int64(in[1][0]) }

func (gatherMatMulTable) Run(e *op.Env, in, out []op.Buffer) error {
	e.GatherMatMulGradTable(noRow, in[1], in[2], in[0], out[0])
	return nil
}

func (gatherMatMulTable) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	dy, index, w := c.In[0], c.In[1], c.In[2]
	out := make([]*op.Node, 3)
	if want[0] {
		out[0] = gatherProduct(dout[0], index, w)
	}
	if want[2] {
		out[2] = op.Apply(gatherMatMulWeight{}, dout[0], index, dy)[0]
	}
	return out
}

// gatherMatMulWeight computes the gradient of gatherMatMul for its weights, from the table, the index, and that of the result.
type gatherMatMulWeight struct{}

func (gatherMatMulWeight) Name() string { return "gather_matmul_grad_weight" }

func (gatherMatMulWeight) Traits() op.Traits { return op.Traits{Precision: op.Low} }

func (gatherMatMulWeight) Infer(s *op.Shapes) ([]op.Spec, error) {
	x, index, dy := s.In[0], s.In[1].Shape, s.In[2].Shape
	return []op.Spec{{DType: x.DType, Shape: []op.Dim{s.Mul(index[1], x.Shape[1]), dy[1]}}}, s.Arity(3)
}

func (gatherMatMulWeight) FLOPs(in, out [][]int) int64 {
	return 2 * elements64(out[0]) * int64(in[1][0])
}

func (gatherMatMulWeight) Run(e *op.Env, in, out []op.Buffer) error {
	return e.GatherMatMulGradWeight(noRow, in[0], in[1], in[2], out[0])
}

func (gatherMatMulWeight) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	table, index, dy := c.In[0], c.In[1], c.In[2]
	out := make([]*op.Node, 3)
	if want[0] {
		out[0] = op.Apply(gatherMatMulTable{table.Dim(0), table.Dim(1)}, dy, index, dout[0])[0]
	}
	if want[2] {
		out[2] = gatherProduct(table, index, dout[0])
	}
	return out
}
