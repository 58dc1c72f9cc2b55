package kernel

// BFloat16Gemm computes the products that Gemm does, C = act(op(A)·op(B) + bias) or with Accumulate C = act(C + op(A)·op(B) + bias), of
// matrices of bfloat16 numbers, the upper halves of float32 ones. Sums, bias and act are of float32, and so is C; or the results are
// rounded to bfloat16, halves to even, if Rounded takes the place of C.
//
// The products of two numbers are exact. An element is within (K+4)·2⁻²⁴·(Σ|a·b| + |bias| + |C|) of its true value before it is rounded.
// Where the CPU has AVX512_BF16, two products are added at a time, and subnormal operands and sums count as 0, which adds at most
// K·2⁻¹²⁶ if no operand is subnormal. Elsewhere the operands are widened, and the bits are those of Gemm.
//
// The bits of an element depend on what those of Gemm do. A BFloat16Gemm keeps its scratch memory from one Run to the next.
type BFloat16Gemm struct {
	M, N, K, Batch int
	A, B           Operand[uint16]
	C              []float32
	Rounded        []uint16 // nil, or C as bfloat16
	CRow, CNext    int
	Bias           []float32 // nil, or N
	Accumulate     bool
	ReLU           bool           // act is max(x, 0)
	Act            Unary[float32] // nil, or another act

	product Gemm[float32]
	a, b    bfloat16Operand
	round   bfloat16Result
}

// Run computes the products on at most threads threads of the team.
func (g *BFloat16Gemm) Run(team *Team, threads int) {
	if g.M == 0 || g.N == 0 || g.Batch == 0 {
		return
	}
	p, k := &g.product, g.K
	kern := tableBFloat16()
	paired := kern != nil
	if paired {
		k = ceilDiv(k, 2)
	} else {
		kern = table32()
	}
	p.M, p.N, p.K, p.Batch = g.M, g.N, k, g.Batch
	p.Bias, p.Accumulate, p.ReLU, p.Act = g.Bias, g.Accumulate, g.ReLU, g.Act
	p.A = g.a.ready(&g.A, g.M, g.K, g.Batch, !g.A.Trans, paired, team, threads)
	p.B = g.b.ready(&g.B, g.N, g.K, g.Batch, g.B.Trans, paired, team, threads)
	p.source = nil
	if paired {
		p.source = g
	}
	defer g.forget()
	if g.Rounded == nil {
		p.C, p.CRow, p.CNext = g.C, g.CRow, g.CNext
		p.run(kern, team, threads)
		return
	}
	p.C, p.CRow, p.CNext = Grow(&g.round.sums, g.Batch*g.M*g.N), g.N, g.M*g.N
	if g.Accumulate {
		g.round.run(g, true, team, threads)
	}
	p.run(kern, team, threads)
	g.round.run(g, false, team, threads)
}

// forget lets go of the operands.
func (g *BFloat16Gemm) forget() { g.a.from.Data, g.b.from.Data = nil, nil }

// splitLeft brings pairs of a transposed left operand into panels.
func (g *BFloat16Gemm) splitLeft(c panelCut, dst []float32) { g.a.split(c, dst) }

// splitRight brings pairs of a right operand that is not transposed into panels.
func (g *BFloat16Gemm) splitRight(c panelCut, dst []float32) { g.b.split(c, dst) }

// bfloat16Result brings the rows of Rounded into float32, and back.
type bfloat16Result struct {
	gemm  *BFloat16Gemm
	widen bool
	rows  int // of a part
	sums  []float32
}

func (r *bfloat16Result) run(g *BFloat16Gemm, widen bool, team *Team, threads int) {
	r.gemm, r.widen = g, widen
	rows := g.Batch * g.M
	r.rows = rowsOfPart(rows, g.N)
	team.Run(threads, ceilDiv(rows, r.rows), r)
	r.gemm = nil
}

// Do converts the rows of one part.
func (r *bfloat16Result) Do(part int) {
	g := r.gemm
	for i := part * r.rows; i < min((part+1)*r.rows, g.Batch*g.M); i++ {
		half := g.Rounded[i/g.M*g.CNext+i%g.M*g.CRow:][:g.N]
		single := r.sums[:cap(r.sums)][i*g.N:][:g.N]
		if r.widen {
			DecodeBFloat16(half, single)
		} else {
			EncodeBFloat16(single, half)
		}
	}
}

// rowsOfPart returns how many of rows of n elements a part converts, so that it is worth a part.
func rowsOfPart(rows, n int) int {
	return ceilDiv(rows, min(rows, wantedCuts(float64(rows)*float64(n)*memoryWork, 1)))
}
