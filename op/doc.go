// Package op is the graph: nodes, the operations between them, their gradients, and the parameters of a model.
//
// A [Graph] is built by calling functions on nodes and compiled by package paddle:
//
//	g := op.NewGraph(net)                                  // names the model's parameters by field path
//	image := g.Input("image", op.Float32, op.Batch, 784)   // op.Batch: a symbol, any number at run time
//	logits := net.Forward(image)
//	loss := op.CrossEntropy(logits, g.Input("label", op.Int32, op.Batch))
//
// The package serves three readers, and its index has all of them in one list:
//
//   - Whoever writes a model needs [NewGraph], [Graph.Input], the functions that take and return *[Node] ([MatMul], [Conv2D], [ReLU],
//     [CrossEntropy], …), [Parameter], the Init types, and in a layer of one's own [Enter] and [Scope].
//   - Whoever writes an operation needs [Op], [Apply], [Shapes], [Env], [Buffer], [Backend], and [Differentiable] for its gradient;
//     [Traits], [Inferencer] and [Costed] where they help.
//   - Whoever writes an optimizer or a pass needs [TrainingGraph], the Update functions, [Assign], [Pass], [Graph.Calls],
//     [Graph.Substitute] and [Graph.Derive]. [Copy], [Schedule], [Optimize] and [Sizes] serve package paddle.
//
// # Mistakes
//
// Building never panics and never returns nil. A nil node, a node of another graph or a shape that does not fit makes a failed node,
// everything built from it fails too, and compiling returns the first mistake with its place in the user's code:
//
//	main.go:31: layer.FC out: input "image" has shape (4, 3), want (batch, 5)
//
// # Dimensions
//
// A [Dim] is a number, a symbol ([Batch], [Graph.Dim]), an expression of symbols, or a count that an op finds while it runs. One compiled
// program serves every number behind a symbol. Shapes are compared as expressions: (batch, 5) fits (batch, 5) only.
//
// # Operations
//
// An [Op] infers shapes, runs on typed memory ([Buffer]) through the kernels of a [Backend], and builds its own gradient. Users write
// their own with [Apply]; package op/optest holds them to the rules that the built-in ones keep. [Scan] is an op with a graph inside.
//
// # Training
//
// [Gradient] builds gradients as further nodes. Updates are ops too ([UpdateAdam] and others): they write [Variable]s, and each has a
// condition, so that a step can be skipped as a whole. A [Pass] rewrites a training program while [BuildTraining] makes it; [Optimize]
// fuses and merges. A gradient may be sparse ([Rows]): rows of a table by id.
package op
