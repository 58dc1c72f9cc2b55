package layer

import "paddle/op"

// MaxPool2D is op.MaxPool2D with its attributes as a Layer, for a Sequential.
type MaxPool2D op.Pool

// Forward returns the greatest element of each window of x.
func (p MaxPool2D) Forward(x *op.Node) *op.Node { return op.MaxPool2D(x, op.Pool(p)) }

// AvgPool2D is op.AvgPool2D with its attributes as a Layer, for a Sequential.
type AvgPool2D op.Pool

// Forward returns the mean of each window of x.
func (p AvgPool2D) Forward(x *op.Node) *op.Node { return op.AvgPool2D(x, op.Pool(p)) }
