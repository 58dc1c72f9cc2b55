package op

// Fold returns the key of part n of what k is the key of: a step in time.
func (k Key) Fold(n uint64) Key {
	h := k.Seed ^ (n+1)*0x9e3779b97f4a7c15 // the finaliser of SplitMix64 (Steele, Lea and Flood, 2014)
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	k.Seed = h ^ h>>31
	return k
}

// EqualSteps returns the starts of a Scan over steps steps of the same number of rows: 0, rows, 2·rows, … (steps+1).
func (g *Graph) EqualSteps(steps, rows Dim) *Node { return g.Apply(equalSteps{steps, rows})[0] }

type equalSteps struct{ Steps, Rows Dim }

func (equalSteps) Name() string { return "equal_steps" }

func (o equalSteps) Infer(s *Shapes) ([]Spec, error) {
	return []Spec{{Int32, []Dim{s.AddConst(o.Steps, 1)}}}, s.Arity(0)
}

func (o equalSteps) Run(e *Env, _, out []Buffer) error {
	rows := int32(e.Size(o.Rows))
	for i := range out[0].Int32s() {
		out[0].Int32s()[i] = int32(i) * rows
	}
	return nil
}
