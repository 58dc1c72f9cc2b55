// Package sequence is for samples that are sequences, each of its own length: sentences, sessions, signals. Nothing is ever padded.
//
// A batch of sequences is the rows of all samples one after another, and the samples' lengths. Node is such a value in a graph; it is a
// type of its own, so that a layer over time cannot be given plain rows by mistake, nor the other way round. One graph serves
// all lengths, from 0 up.
//
//	words := sequence.Input(g, "words", op.Int32)  // ids of all sentences in a row
//	x := words.Map(net.Words.Forward)              // layers that work on rows: lengths stay as they are
//	h := net.LSTM.Forward(x)                       // layers that walk over time take and return a *Node
//	logits := net.Out.Forward(sequence.Last(h))    // (batch, classes): one row a sample
//
// On the host, a Batch is rows and lengths made of one slice a sample, and feeds them; Cut divides fetched rows into one slice a sample again.
//
// # Two orders of the same rows
//
// Rows are fed and fetched sample by sample. What walks over time wants them time-major: all first tokens, then all second
// tokens, …, with the samples sorted by length, longest first (equal lengths keep their order). Then the samples that reach step n+1
// are the first of those that reach step n, so that a recurrent state is a matrix that shrinks from below: there are no masks, and
// the work is the sum of the lengths. Pack computes this order. A Node keeps whichever of the two forms it was made in and makes the other
// when something asks for it; row-wise work runs on the form at hand. None of it shows in results: outputs and
// final states come back in the caller's order.
//
// # Where things are
//
//   - Input, New, Node, Nested: values; Batch: the host's side
//   - Map, Combine: row-wise work, such as layers
//   - Max, Mean, Sum, RootMean, Last, First, …: one row a sequence
//   - Expand, Concat, Slice, Reverse, Softmax, …: sequences from sequences
//   - Group: a step written by hand, with memories (PaddlePaddle's recurrent_group)
//   - LSTM, GRU, RNN: fused recurrent layers without parameters; package layer has those with
//
// Source of the method: PaddlePaddle's SequenceToBatch (2016), and the sorted batches of cuDNN's packed sequences (2016).
package sequence
