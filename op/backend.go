package op

// MaxRank is the most axes that a node may have.
const MaxRank = 8

// Backend is the arithmetic of one kind of device: every built-in op reaches its kernels through it, so that another device can be
// added beside the CPU without touching an op. A Backend belongs to one running program at a time and keeps its own
// scratch memory, so that no call allocates once the sizes have been seen.
//
// Buffers are contiguous; floats are Float32 or Float64, all float arguments of one call alike. Shapes were checked when the graph
// was built: a call trusts them, and it validates only what it cannot know before the run, such as ids and labels, before it writes
// anything. Results are the same bits at any number of threads. An output may share memory with an input only where a method says so.
//
// A buffer that is a variable's may have a place for what the Backend makes of its value (Buffer.Derived). MatMul keeps b there, and
// the recurrent layers their W, packed as the kernels read them; the results are the same bits.
type Backend interface {
	SegmentBackend

	RecurrentBackend

	AttentionBackend

	LayerNormBackend

	BatchNormBackend

	// Parallel calls body over parts of [0, n), each of at least grain elements but the last, on the program's threads.
	// The parts depend on n and grain only. It is for ops written outside of this package; body must not keep state between parts,
	// nor call the Backend.
	Parallel(n, grain int, body func(lo, hi int))

	// Fill sets every element of y to v, converted to y's type.
	Fill(y Buffer, v float64)
	// Cast converts x to y's type, element by element: floats to integers truncate toward zero, anything to Bool is x ≠ 0.
	Cast(x, y Buffer)
	// Copy moves a strided block of x to a strided block of y, of any type: transposing, slicing, padding, tiling, joining.
	Copy(m Move, x, y Buffer)

	// Unary computes y = f(x); y may be x. a and b are the function's constants.
	Unary(f UnaryFunc, a, b float64, x, y Buffer)
	// UnaryGrad computes dx = dy · f'(x). x or y is nil where the function does not need it (see UnaryFunc.Needs). dx may be dy.
	UnaryGrad(f UnaryFunc, a, b float64, x, y, dy, dx Buffer)
	// Binary computes y = f(a, b) with NumPy's broadcasting of a and b to y's shape. Comparisons give Bool. y may be an input
	// that has y's shape and type.
	Binary(f BinaryFunc, a, b, y Buffer)
	// Where computes y = a where c is true, else b, with broadcasting of all three.
	Where(c, a, b, y Buffer)
	// Reduce reduces the axes of x whose bit is set in axes (bit i is axis i); y has the elements of the other axes, in order.
	Reduce(f ReduceFunc, axes uint32, x, y Buffer)
	// Arg writes to y (Int32) the index along axis of the greatest (max) or least element of x, the first of equals; NaN wins.
	Arg(max bool, axis int, x, y Buffer)

	// MatMul computes y = act(op(a)·op(b) + bias), for every matrix of the batch. bias is nil, or one value per column of y.
	// With g.Accumulate y += op(a)·op(b).
	MatMul(g MatMulSpec, a, b, bias, y Buffer)
	// Conv2D computes y = act(conv(x, w) + bias); x (batch, channels, height, width), w (filters, channels/groups, kernel height,
	// kernel width), bias nil or (filters).
	Conv2D(c ConvSpec, x, w, bias, y Buffer)
	// Conv2DGradInput computes the gradient of Conv2D for x.
	Conv2DGradInput(c ConvSpec, w, dy, dx Buffer)
	// Conv2DGradFilter computes the gradient of Conv2D for w.
	Conv2DGradFilter(c ConvSpec, x, dy, dw Buffer)
	// MaxPool2D takes the greatest element of each window; padding never wins. index (Int32, y's shape) gets its place in the
	// (height, width) plane, the first of equals; index may be nil. NaN wins over numbers.
	MaxPool2D(p PoolSpec, x, y, index Buffer)
	// MaxPool2DGrad adds dy to dx at the recorded places, after clearing dx.
	MaxPool2DGrad(p PoolSpec, index, dy, dx Buffer)
	// AvgPool2D takes the mean of each window, over the window's elements inside the input unless p.CountPadding.
	AvgPool2D(p PoolSpec, x, y Buffer)
	// AvgPool2DGrad is the gradient of AvgPool2D.
	AvgPool2DGrad(p PoolSpec, dy, dx Buffer)

	// Softmax computes the softmax, or with log its logarithm, over the last axis; y may be x.
	Softmax(log bool, x, y Buffer)
	// SoftmaxGrad is the gradient of Softmax, from its result y; dx may be dy.
	SoftmaxGrad(log bool, y, dy, dx Buffer)
	// LogSumExp computes y = log Σ exp(x) over the last axis: −Inf where all are −Inf.
	LogSumExp(x, y Buffer)
	// CrossEntropy takes logits (rows, classes) and labels (rows; Int32 or Int64). For each row whose label is not ignore it computes
	// loss = logsumexp(logits) − logits[label], and 0 for the others, with the log-sum-exp of every row in lse.
	// It returns the number of rows that count. A label outside [0, classes) that is not ignore is a *RangeError, before any write.
	CrossEntropy(ignore int64, logits, labels, loss, lse Buffer) (count int, err error)
	// CrossEntropyGrad computes dx[i,j] = (exp(logits[i,j] − lse[i]) − [j = label]) · (scale + dloss[i]), and 0 for ignored rows.
	// dloss may be nil. dx may be logits.
	CrossEntropyGrad(ignore int64, scale float64, logits, labels, lse, dloss, dx Buffer)
	// NLL takes log-probabilities logp (rows, classes) and computes loss[i] = −logp[i, label], as CrossEntropy.
	NLL(ignore int64, logp, labels, loss Buffer) (count int, err error)
	// NLLGrad computes dx[i,j] = −[j = label] · (scale + dloss[i]), and 0 for ignored rows. dloss may be nil.
	NLLGrad(ignore int64, scale float64, labels, dloss, dx Buffer)

	// Gather copies row ids[i] of table (rows, width…) to row i of y. Rows of the padding id become zero (padding < 0: none).
	// An id outside [0, rows) is a *RangeError, before any write.
	Gather(padding int64, table, ids, y Buffer) error
	// ScatterAdd adds row i of rows to row ids[i] of y, in the order of i; rows of the padding id are passed over.
	ScatterAdd(padding int64, ids, rows, y Buffer)
	// MergeRows sums the rows of equal ids: outIDs gets the distinct ids in ascending order, outRows their sums (added in the
	// order of i); it returns their count. Rows of the padding id are left out.
	MergeRows(padding int64, ids, rows, outIDs, outRows Buffer) (count int)

	// Uniform fills y with uniform numbers in [lo, hi); Normal with a normal distribution. Element i depends on key and i only.
	Uniform(key Key, lo, hi float64, y Buffer)
	// Normal fills y with normally distributed numbers.
	Normal(key Key, mean, deviation float64, y Buffer)
	// Dropout sets each element of y to 0 with probability p, else to x/(1−p); which ones depends on key and place only, so that
	// the same call on a gradient is the gradient. p = 1 gives zeros. y may be x.
	Dropout(key Key, p float64, x, y Buffer)

	// SumSquares returns Σ x², accumulated in float64 in a fixed order.
	SumSquares(x Buffer) float64

	// UpdateSGD computes w ← w − lr·g. With ids (not nil) g holds the rows of w that ids names, each once; so in all updates.
	UpdateSGD(w, ids, g Buffer, lr float64)
	// UpdateMomentum computes v ← μ·v + g, then w ← w − lr·v, or w ← w − lr·(g + μ·v) with Nesterov.
	UpdateMomentum(w, ids, g, v Buffer, s MomentumSpec)
	// UpdateAdam computes one step of Adam (Kingma and Ba, 2015) with decoupled decay (Loshchilov and Hutter, 2019).
	UpdateAdam(w, ids, g, m, v Buffer, s AdamSpec)
	// UpdateAdaGrad computes a ← a + g², then w ← w − lr·g/(√a + ε) (Duchi, Hazan and Singer, 2011).
	UpdateAdaGrad(w, ids, g, a Buffer, lr, epsilon float64)
}

