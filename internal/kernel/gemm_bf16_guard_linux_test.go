package kernel

import "testing"

func TestBFloat16GemmStaysInItsOperands(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		eachHalfProduct(func(p *halfProduct) {
			t.Run("", func(t *testing.T) {
				var g BFloat16Gemm
				p.load(&g)
				g.A.Data, g.B.Data = guarded(t, g.A.Data, front), guarded(t, g.B.Data, front)
				g.Bias, g.C = guarded(t, g.Bias, front), guarded(t, g.C, front)
				rounded := guarded(t, p.start, front)
				for range 2 { // the second time with scratch memory that has grown to what this product needs
					g.Rounded = nil
					g.Run(Workers(), 1)
					g.Rounded = rounded
					g.Run(Workers(), 1)
					g.a.made, g.b.made = guarded(t, full(g.a.made), front), guarded(t, full(g.b.made), front)
					g.round.sums = guarded(t, full(g.round.sums), front)
					for _, s := range g.product.scratch.areas {
						s.own.a, s.own.b, s.own.rows = guarded(t, full(s.own.a), front), guarded(t, full(s.own.b), front), guarded(t, full(s.own.rows), front)
					}
				}
			})
		})
	})
}
