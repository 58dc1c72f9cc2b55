// Package optest checks operations: those of paddle/op, and those that users write.
//
// A test of an op is a Case or a few: how to build the op, what goes in, and what should come out. Check builds each case in Float64
// and in Float32 and holds it to nine rules.
//
//  1. Infer promises the shape that Run fills: every element of an output is written, and nothing beside it.
//  2. The outputs are those that the case wants, or those of its reference function.
//  3. No input is changed, bit for bit, by the forward or the backward run; where the op may work in place, it gives the same bits
//     there.
//  4. A second run gives the same bits, and so do two threads, and a program that op.Optimize has rewritten.
//  5. The gradient is right: for random v and dout, ⟨dout, J·v⟩ by central differences in float64 equals ⟨dx, v⟩. The Float32 gradient
//     agrees with the Float64 one, and each output may be the only one that is used.
//  6. Nothing is computed for inputs that want no gradient.
//  7. One program serves other values and other batch sizes, in any order.
//  8. Two applications of the op to the same inputs stay two.
//  9. Misuse is an error, never a panic: nil, failed and foreign inputs for every case, and what the case documents, word for word.
//
// Check sees an op from outside only, as a program does; the same cases hold for an op that is a composition of others, for one that runs a
// body, and for a layer with parameters.
package optest
