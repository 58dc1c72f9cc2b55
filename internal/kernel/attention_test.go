package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// attention is a self-attention with random operands.
type attention[T Float] struct {
	AttentionShape
	in, dy []T
}

func newAttention[T Float](r *rand.Rand, s AttentionShape) *attention[T] {
	n := s.Batch * s.Length * s.wide()
	return &attention[T]{s, random[T](r, 3*n), random[T](r, n)}
}

// eachAttention calls f with small shapes of all kinds, and with some whose heads have several blocks.
func eachAttention[T Float](f func(a *attention[T])) {
	r := rand.New(rand.NewPCG(11, 12))
	shapes := []AttentionShape{{1, 400, 1, 3, 0.5}, {2, 250, 2, 9, 0.3}, {0, 3, 2, 4, 1}, {3, 0, 2, 4, 1}, {1, 1, 1, 1, 1}}
	for range 40 {
		shapes = append(shapes, AttentionShape{1 + r.IntN(3), 1 + r.IntN(20), 1 + r.IntN(3), 1 + r.IntN(20), r.Float64()})
	}
	for _, s := range shapes {
		f(newAttention[T](r, s))
	}
}

// at returns element (sample, position, part, head, j) of In.
func (a *attention[T]) at(sample, position, part, head, j int) int {
	return (((sample*a.Length+position)*3+part)*a.Heads+head)*a.Width + j
}

// reference computes the weights, the results and the gradient of In by the definition, in float64.
func (a *attention[T]) reference() (weights, y, din []float64) {
	l, w := a.Length, a.Width
	weights, y, din = make([]float64, a.Batch*a.Heads*l*l), make([]float64, len(a.dy)), make([]float64, len(a.in))
	for n := range a.Batch * a.Heads {
		sample, head := n/a.Heads, n%a.Heads
		out := func(i, j int) int { return ((sample*l+i)*a.Heads+head)*w + j }
		in := func(i, part, j int) int { return a.at(sample, i, part, head, j) }
		for i := range l {
			p, dp := weights[(n*l+i)*l:][:l], make([]float64, l)
			total, dot := 0.0, 0.0
			for k := range l {
				score := 0.0
				for j := range w {
					score += float64(a.in[in(i, 0, j)]) * float64(a.in[in(k, 1, j)])
				}
				p[k] = math.Exp(a.Scale * score)
				total += p[k]
			}
			for k := range l {
				p[k] /= total
				for j := range w {
					v, d := float64(a.in[in(k, 2, j)]), float64(a.dy[out(i, j)])
					y[out(i, j)] += p[k] * v
					din[in(k, 2, j)] += p[k] * d
					dp[k] += v * d
				}
				dot += p[k] * dp[k]
			}
			for k := range l {
				d := a.Scale * p[k] * (dp[k] - dot)
				for j := range w {
					din[in(i, 0, j)] += d * float64(a.in[in(k, 1, j)])
					din[in(k, 1, j)] += d * float64(a.in[in(i, 0, j)])
				}
			}
		}
	}
	return weights, y, din
}

// run computes the attention and its gradient.
func (a *attention[T]) run(forward *Attention[T], backward *AttentionGrad[T], threads int) (weights, y, din []T) {
	weights, y, din = make([]T, a.Batch*a.Heads*a.Length*a.Length), make([]T, len(a.dy)), make([]T, len(a.in))
	forward.AttentionShape, forward.In, forward.Weights, forward.Y = a.AttentionShape, a.in, weights, y
	forward.Run(Workers(), threads)
	backward.AttentionShape, backward.In, backward.Weights, backward.DY = a.AttentionShape, a.in, weights, a.dy
	backward.DIn, backward.DScores = din, make([]T, len(weights))
	backward.Run(Workers(), threads)
	return weights, y, din
}

func TestAttention(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		t.Run("float32", testAttention[float32])
		t.Run("float64", testAttention[float64])
	})
}

