package op

import "gorgonia.org/tensor"

// Feeds gives a program the values of its inputs, by the names that Graph.Input was given. A program reads a tensor in place when its
// memory is contiguous and copies it otherwise, so that a view gives what its copy would.
//
// A batch of one needs its shape: tensor.New(tensor.WithShape(1), tensor.WithBacking([]int32{7})), for without WithShape a single element
// is a scalar. Tensors under names that no input has are passed over.
type Feeds map[string]*tensor.Dense

// Feeder is a value that knows how to fill several inputs, such as a batch of sequences (rows, lengths).
type Feeder interface {
	// Feed adds the value's tensors to f under name and names that begin with it.
	Feed(f Feeds, name string)
}
