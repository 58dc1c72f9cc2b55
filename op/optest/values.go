package optest

import (
	"math"
	"math/rand/v2"
)

// point is the values of one run.
type point struct {
	sizes sizes
	in    []Array // of each input
	dout  []Array // of the gradient of each output
	param []Array // of each parameter
}

// with returns the point with another value for input or parameter number k, parameters counting on from the inputs.
func (p *point) with(k int, a Array) *point {
	q := *p
	if k < len(p.in) {
		q.in = append([]Array{}, p.in...)
		q.in[k] = a
	} else {
		q.param = append([]Array{}, p.param...)
		q.param[k-len(p.in)] = a
	}
	return &q
}

// at returns the value of input or parameter number k.
func (p *point) at(k int) Array {
	if k < len(p.in) {
		return p.in[k]
	}
	return p.param[k-len(p.in)]
}

// inputs makes the values of the inputs for the given sizes.
func (c *Case) inputs(s sizes, seed uint64) []Array {
	r := rand.New(rand.NewPCG(seed, 0))
	out := make([]Array, len(c.In))
	cells := 0
	for i := range c.In {
		in := &c.In[i]
		out[i] = NewArray(s.shape(in.Shape)...)
		if in.Values == nil && in.float() {
			cells += len(out[i].Data)
		}
	}
	cells += cells & 1
	order := r.Perm(cells)
	for i := range c.In {
		in := &c.In[i]
		switch {
		case in.Values != nil:
			repeat(out[i], in.Values)
		case in.float():
			n := len(out[i].Data)
			in.spread(r, out[i], order[:n], cells)
			order = order[n:]
		default:
			low, high := in.bounds()
			for j := range out[i].Data {
				out[i].Data[j] = math.Floor(low + r.Float64()*(high-low))
			}
		}
	}
	return out
}

// repeat fills a with values, over and over; of no values it makes zeros.
func repeat(a Array, values []float64) {
	for j := range a.Data {
		if len(values) > 0 {
			a.Data[j] = values[j%len(values)]
		}
	}
}

// spread fills a with random numbers from cells of a grid, of which no two inputs share one. All are float32 numbers, so that both types
// under test begin with the same.
func (in *Input) spread(r *rand.Rand, a Array, cells []int, of int) {
	low, high := in.bounds()
	for j, cell := range cells {
		x := low + (high-low)*(float64(cell)+0.25+r.Float64()/2)/float64(of)
		a.Data[j] = float64(float32(in.away(x, r.Float64())))
	}
}

// away moves x away from the points to avoid.
func (in *Input) away(x, u float64) float64 {
	const margin = 0.02
	for _, p := range in.Avoid {
		if math.Abs(x-p) < margin {
			x = p + math.Copysign(margin*(1+u), x-p)
		}
	}
	return x
}

// random returns numbers from −1 to 1 in the shape of a.
func random(a Array, seed uint64) Array {
	r := rand.New(rand.NewPCG(seed, 1))
	return a.Map(func(float64) float64 { return float64(float32(2*r.Float64() - 1)) })
}
