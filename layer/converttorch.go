package layer

import "gorgonia.org/tensor"

// TorchRecurrent are the parameters of one layer and one direction of PyTorch's nn.LSTM, nn.GRU or nn.RNN, as its state_dict names them, such as
// weight_ih_l0 or weight_ih_l1_reverse. With n gates, 4 (i, f, g, o), 3 (r, z, n) or 1:
//
//	WeightIH (n·size, in), WeightHH (n·size, columns of h), BiasIH (n·size), BiasHH (n·size), WeightHR (projection, size)
//
// The gates are ours in the same order, as columns instead of rows; the sum of both biases is Bias, but for the n of a GRU, where that of the hidden
// side is HiddenBias. PyTorch's GRU is one with ResetAfter.
type TorchRecurrent struct {
	WeightIH, WeightHH *tensor.Dense
	BiasIH, BiasHH     *tensor.Dense // both nil with bias=False, which counts as 0
	WeightHR           *tensor.Dense // of an LSTM with proj_size, else nil
}

// LSTM returns the values for an LSTM; with WeightHR, one with a Projection.
func (t TorchRecurrent) LSTM() (v LSTMValues, err error) {
	r := reader{who: "layer.TorchRecurrent.LSTM"}
	in, hidden, biasIH, biasHH := t.read(&r, 4)
	size := in.rows / 4
	var projection grid
	if t.WeightHR != nil && r.err == nil {
		projection = r.matrix("WeightHR", t.WeightHR, hidden.columns, size)
	} else if r.err == nil && hidden.columns != size {
		r.fail("WeightHH has shape %v, want (%d, %d) without WeightHR", t.WeightHH.Shape(), 4*size, size)
	}
	if r.err != nil {
		return v, r.err
	}
	if t.WeightHR != nil {
		v.ProjectionWeight = projection.transposed().dense()
	}
	v.InWeight, v.Weight, v.Bias = in.transposed().dense(), hidden.transposed().dense(), biasIH.plus(biasHH).dense()
	return v, nil
}

// GRU returns the values for a GRU with ResetAfter.
func (t TorchRecurrent) GRU() (v GRUValues, err error) {
	r := reader{who: "layer.TorchRecurrent.GRU"}
	in, hidden, biasIH, biasHH := t.readSquare(&r, 3)
	if r.err != nil {
		return v, r.err
	}
	size := hidden.columns
	bias := biasIH.part(0, 2*size).plus(biasHH.part(0, 2*size)).beside(biasIH.part(2*size, 3*size))
	return GRUValues{
		InWeight: in.transposed().dense(), Weight: hidden.transposed().dense(), Bias: bias.dense(), HiddenBias: biasHH.part(2*size, 3*size).dense(),
	}, nil
}

// RNN returns the values for an RNN.
func (t TorchRecurrent) RNN() (v RNNValues, err error) {
	r := reader{who: "layer.TorchRecurrent.RNN"}
	in, hidden, biasIH, biasHH := t.readSquare(&r, 1)
	if r.err != nil {
		return v, r.err
	}
	return RNNValues{InWeight: in.transposed().dense(), Weight: hidden.transposed().dense(), Bias: biasIH.plus(biasHH).dense()}, nil
}

// read reads what all kinds have, with that many gates.
func (t TorchRecurrent) read(r *reader, gates int) (in, hidden, biasIH, biasHH grid) {
	in = r.matrix("WeightIH", t.WeightIH, -1, -1)
	if r.err == nil && (in.rows == 0 || in.rows%gates != 0) {
		r.fail("WeightIH has shape %v, want (%d·size, in)", t.WeightIH.Shape(), gates)
	}
	hidden = r.matrix("WeightHH", t.WeightHH, in.rows, -1)
	biasIH = grid{dtype: in.dtype, axes: 1, rows: 1, columns: in.rows, data: make([]float64, in.rows)}
	biasHH = biasIH
	if t.BiasIH != nil || t.BiasHH != nil {
		biasIH, biasHH = r.vector("BiasIH", t.BiasIH, in.rows), r.vector("BiasHH", t.BiasHH, in.rows)
	}
	return in, hidden, biasIH, biasHH
}

