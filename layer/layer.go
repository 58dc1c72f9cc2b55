package layer

import "paddle/op"

// Layer is anything that turns one node into another: the layers of this package and those of the user.
type Layer interface {
	// Forward builds the layer's nodes on x.
	Forward(x *op.Node) *op.Node
}

// Func is a function as a Layer, such as Func(op.Flatten): for a Sequential.
type Func func(x *op.Node) *op.Node

// Forward returns f(x).
func (f Func) Forward(x *op.Node) *op.Node {
	if f == nil {
		return x.Graph().Fail("the function is nil")
	}
	return f(x)
}

// Sequential is a Layer that applies layers one after another. Its parameters are named by position, such as 0.weight.
type Sequential []Layer

// Forward returns the last layer's result; without layers, x.
func (s Sequential) Forward(x *op.Node) *op.Node {
	for i, l := range s {
		if l == nil {
			return x.Graph().Fail("layer %d of %d is nil", i, len(s))
		}
		x = l.Forward(x)
	}
	return x
}

// noCopy makes vet report copies of the struct that holds it.
type noCopy struct{}

// Lock does nothing; vet looks for it.
func (*noCopy) Lock() {}

// Unlock does nothing; vet looks for it.
func (*noCopy) Unlock() {}

// activate applies an activation, if there is one.
func activate(act op.ActivationFunc, x *op.Node) *op.Node {
	if act == nil {
		return x
	}
	return act(x)
}
