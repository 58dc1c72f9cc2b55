// Package gorgop is the bridge to Gorgonia (gorgonia.org/gorgonia), in both directions. Only programs that import it link Gorgonia.
//
// # Gorgonia's ops in our graphs
//
// [Import] builds any Gorgonia expression on nodes of ours, and [Apply] applies one gorgonia.Op, a stock one or the user's own:
//
//	y := gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Conv2d(in[0], in[1], ...) }, image, filter)
//	z := gorgop.Apply(myOp{}, y)
//
// Every op of the expression becomes a node. Its gradient is what its SymDiff builds, imported in the same way, so that gradients of gradients
// work too. An op without SymDiff can be used where no gradient is asked for.
//
// Gorgonia knows numbers where our shapes have symbols. So an expression is built several times, on graphs that are thrown away, with
// different numbers for the symbols: its ops have to be the same each time, and the size of each result has to be that of an input,
// or a sum of products of symbols (2·batch·length+3), which is solved for and checked. [ApplyShape] takes the shape from the user
// where that is not so: quotients, such as the height of a strided convolution. Ops that hold sizes (a reshape, a pooling) are built again
// for each set of sizes that occurs; up to 64 sets are kept.
//
// Types are Float32, Float64, Int32, Uint8 and Bool; Int64 is Gorgonia's int, the type of its indices. A scalar of shape () is a
// scalar of Gorgonia's. An op gets headers of its own over the program's memory, and its result is copied. It runs once at a time
// even in a program that many goroutines share, because Gorgonia's ops may keep state. A panic is an error. Gorgonia allocates in every
// run, and computes nothing on values without elements.
//
// # What is refused
//
// Some stock ops of Gorgonia 0.9.18 give wrong numbers. Using one is an error, which names the way around:
//
//   - AveragePool2D divides by the width of the image, not by the size of the window
//   - MaxPool2D takes the padding below for that above where the two sides differ
//   - Sum, Mean and Max over an axis between the second and the last of four or more axes, and over axes that are not in ascending order
//   - SoftMax and LogSoftMax without an axis on a column, where it is not the axis of a matrix; Sparsemax with an axis
//   - the gradients of Log2, InverseSqrt, OuterProd, CTCLoss, of ByIndices for other axes than 0, the second gradient of a slice, and the
//     gradient of Concat where slices of more than 255 rows look alike; that of GroupNorm, which writes to the log
//   - Dropout and the random nodes, which no seed controls, and BatchNorm, whose statistics no program sees: use those of package op
//   - YOLOv3, which takes the wrong anchors
//
// The tests hold the others to references, and show the wrong numbers of most refused ones. Held are all pointwise functions and
// comparisons, the products, reductions, SoftMax, Sparsemax, transposing, slicing, reshaping, Concat, ByIndices, Broadcast, Im2Col,
// Conv2d, MaxPool2D and Upsample2D with their gradients; CTCLoss, GroupNorm, GlobalAveragePool2D, DiagFlat and At without.
//
// Some things cannot be seen from here. Inside one expression Gorgonia takes ops for equal whose hashes are, such as SoftMax and LogSoftMax of
// one node, or slices whose bounds differ by 256: import such ops one by one. Its AveragePool1D is its MaxPool1D. MaxPool2D passes over NaN
// and −Inf.
//
// # Our graphs in Gorgonia
//
// [Export] returns a graph as an ExprGraph, to be drawn with ToDot or run on a TapeMachine as a check.
//
// # Gorgonia's solvers
//
// [Optimizer] has a trainer use any Gorgonia solver.
//
// # Tensors
//
// Values go in and out as tensor.Dense, in most places with no copy: programs read feeds in place, op.Variable.Dense is a tensor over a
// parameter's own memory, op.BufferOf and op.Buffer.Dense turn one into the other, and Graph.Constant and Predictor.Predict copy.
package gorgop
