package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// matmulTasks are the tasks of MatMul.
type matmulTasks struct {
	product32 kernel.Gemm[float32]
	product64 kernel.Gemm[float64]
	turned32  turnTask[float32, uint32]
	turned64  turnTask[float64, uint64]
}

// MatMul implements op.Backend.
func (b *Backend) MatMul(g op.MatMulSpec, a, c, bias, y op.Buffer) {
	switch y.DType {
	case op.Float32:
		multiply(b, &b.product32, &b.turned32, &unary32, g, a, c, bias, y)
	case op.Float64:
		multiply(b, &b.product64, &b.turned64, &unary64, g, a, c, bias, y)
	}
}

func multiply[T kernel.Float, U any](b *Backend, t *kernel.Gemm[T], turned *turnTask[T, U], functions *unaryTable[T], g op.MatMulSpec, left, right, bias, y op.Buffer) {
	t.M, t.N, t.K, t.Batch = g.M, g.N, g.K, g.Batch
	t.A = operand[T](left, g.M, g.K, g.TransA, g.SharedA)
	if wantsTurning(g) {
		t.A = turned.run(b, left, g.K, g.M)
	}
	t.B, t.Packed = operand[T](right, g.K, g.N, g.TransB, g.SharedB), packed[T](b, &g, right)
	t.C, t.CRow, t.CNext = elements[T](y), g.N, g.M*g.N
	t.Bias, t.Accumulate = elements[T](bias), g.Accumulate
	t.ReLU, t.Act = activation(g.Act, functions)
	t.Run(b.team, b.threads)
	t.A, t.B, t.Packed, t.C, t.Bias = kernel.Operand[T]{}, kernel.Operand[T]{}, nil, nil, nil
}

// operand describes the matrices (rows, cols) of a batch, which are stored as (cols, rows) if they are to be transposed.
func operand[T kernel.Float](data op.Buffer, rows, cols int, trans, shared bool) kernel.Operand[T] {
	o := kernel.Operand[T]{Data: elements[T](data), Row: cols, Next: rows * cols, Trans: trans}
	if trans {
		o.Row = rows
	}
	if shared {
		o.Next = 0
	}
	return o
}

// activation returns how a kernel computes an activation: relu in its registers, another one by act where it is not nil.
func activation[T kernel.Float](a op.Activation, functions *unaryTable[T]) (relu bool, act kernel.Unary[T]) {
	switch a {
	case op.ActReLU:
		return true, nil
	case op.ActSigmoid:
		return false, functions[op.UnarySigmoid]
	case op.ActTanh:
		return false, functions[op.UnaryTanh]
	}
	return false, nil
}
