package op

// RecurrentBackend is the arithmetic of recurrent layers over packed sequences, which are never padded.
//
// The sequences of a batch are sorted by length, longest first, and lie step after step: rows Steps[t] to Steps[t+1] of a matrix
// (rows, width) are step t of all sequences that have one, in the order of their ranks. Widths do not grow, so that row Steps[t]+r
// belongs to the sequence of rank r at every step. Steps begins with 0 and has one entry more than there are steps. Sequences without a
// step come last: batch, the first axis of states, may exceed the width of step 0.
//
// With Reverse the sequences are walked from their ends on the same rows: "before" then means step t+1, and every sequence begins with
// its initial state at its own last step.
//
// Letters: hidden is the size of the state, ⊙ the product of elements, σ the logistic function. A Buffer called optional may be nil.
// A row of a result depends on its own sequence only: its bits are those of the sequence alone.
type RecurrentBackend interface {
	// LSTM runs long short-term memory (Hochreiter and Schmidhuber, 1997; forget gate of Gers, Schmidhuber and Cummins, 2000) over all
	// steps. LSTMGrad is its gradient.
	LSTM(a LSTMArgs)
	// LSTMGrad computes the gradients of LSTM, but for that of W: the product of the transposed PreviousRows of H and the new Gates.
	LSTMGrad(a LSTMGradArgs)
	// GRU runs gated recurrent units (Cho et al., 2014) over all steps.
	GRU(a GRUArgs)
	// GRUGrad computes the gradients of GRU, but for those of W and Bias, for which it leaves the factors.
	GRUGrad(a GRUGradArgs)
	// RNN runs simple recurrent units (Elman, 1990) over all steps.
	RNN(a RNNArgs)
	// RNNGrad computes the gradients of RNN, but for that of W: the product of the transposed PreviousRows of H and DGates.
	RNNGrad(a RNNGradArgs)
	// PreviousRows sets the row of y of each step and rank to that of x (rows, width) one step before, or to row rank of first
	// (batch, width; optional, 0) where the sequence begins, times row rank of mask (batch, width; optional). y may not be x.
	PreviousRows(steps []int32, reverse bool, x, first, mask, y Buffer)
}

// LSTMArgs are the arguments of LSTM. From the h and c before it computes, at every step,
//
//	i, f, g, o = x·Wx + b + (Mask⊙h)·W     side by side, in this order
//	i, f = σ(i + Peephole[0]⊙c), σ(f + Peephole[1]⊙c)
//	c = f⊙c + i⊙tanh(g)
//	h = σ(o + Peephole[2]⊙c)⊙tanh(c)
type LSTMArgs struct {
	Steps   []int32 // where each step begins, and the number of rows
	Reverse bool    // walk from the last step to the first

	Gates    Buffer // (rows, 4·hidden); before: x·Wx + b; after: i, f, g and o with their functions applied
	W        Buffer // (hidden, 4·hidden)
	Peephole Buffer // (3, hidden); optional (Gers, Schraudolph and Schmidhuber, 2002)
	Mask     Buffer // (batch, hidden), the same in every step; optional (Gal and Ghahramani, 2016)
	H0, C0   Buffer // (batch, hidden), the initial state; optional: 0

	H, C         Buffer // (rows, hidden), results
	HLast, CLast Buffer // (batch, hidden), the state after each sequence's last step, H0 and C0 without one; optional results
}

// LSTMGradArgs are the arguments of LSTMGrad. The fields of LSTMArgs' names are what LSTM was given and left.
type LSTMGradArgs struct {
	Steps   []int32 // where each step begins, and the number of rows
	Reverse bool    // walk from the last step to the first

	Gates             Buffer // (rows, 4·hidden); before: as LSTM left them; after: the gradient of x·Wx + b
	W, Peephole, Mask Buffer // as in LSTMArgs
	C0, C             Buffer // as in LSTMArgs

	DH, DC         Buffer // (rows, hidden), the gradients of H and C; optional: 0
	DHLast, DCLast Buffer // (batch, hidden), the gradients of HLast and CLast; optional: 0
	DH0, DC0       Buffer // (batch, hidden), results; always there, for they hold the running gradient. They may be DHLast and DCLast
	DPeephole      Buffer // (3, hidden), result; nil if there is no Peephole
}

