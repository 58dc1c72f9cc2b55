// Package layer has the layers that models are made of: parameters together with the ops that use them.
//
// A layer is a struct literal. Its exported fields are its options, and the zero value of each is the default; sizes of the input are
// inferred. A model is a struct of layers, by value, by pointer, in slices or maps:
//
//	type Net struct {
//		Hidden, Out layer.FC
//	}
//
//	net := &Net{Hidden: layer.FC{Size: 64, Act: op.ReLU}, Out: layer.FC{Size: 10}}
//	g := op.NewGraph(net) // makes the parameters and names them: hidden.weight, hidden.bias, out.weight, out.bias
//	x := g.Input("x", op.Float32, op.Batch, 16)
//	y := net.Out.Forward(net.Hidden.Forward(x))
//
// Forward builds nodes and returns no error: the graph keeps the first mistake with its place in the user's code (op.Graph.Err), and
// so does whatever compiles the graph. The element type of the input decides that of the parameters.
//
// # Layers over time
//
// A SequenceLayer takes and returns sequence.Node, whose samples may all have different lengths:
//
//	words := sequence.Input(g, "words", op.Int32)
//	x := words.Map(net.Words.Forward)      // layers of rows work on each token
//	h := net.LSTM.Forward(x)               // a state for each token
//	logits := net.Out.Forward(sequence.Max(h))
//
// LSTM, GRU and RNN are recurrent, in one direction or, in a Bidirectional, in both; their Run begins with given states and returns the last ones.
// SequenceConv looks at neighbours, AdditiveAttention at what goes with a state. A Stack applies layers one after another, EachToken those of
// rows among them. TorchRecurrent and PaddleRecurrent bring parameters from other libraries.
//
// # Sharing
//
// Using a layer twice shares its parameters; so does setting the parameter fields of two layers to one op.Parameter. A layer
// must not be copied once it is in use: a copy is not part of the model, and its Forward is an error.
package layer
