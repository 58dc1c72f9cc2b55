package kernel

// winogradPlain are the transforms in plain Go.
var winogradPlain = winogradTable{
	columns: plainColumns,
	patches: plainPatches,
	grads:   plainGrads,
	tiles:   plainTiles,
	filters: plainFilters,
	taps:    plainTaps,
}

// plainColumns is winogradTable.columns.
func plainColumns(rows, n int, x []float32, row int, first, second []float32, to int) {
	for r := range rows {
		for i, v := range x[r*row:][:n] {
			if i%2 == 0 {
				first[r*to+i/2] = v
			} else {
				second[r*to+i/2] = v
			}
		}
	}
}

// plainPatches is winogradTable.patches.
func plainPatches(rows, tiles int, x []float32, row, odd int, v []float32, plane int) {
	for r := range rows {
		for t := range tiles {
			var h [4][4]float32 // d·B
			for i := range h {
				d := x[(2*r+i)*row+t:]
				d0, d1, d2, d3 := d[0], d[odd], d[1], d[odd+1]
				h[i] = [4]float32{d0 - d2, d1 + d2, d2 - d1, d1 - d3}
			}
			to := v[r*tiles+t:]
			for j := range 4 {
				to[j*plane] = h[0][j] - h[2][j]
				to[(4+j)*plane] = h[1][j] + h[2][j]
				to[(8+j)*plane] = h[2][j] - h[1][j]
				to[(12+j)*plane] = h[1][j] - h[3][j]
			}
		}
	}
}

// plainGrads is winogradTable.grads.
func plainGrads(rows, tiles int, dy []float32, row, odd int, v []float32, plane int) {
	for r := range rows {
		for t := range tiles {
			var h [2][4]float32
			for i := range h {
				d := dy[(2*r+i)*row+t:]
				h[i] = [4]float32{d[0], d[0] + d[odd], d[0] - d[odd], d[odd]}
			}
			to := v[r*tiles+t:]
			for j := range 4 {
				to[j*plane] = h[0][j]
				to[(4+j)*plane] = h[0][j] + h[1][j]
				to[(8+j)*plane] = h[0][j] - h[1][j]
				to[(12+j)*plane] = h[1][j]
			}
		}
	}
}

// plainTiles is winogradTable.tiles.
func plainTiles(rows, tiles int, m []float32, plane int, bias float32, relu bool, y []float32, row, height, width int) {
	for r := range rows {
		for t := range tiles {
			var s [4][2]float32 // m·A
			for i := range s {
				m := m[4*i*plane+r*tiles+t:]
				s[i] = [2]float32{m[0] + m[plane] + m[2*plane], m[plane] - m[2*plane] - m[3*plane]}
			}
			for j := range min(2, width-2*t) {
				out := [2]float32{s[0][j] + s[1][j] + s[2][j] + bias, s[1][j] - s[2][j] - s[3][j] + bias}
				for i := range min(2, height-2*r) {
					if relu && !(out[i] > 0) && out[i] == out[i] {
						out[i] = 0
					}
					y[(2*r+i)*row+2*t+j] = out[i]
				}
			}
		}
	}
}

// plainFilters is winogradTable.filters.
func plainFilters(n int, g []float32, gPlane int, u []float32, uPlane int) {
	for q := range n {
		var t [4][3]float32 // G·g
		for j := range 3 {
			g0, g1, g2 := g[j*gPlane+q], g[(3+j)*gPlane+q], g[(6+j)*gPlane+q]
			sum, mid := (g0+g2)*0.5, g1*0.5
			t[0][j], t[1][j], t[2][j], t[3][j] = g0, sum+mid, sum-mid, g2
		}
		for i, t := range t {
			sum, mid := (t[0]+t[2])*0.5, t[1]*0.5
			for j, x := range [4]float32{t[0], sum + mid, sum - mid, t[2]} {
				u[(4*i+j)*uPlane+q] = x
			}
		}
	}
}

// plainTaps is winogradTable.taps.
func plainTaps(n int, s []float32, sPlane int, g []float32, gPlane int) {
	for q := range n {
		var t [3][4]float32 // Gᵀ·s
		for j := range 4 {
			s0, s1, s2, s3 := s[j*sPlane+q], s[(4+j)*sPlane+q], s[(8+j)*sPlane+q], s[(12+j)*sPlane+q]
			sum := (s1 + s2) * 0.5
			t[0][j], t[1][j], t[2][j] = sum+s0, (s1-s2)*0.5, sum-s3
		}
		for i, t := range t {
			sum := (t[1] + t[2]) * 0.5
			for j, x := range [3]float32{sum + t[0], (t[1] - t[2]) * 0.5, sum - t[3]} {
				g[(3*i+j)*gPlane+q] = x
			}
		}
	}
}