// RangeError is an id or a label outside of what it indexes.
type RangeError struct {
	Row   int   // position in the flattened ids or labels
	Value int64 // what stands there
	Limit int   // valid values are 0 to Limit−1
}

// Key selects a stream of counter-based random numbers: the graph's seed, the op application, and the step.
type Key struct{ Seed, Node, Step uint64 }

// Move describes a copy of a strided block: element (i₀, i₁, …) of Shape goes from x[FromOffset + Σ iₖ·From[k]] to
// y[ToOffset + Σ iₖ·To[k]]. Strides count elements; they may be 0 or negative in From.
type Move struct {
	Rank                 int
	Shape, From, To      [MaxRank]int
	FromOffset, ToOffset int
}

// MatMulSpec describes Batch products of op(a) (M, K) and op(b) (K, N), where op transposes as asked. The matrices of a batch
// follow one another; with SharedA or SharedB all use the first one.
type MatMulSpec struct {
	M, N, K, Batch   int
	TransA, TransB   bool
	SharedA, SharedB bool
	Accumulate       bool
	Act              Activation
}

// Activation is a function that a kernel applies to its result while it is at hand.
type Activation uint8

// The activations of kernels with an epilogue. Each gives the same bits as the UnaryFunc of its name.
const (
	NoActivation Activation = iota
	ActReLU
	ActSigmoid
	ActTanh
)

// ConvSpec holds the sizes of a two-dimensional convolution.
type ConvSpec struct {
	Batch, Channels, Height, Width       int // input
	Filters, OutHeight, OutWidth         int // output
	KernelHeight, KernelWidth            int
	StrideHeight, StrideWidth            int
	DilationHeight, DilationWidth        int
	PadTop, PadBottom, PadLeft, PadRight int
	Groups                               int
	Act                                  Activation
}

