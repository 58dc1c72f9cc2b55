package op_test

import (
	"context"
	"testing"

	"paddle/internal/exec"
	"paddle/op"
)

// Random initial values of a type that is only stored are those of float32, rounded.
func TestInitOfShortTypes(t *testing.T) {
	for _, d := range []op.DType{op.BFloat16, op.Float16} {
		for name, init := range map[string]op.Init{"uniform": op.InitUniform{Low: -1, High: 1}, "normal": op.InitNormal{Deviation: 2}, "Xavier": op.InitXavier{}} {
			net := &struct{ Table *op.Parameter }{}
			values := func(d op.DType) (out []float32) {
				net.Table = nil
				g := op.NewGraph(net)
				if err := net.Table.Define(d, init, 5, 3); err != nil {
					t.Fatal(err)
				}
				p, err := exec.Compile(g, []*op.Node{op.Cast(g.ReadParameter(net.Table), op.Float32)}, exec.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if err := p.Run(context.Background(), nil, 0, func(o []op.Buffer) error { out = append(out, o[0].Float32s()...); return nil }); err != nil {
					t.Fatal(err)
				}
				return out
			}
			want := values(op.Float32)
			for i, x := range values(d) {
				if diff := x - want[i]; diff < -0.02 || diff > 0.02 {
					t.Errorf("%s, %v: element %d is %v, want about %v", name, d, i, x, want[i])
				}
			}
		}
	}
}