func testAttention[T Float](t *testing.T) {
	var forward Attention[T]
	var backward AttentionGrad[T]
	eachAttention(func(a *attention[T]) {
		weights, y, din := a.run(&forward, &backward, 1)
		wantWeights, wantY, wantDIn := a.reference()
		for _, c := range []struct {
			name string
			got  []T
			want []float64
		}{{"weights", weights, wantWeights}, {"y", y, wantY}, {"din", din, wantDIn}} {
			for i, v := range c.got {
				if err := math.Abs(float64(v) - c.want[i]); !(err <= 200*epsilon[T]()*(1+math.Abs(c.want[i]))) {
					t.Fatalf("%v: %s[%d] is %v, want %v (error %.3g)", a.AttentionShape, c.name, i, v, c.want[i], err)
				}
			}
		}
		forward.Weights, forward.Y = nil, make([]T, len(y))
		forward.Run(Workers(), 1)
		if !slices.Equal(forward.Y, y) {
			t.Errorf("%v: without weights the results are other bits", a.AttentionShape)
		}
	})
}

func TestAttentionBitsDoNotDependOnThreads(t *testing.T) {
	withProcs(t, 8)
	withKernels(t, func(t *testing.T) {
		a := newAttention[float32](rand.New(rand.NewPCG(13, 14)), AttentionShape{2, 300, 3, 20, 0.2})
		var forward Attention[float32]
		var backward AttentionGrad[float32]
		_, wantY, wantDIn := a.run(&forward, &backward, 1)
		for _, threads := range []int{2, 3, 8} {
			if _, y, din := a.run(&forward, &backward, threads); !sameBits(y, wantY) || !sameBits(din, wantDIn) {
				t.Errorf("%d threads give other bits than one", threads)
			}
		}
	})
}

// The bits are those of the products and of the softmax one after another.
func TestAttentionBits(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		const length, width = 130, 24
		a := newAttention[float32](rand.New(rand.NewPCG(15, 16)), AttentionShape{1, length, 1, width, 0.25})
		weights, y, _ := a.run(new(Attention[float32]), new(AttentionGrad[float32]), 1)
		part := func(i int) Operand[float32] {
			return Operand[float32]{Data: a.in[i*width:], Row: 3 * width, Trans: i == 1}
		}
		scores, result := make([]float32, len(weights)), make([]float32, len(y))
		g := Gemm[float32]{M: length, N: length, K: width, Batch: 1, A: part(0), B: part(1), C: scores, CRow: length}
		g.Run(Workers(), 1)
		MulConst(scores, scores, 0.25, 0)
		for i := range length {
			Softmax(scores[i*length:][:length], scores[i*length:])
		}
		g = Gemm[float32]{M: length, N: width, K: length, Batch: 1, A: Operand[float32]{Data: scores, Row: length}, B: part(2), C: result, CRow: width}
		g.Run(Workers(), 1)
		if !sameBits(weights, scores) || !sameBits(y, result) {
			t.Error("other bits than those of the products")
		}
	})
}

func TestAttentionAllocatesNothing(t *testing.T) {
	withProcs(t, 2)
	withKernels(t, func(t *testing.T) {
		a := newAttention[float32](rand.New(rand.NewPCG(17, 18)), AttentionShape{2, 150, 2, 10, 0.3})
		weights, y, din := make([]float32, 2*2*150*150), make([]float32, len(a.dy)), make([]float32, len(a.in))
		forward := Attention[float32]{AttentionShape: a.AttentionShape, In: a.in, Y: y}
		backward := AttentionGrad[float32]{AttentionShape: a.AttentionShape, In: a.in, Weights: weights, DY: a.dy, DIn: din, DScores: weights}
		if n := allocations(10, func() { forward.Run(Workers(), 2); backward.Run(Workers(), 2) }); n != 0 {
			t.Errorf("10 calls allocate %d times", n)
		}
	})
}
