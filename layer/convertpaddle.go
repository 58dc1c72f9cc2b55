package layer

import "gorgonia.org/tensor"

// PaddleRecurrent are the parameters of PaddlePaddle's lstmemory or grumemory, together with those of the layer in front of it that brings x to
// the width of the gates, as simple_lstm and simple_gru have it. For lstmemory, whose gates stand in the order candidate, input, forget,
// output:
//
//	InWeight (in, 4·size), Weight (size, 4·size), Bias (7·size): those of the gates, then the peepholes of input, forget and output
//
// for grumemory, whose gates stand in the order update, reset, candidate:
//
//	InWeight (in, 3·size), Weight (size, 3·size), Bias (3·size)
//
// and h = (1−update)⊙h + update⊙candidate: its update gate is 1 minus our z, so that the signs of that gate's numbers change. The memory of
// grumemory's Weight is not one matrix, whatever its shape says: first the (size, 2·size) of update and reset, row by row, then the (size, size)
// of the candidate. A bias of the layer in front is to be added to Bias. Weights may have any shape with as many elements.
type PaddleRecurrent struct {
	InWeight, Weight, Bias *tensor.Dense
}

// LSTM returns the values for an LSTM with Peephole.
func (p PaddleRecurrent) LSTM() (v LSTMValues, err error) {
	r := reader{who: "layer.PaddleRecurrent.LSTM"}
	in, weight, bias, size := p.read(&r, 4, 7)
	if r.err != nil {
		return v, r.err
	}
	order := []int{1, 2, 0, 3} // of i, f, g and o among candidate, input, forget and output
	return LSTMValues{
		InWeight: in.blocks(size, order...).dense(), Weight: weight.reshaped(size, 4*size).blocks(size, order...).dense(),
		Bias: bias.blocks(size, order...).dense(), PeepholeWeight: bias.part(4*size, 7*size).reshaped(3, size).dense(),
	}, nil
}

// GRU returns the values for a GRU without ResetAfter.
func (p PaddleRecurrent) GRU() (v GRUValues, err error) {
	r := reader{who: "layer.PaddleRecurrent.GRU"}
	in, weight, bias, size := p.read(&r, 3, 3)
	if r.err != nil {
		return v, r.err
	}
	order := []int{1, ^0, 2} // of r, z and n among update, reset and candidate
	gates, candidate := weight, weight
	gates.data, candidate.data = weight.data[:2*size*size], weight.data[2*size*size:]
	whole := gates.reshaped(size, 2*size).beside(candidate.reshaped(size, size))
	return GRUValues{
		InWeight: in.blocks(size, order...).dense(), Weight: whole.blocks(size, order...).dense(), Bias: bias.blocks(size, order...).dense(),
	}, nil
}

// read reads the arrays of a layer with that many gates, and blocks of size in its bias.
func (p PaddleRecurrent) read(r *reader, gates, biases int) (in, weight, bias grid, size int) {
	in = r.matrix("InWeight", p.InWeight, -1, -1)
	size = in.columns / gates
	if r.err == nil && (size == 0 || in.columns%gates != 0) {
		r.fail("InWeight has shape %v, want (in, %d·size)", p.InWeight.Shape(), gates)
	}
	weight = r.elements("Weight", p.Weight, gates*size*size)
	bias = r.elements("Bias", p.Bias, biases*size)
	return in, weight, bias.reshaped(1, biases*size), size
}

// elements reads an array of that many elements, whatever its shape.
func (r *reader) elements(name string, t *tensor.Dense, n int) grid {
	if t != nil && t.Shape().TotalSize() != n {
		r.fail("%s has shape %v, want %d elements", name, t.Shape(), n)
	}
	if r.err != nil {
		return grid{}
	}
	g, err := gridOf(t)
	if err != nil {
		r.fail("%s %w", name, err)
	}
	return g
}

// Paddle returns the values as lstmemory has them; without PeepholeWeight its peepholes are 0. An LSTM with a projection is an error: lstmemory has
// none.
func (v LSTMValues) Paddle() (p PaddleRecurrent, err error) {
	r := reader{who: "layer.LSTMValues.Paddle"}
	if v.ProjectionWeight != nil {
		r.fail("there is a ProjectionWeight, want none: lstmemory has no projection")
	}
	in := r.matrix("InWeight", v.InWeight, -1, -1)
	size := in.columns / 4
	weight := r.matrix("Weight", v.Weight, size, 4*size)
	bias := r.vector("Bias", v.Bias, 4*size)
	peephole := bias.part(0, min(3*size, bias.columns)).zeros()
	if v.PeepholeWeight != nil {
		peephole = r.matrix("PeepholeWeight", v.PeepholeWeight, 3, size).reshaped(1, 3*size)
	}
	if r.err != nil {
		return p, r.err
	}
	order := []int{2, 0, 1, 3} // of candidate, input, forget and output among i, f, g and o
	return PaddleRecurrent{
		InWeight: in.blocks(size, order...).dense(), Weight: weight.blocks(size, order...).dense(),
		Bias: bias.blocks(size, order...).beside(peephole).dense(),
	}, nil
}

// Paddle returns the values of a GRU without ResetAfter as grumemory has them. HiddenBias is one with it, which grumemory does not know: that is
// an error.
func (v GRUValues) Paddle() (p PaddleRecurrent, err error) {
	r := reader{who: "layer.GRUValues.Paddle"}
	if v.HiddenBias != nil {
		r.fail("there is a HiddenBias, want none: grumemory has no reset after the product")
	}
	in := r.matrix("InWeight", v.InWeight, -1, -1)
	size := in.columns / 3
	weight := r.matrix("Weight", v.Weight, size, 3*size)
	bias := r.vector("Bias", v.Bias, 3*size)
	if r.err != nil {
		return p, r.err
	}
	order := []int{^1, 0, 2} // of update, reset and candidate among r, z and n
	moved := weight.blocks(size, order...)
	whole := moved
	whole.data = append(moved.part(0, 2*size).data, moved.part(2*size, 3*size).data...)
	return PaddleRecurrent{InWeight: in.blocks(size, order...).dense(), Weight: whole.dense(), Bias: bias.blocks(size, order...).dense()}, nil
}
