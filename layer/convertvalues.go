package layer

import (
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"paddle/op"
)

// LSTMValues are the values of an LSTM's parameters, under the names of its fields; nil are those that the layer does not have. They are the
// middle of conversions between libraries: see TorchRecurrent and PaddleRecurrent.
type LSTMValues struct {
	InWeight, Weight, Bias           *tensor.Dense
	PeepholeWeight, ProjectionWeight *tensor.Dense
}

// GRUValues are the values of a GRU's parameters, under the names of its fields. HiddenBias is that of a GRU with ResetAfter, nil without.
type GRUValues struct {
	InWeight, Weight, Bias, HiddenBias *tensor.Dense
}

// RNNValues are the values of an RNN's parameters, under the names of its fields.
type RNNValues struct {
	InWeight, Weight, Bias *tensor.Dense
}

// slot is a parameter of a layer and its value.
type slot struct {
	name      string
	parameter **op.Parameter
	value     **tensor.Dense
	there     bool  // the layer has the parameter
	shape     []int // what it is by the layer's options; −1 stands for any
}

func (l *LSTM) slots(v *LSTMValues) []slot {
	return []slot{
		{"InWeight", &l.InWeight, &v.InWeight, true, []int{-1, 4 * l.Size}},
		{"Weight", &l.Weight, &v.Weight, true, []int{l.columns(), 4 * l.Size}},
		{"Bias", &l.Bias, &v.Bias, true, []int{4 * l.Size}},
		{"PeepholeWeight", &l.PeepholeWeight, &v.PeepholeWeight, l.Peephole, []int{3, l.Size}},
		{"ProjectionWeight", &l.ProjectionWeight, &v.ProjectionWeight, l.Projection > 0, []int{l.Size, l.Projection}},
	}
}

func (l *GRU) slots(v *GRUValues) []slot {
	return []slot{
		{"InWeight", &l.InWeight, &v.InWeight, true, []int{-1, 3 * l.Size}},
		{"Weight", &l.Weight, &v.Weight, true, []int{l.Size, 3 * l.Size}},
		{"Bias", &l.Bias, &v.Bias, true, []int{3 * l.Size}},
		{"HiddenBias", &l.HiddenBias, &v.HiddenBias, l.ResetAfter, []int{l.Size}},
	}
}

func (l *RNN) slots(v *RNNValues) []slot {
	return []slot{
		{"InWeight", &l.InWeight, &v.InWeight, true, []int{-1, l.Size}},
		{"Weight", &l.Weight, &v.Weight, true, []int{l.Size, l.Size}},
		{"Bias", &l.Bias, &v.Bias, true, []int{l.Size}},
	}
}

// errNormalised is the mistake of converting what other libraries do not have.
var errNormalised = errors.New("an LSTM with LayerNorm has parameters besides, want one without")

// Assign copies values to the layer's parameters, before or after a graph is built with it. A value that is missing, one that the layer has no
// parameter for, and one of another type or shape are errors that change nothing.
func (l *LSTM) Assign(v LSTMValues) error {
	if l.LayerNorm {
		return saidBy("layer.LSTM.Assign", errNormalised)
	}
	return saidBy("layer.LSTM.Assign", assignAll(l.slots(&v)))
}

// Assign copies values to the layer's parameters, before or after a graph is built with it. A value that is missing, one that the layer has no
// parameter for, and one of another type or shape are errors that change nothing.
func (l *GRU) Assign(v GRUValues) error { return saidBy("layer.GRU.Assign", assignAll(l.slots(&v))) }

// Assign copies values to the layer's parameters, before or after a graph is built with it. A value that is missing and one of another type or
// shape are errors that change nothing.
func (l *RNN) Assign(v RNNValues) error { return saidBy("layer.RNN.Assign", assignAll(l.slots(&v))) }

// Values copies the values of the layer's parameters, which have some once a program was compiled or values were assigned.
func (l *LSTM) Values() (v LSTMValues, err error) {
	if l.LayerNorm {
		return v, saidBy("layer.LSTM.Values", errNormalised)
	}
	return v, saidBy("layer.LSTM.Values", readAll(l.slots(&v)))
}

// Values copies the values of the layer's parameters, which have some once a program was compiled or values were assigned.
func (l *GRU) Values() (v GRUValues, err error) {
	return v, saidBy("layer.GRU.Values", readAll(l.slots(&v)))
}

// Values copies the values of the layer's parameters, which have some once a program was compiled or values were assigned.
func (l *RNN) Values() (v RNNValues, err error) {
	return v, saidBy("layer.RNN.Values", readAll(l.slots(&v)))
}

func saidBy(who string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", who, err)
}

// assignAll checks all values and then copies them to their parameters.
func assignAll(slots []slot) error {
	buffers := make([]op.Buffer, len(slots))
	for i, s := range slots {
		switch v := *s.value; {
		case v == nil && s.there:
			return fmt.Errorf("%s is nil", s.name)
		case v != nil && !s.there:
			return fmt.Errorf("there is a value for %s, which the layer does not have with its options", s.name)
		case v != nil:
			b, err := s.read()
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			buffers[i] = b
		}
	}
	for i, s := range slots {
		if !s.there {
			continue
		}
		if *s.parameter == nil {
			*s.parameter = new(op.Parameter)
		}
		if err := (*s.parameter).Assign(buffers[i]); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// read returns the value, which must fit the parameter where that has a type and a shape, and the layer's options.
func (s slot) read() (op.Buffer, error) {
	b, err := op.Contiguous(*s.value)
	switch {
	case err != nil:
		return b, err
	case *s.parameter != nil && (*s.parameter).Defined():
		return b, (*s.parameter).Fits(b.DType, b.Shape)
	case !slices.EqualFunc(b.Shape, s.shape, func(got, want int) bool { return want < 0 || got == want }):
		return b, fmt.Errorf("has shape %v, want %s by the layer's options", (*s.value).Shape(), wanted(s.shape...))
	}
	return b, nil
}

// readAll copies the values of parameters.
func readAll(slots []slot) error {
	for _, s := range slots {
		if !s.there {
			continue
		}
		if *s.parameter == nil {
			return fmt.Errorf("%s has no value yet", s.name)
		}
		b, ok := (*s.parameter).Snapshot()
		if !ok {
			return fmt.Errorf("%s has no value yet", s.name)
		}
		*s.value = b.Dense()
	}
	return nil
}