// GRUArgs are the arguments of GRU. From the h before it computes, at every step, with m = Mask⊙h,
//
//	r, z, n = x·Wx + b        side by side, in this order
//	r, z = σ(r + m·Wr), σ(z + m·Wz)
//	n = tanh(n + (r⊙m)·Wn), or with ResetAfter tanh(n + r⊙(m·Wn + Bias))
//	h = (1−z)⊙n + z⊙h
type GRUArgs struct {
	Steps      []int32 // where each step begins, and the number of rows
	Reverse    bool    // walk from the last step to the first
	ResetAfter bool    // the reset gate comes after the product, as in cuDNN and PyTorch

	Gates Buffer // (rows, 3·hidden); before: x·Wx + b; after: r, z and n with their functions applied
	W     Buffer // (hidden, 3·hidden): Wr, Wz, Wn
	Bias  Buffer // (hidden), with ResetAfter only; optional: 0
	Mask  Buffer // (batch, hidden), the same in every step; optional
	H0    Buffer // (batch, hidden), the initial state; optional: 0

	H     Buffer // (rows, hidden), result
	HLast Buffer // (batch, hidden), the state after each sequence's last step, H0 without one; optional result
	Inner Buffer // (rows, hidden), what GRUGrad needs: m·Wn + Bias with ResetAfter, else r⊙m; optional result
}

// GRUGradArgs are the arguments of GRUGrad. The fields of GRUArgs' names are what GRU was given and left.
//
// With ResetAfter the gradient of W is the product of the transposed PreviousRows of H (with Mask) and DInner, and that of Bias are
// the sums of DInner's last hidden columns. Without, the gradients of Wr and Wz are the same of Gates' columns r and z, and that of
// Wn is the product of the transposed Inner and Gates' columns n.
type GRUGradArgs struct {
	Steps      []int32 // where each step begins, and the number of rows
	Reverse    bool    // walk from the last step to the first
	ResetAfter bool    // as in GRUArgs

	Gates        Buffer // (rows, 3·hidden); before: as GRU left them; after: the gradient of x·Wx + b
	W, Mask      Buffer // as in GRUArgs
	H0, H, Inner Buffer // Inner is read with ResetAfter only

	DH     Buffer // (rows, hidden), the gradient of H; optional: 0
	DHLast Buffer // (batch, hidden), the gradient of HLast; optional: 0
	DH0    Buffer // (batch, hidden), result; always there, for it holds the running gradient. It may be DHLast
	DInner Buffer // (rows, 3·hidden), result with ResetAfter: the gradient of m·W, which is that of Gates but for n
}

// RNNArgs are the arguments of RNN: at every step h = act(x·Wx + b + (Mask⊙h)·W).
type RNNArgs struct {
	Steps   []int32    // where each step begins, and the number of rows
	Reverse bool       // walk from the last step to the first
	Act     Activation // of the state

	H     Buffer // (rows, hidden); before: x·Wx + b; after: the states
	W     Buffer // (hidden, hidden)
	Mask  Buffer // (batch, hidden), the same in every step; optional
	H0    Buffer // (batch, hidden), the initial state; optional: 0
	HLast Buffer // (batch, hidden), the state after each sequence's last step, H0 without one; optional result
}

// RNNGradArgs are the arguments of RNNGrad. The fields of RNNArgs' names are what RNN was given and left.
type RNNGradArgs struct {
	Steps   []int32    // where each step begins, and the number of rows
	Reverse bool       // walk from the last step to the first
	Act     Activation // of the state

	W, Mask, H Buffer // as in RNNArgs

	DH     Buffer // (rows, hidden), the gradient of H; optional: 0
	DHLast Buffer // (batch, hidden), the gradient of HLast; optional: 0
	DH0    Buffer // (batch, hidden), result; always there, for it holds the running gradient. It may be DHLast
	DGates Buffer // (rows, hidden), result: the gradient of x·Wx + b. It may be DH
}