// readSquare is read for layers whose h has the size of a gate.
func (t TorchRecurrent) readSquare(r *reader, gates int) (in, hidden, biasIH, biasHH grid) {
	in, hidden, biasIH, biasHH = t.read(r, gates)
	switch {
	case r.err != nil:
	case t.WeightHR != nil:
		r.fail("there is a WeightHR, want none: only an LSTM has a projection")
	case hidden.columns != in.rows/gates:
		r.fail("WeightHH has shape %v, want (%d, %d)", t.WeightHH.Shape(), in.rows, in.rows/gates)
	}
	return in, hidden, biasIH, biasHH
}

// Torch returns the values as PyTorch has them: Bias is its BiasIH, and BiasHH is 0. An LSTM with peepholes is an error: PyTorch has none.
func (v LSTMValues) Torch() (t TorchRecurrent, err error) {
	r := reader{who: "layer.LSTMValues.Torch"}
	if v.PeepholeWeight != nil {
		r.fail("there is a PeepholeWeight, want none: PyTorch has no peepholes")
	}
	in := r.matrix("InWeight", v.InWeight, -1, -1)
	hidden := r.matrix("Weight", v.Weight, -1, in.columns)
	bias := r.vector("Bias", v.Bias, in.columns)
	var projection grid
	if v.ProjectionWeight != nil {
		projection = r.matrix("ProjectionWeight", v.ProjectionWeight, in.columns/4, hidden.rows)
	}
	if r.err != nil {
		return t, r.err
	}
	t = TorchRecurrent{
		WeightIH: in.transposed().dense(), WeightHH: hidden.transposed().dense(), BiasIH: bias.dense(), BiasHH: bias.zeros().dense(),
	}
	if v.ProjectionWeight != nil {
		t.WeightHR = projection.transposed().dense()
	}
	return t, nil
}

// Torch returns the values of a GRU with ResetAfter as PyTorch has them: of BiasHH only the part of n is not 0. PyTorch has no GRU without
// ResetAfter, whose HiddenBias is nil: that is an error.
func (v GRUValues) Torch() (t TorchRecurrent, err error) {
	r := reader{who: "layer.GRUValues.Torch"}
	if v.HiddenBias == nil {
		r.fail("HiddenBias is nil, want the value of a GRU with ResetAfter: PyTorch has no other")
	}
	in := r.matrix("InWeight", v.InWeight, -1, -1)
	size := in.columns / 3
	hidden := r.matrix("Weight", v.Weight, size, 3*size)
	bias, hiddenBias := r.vector("Bias", v.Bias, 3*size), r.vector("HiddenBias", v.HiddenBias, size)
	if r.err != nil {
		return t, r.err
	}
	return TorchRecurrent{
		WeightIH: in.transposed().dense(), WeightHH: hidden.transposed().dense(), BiasIH: bias.dense(),
		BiasHH: bias.part(0, 2*size).zeros().beside(hiddenBias).dense(),
	}, nil
}

// Torch returns the values as PyTorch has them: Bias is its BiasIH, and BiasHH is 0.
func (v RNNValues) Torch() (t TorchRecurrent, err error) {
	r := reader{who: "layer.RNNValues.Torch"}
	in := r.matrix("InWeight", v.InWeight, -1, -1)
	hidden := r.matrix("Weight", v.Weight, in.columns, in.columns)
	bias := r.vector("Bias", v.Bias, in.columns)
	if r.err != nil {
		return t, r.err
	}
	return TorchRecurrent{
		WeightIH: in.transposed().dense(), WeightHH: hidden.transposed().dense(), BiasIH: bias.dense(), BiasHH: bias.zeros().dense(),
	}, nil
}