// PoolSpec holds the sizes of a two-dimensional pooling.
type PoolSpec struct {
	Batch, Channels, Height, Width, OutHeight, OutWidth int
	KernelHeight, KernelWidth                           int
	StrideHeight, StrideWidth                           int
	PadTop, PadBottom, PadLeft, PadRight                int
	CountPadding                                        bool
}

// ChannelSpec splits a buffer into (Outer, Channels, Inner), row-major.
type ChannelSpec struct{ Outer, Channels, Inner int }

// MomentumSpec holds the constants of UpdateMomentum.
type MomentumSpec struct {
	LearningRate, Momentum float64
	Nesterov               bool
}

// AdamSpec holds the constants of UpdateAdam: m ← β₁m + (1−β₁)g; v ← β₂v + (1−β₂)g²;
// w ← w − lr·( m/(1−β₁ᵗ) / (√(v/(1−β₂ᵗ)) + ε) + decay·w ).
type AdamSpec struct {
	LearningRate, Beta1, Beta2, Epsilon float64
	Decay                               float64
	Step                                int64 // t, 1 in the first step
}

// UnaryFunc names a function of one number with up to two constants a and b.
type UnaryFunc uint8

// The unary functions. Those marked y take their derivative from the result, the others from x.
const (
	UnaryNeg  UnaryFunc = iota
	UnaryAbs            // derivative 0 at 0
	UnarySign           // −1, 0, 1; derivative 0
	UnarySquare
	UnarySqrt       // y
	UnaryRsqrt      // y; 1/√x
	UnaryReciprocal // y
	UnaryExp        // y
	UnaryExpm1      // y
	UnaryLog
	UnaryLog1p
	UnarySin
	UnaryCos
	UnaryErf
	UnarySigmoid   // y
	UnaryTanh      // y
	UnaryReLU      // y; derivative 0 at 0; NaN stays NaN
	UnaryLeakyReLU // a·x for x < 0 (x); derivative a at 0
	UnaryELU       // a(eˣ−1) for x < 0
	UnaryGELU      // x·Φ(x), exact (Hendrycks and Gimpel, 2016)
	UnaryGELUTanh  // its tanh approximation
	UnarySiLU      // x·σ(x)
	UnarySoftplus  // log(1+eˣ), without overflow
	UnarySoftsign  // x/(1+|x|)
	UnarySTanh     // y; a·tanh(b·x); Paddle: 1.7159, 2/3
	UnaryClip      // min(max(x, a), b); derivative 1 on [a, b]
	UnaryAddConst  // x + a
	UnaryMulConst  // a·x
	UnaryPowConst  // xᵃ
	UnaryFloor     // derivative 0, so of the next ones
	UnaryCeil
	UnaryRound    // half to even
	UnaryIsFinite // Bool
	UnaryNot      // Bool to Bool
)

// Needs reports whether the derivative of f is computed from its argument x or from its result y; neither where it is constant.
func (f UnaryFunc) Needs() (x, y bool) {
	switch f {
	case UnaryNeg, UnarySign, UnaryAddConst, UnaryMulConst, UnaryFloor, UnaryCeil, UnaryRound, UnaryIsFinite, UnaryNot:
		return false, false
	case UnarySqrt, UnaryRsqrt, UnaryReciprocal, UnaryExp, UnaryExpm1, UnarySigmoid, UnaryTanh, UnaryReLU, UnarySTanh:
		return false, true
	}
	return true, false
}

// BinaryFunc names a function of two numbers.
type BinaryFunc uint8

// The binary functions. Max and Min give NaN if an input is NaN. Those from Equal on give Bool.
const (
	BinaryAdd BinaryFunc = iota
	BinarySub
	BinaryMul
	BinaryDiv // integers: toward zero, x/0 = 0
	BinaryPow
	BinaryMax
	BinaryMin
	BinaryLogisticLoss  // floats: max(a, 0) − a·b + log(1+e^−|a|), of the logit a and the target b
	BinaryLogisticSlope // floats: its derivative for a, σ(a) − b
	BinaryEqual
	BinaryNotEqual
	BinaryLess
	BinaryLessEqual
	BinaryGreater
	BinaryGreaterEqual
	BinaryAnd // Bool
	BinaryOr  // Bool
	BinaryXor // Bool
)

// ReduceFunc names a reduction.
type ReduceFunc uint8

// The reductions. Of no elements: Sum 0, Mean 0, Prod 1, Max −Inf (or the least integer), Min +Inf (the greatest), All true,
// Any false.
const (
	ReduceSum ReduceFunc = iota
	ReduceMean
	ReduceMax
	ReduceMin
	ReduceProd
	ReduceAll // Bool
	ReduceAny // Bool
)
