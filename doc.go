// Package paddle trains, evaluates, saves and serves neural networks inside a Go program.
//
// # From a model to a service
//
// A model is a struct of layers (package layer) with a method that builds its output from its inputs (package op). There are five
// phases, and the package's Example goes through all of them:
//
//  1. Build: op.NewGraph(net) names the parameters by field path; inputs, layers and ops make nodes; the loss is one of them.
//     Nothing is computed yet and no call can fail: the first mistake is kept, with its line in the user's code.
//  2. Compile: [NewTrainer] and [NewPredictor] return that mistake, or a program with planned memory for every batch size. A
//     trainer builds the gradients and the updates of its [Optimizer]; passes ([ClipGlobalNorm], [L2], [Accumulate], [Only], …) extend it.
//  3. Train: [Trainer.Fit] runs over the epochs of a reader (package datasets), with validation, events, progress and checkpoints;
//     or the program calls [Trainer.Step] in a loop of its own.
//  4. Save: [Save] writes the model, [Trainer.Save] the whole state of the training, both atomically.
//  5. Serve: [Load] fills a model, and a [Predictor] answers from any number of goroutines at any batch size.
//
// # Glossary
//
//   - Node: a value in a graph, with an element type and a shape.
//   - Op: an operation; a layer is ops with parameters of its own.
//   - Parameter: a value that training changes; a Variable is any value that outlives a run.
//   - Batch: the samples of one step; op.Batch is their number, known at run time only.
//   - Step: forward, gradient and update on one batch. Update: a step that was applied. Epoch: one pass over the data.
//   - Program: a compiled graph. Pass: a rewriting of a training program before it is compiled.
//   - Feeds: the inputs of a run, tensors by name.
//
// # Guarantees
//
// Results are the same bits at any GOMAXPROCS on CPUs with the same features, and after a resume from a checkpoint. Steady-state training
// and inference allocate nothing. A step that fails or is cancelled changes nothing. Mistakes in building and feeding are
// errors, not panics; a panic in a handler or a reader of the program's own passes through Fit.
package paddle
