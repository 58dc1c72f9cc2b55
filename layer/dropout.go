package layer

import "paddle/op"

// Dropout sets the fraction P of the elements to 0 in training and multiplies the others by 1/(1−P); prediction leaves x as it is. See
// op.Dropout.
type Dropout struct {
	P float64 // from 0 to 1

	_ noCopy
}

// Forward builds the layer on x.
func (l *Dropout) Forward(x *op.Node) *op.Node {
	s := op.Enter(l, x)
	defer s.Leave()
	if s.Failed() != nil {
		return s.Failed()
	}
	return op.Dropout(x, l.P)
}
