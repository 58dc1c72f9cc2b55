package kernel

// The kernels in plain Go: for processors without assembly, and the reference that the assembly is tested against.
var (
	plain32 = plainTable[float32]()
	plain64 = plainTable[float64]()
)

// plainLanes is the width of a panel, plainRows the height of a tile: as many sums as stay in the registers of amd64.
const (
	plainLanes = 4
	plainRows  = 2
)

func plainTable[T Float]() *table[T] {
	tiles := []tileFunc[T]{1: plainTile1[T], 2: plainTile2[T]}
	return &table[T]{
		rows: plainRows, cols: plainLanes, lanes: plainLanes,
		kBlock: 256, mBlock: 64,
		full: tiles, narrow: tiles,
		split1: plainSplit[T],
		gather: plainGather[T], scatter: plainScatter[T], transpose: plainTranspose[T],
	}
}

// plainTile1 is the tileFunc of height 1.
func plainTile1[T Float](tiles, k int, a []T, aTile, aRow, aStep int, b []T, bStep int, d []T, dRow, mode int, c []T, cRow, cols int) {
	for t := range tiles {
		var s [plainLanes]T
		for p := range k {
			x, y := a[t*aTile+p*aStep], (*[plainLanes]T)(b[p*bStep:])
			s[0] += T(x * y[0])
			s[1] += T(x * y[1])
			s[2] += T(x * y[2])
			s[3] += T(x * y[3])
		}
		plainStore(&s, d, t*dRow, mode, c[t*cRow:][:cols])
	}
}

// plainTile2 is the tileFunc of height 2.
func plainTile2[T Float](tiles, k int, a []T, aTile, aRow, aStep int, b []T, bStep int, d []T, dRow, mode int, c []T, cRow, cols int) {
	for t := range tiles {
		s, u := plainDot2(k, a[t*aTile:], aRow, aStep, b, bStep)
		plainStore(&s, d, 2*t*dRow, mode, c[2*t*cRow:][:cols])
		plainStore(&u, d, (2*t+1)*dRow, mode, c[(2*t+1)*cRow:][:cols])
	}
}

// plainDot2 computes the sums of a tile of two rows.
func plainDot2[T Float](k int, a []T, aRow, aStep int, b []T, bStep int) (s, u [plainLanes]T) {
	var s0, s1, s2, s3, u0, u1, u2, u3 T
	for p := range k {
		x, z, y := a[p*aStep], a[p*aStep+aRow], (*[plainLanes]T)(b[p*bStep:])
		s0 += T(x * y[0])
		s1 += T(x * y[1])
		s2 += T(x * y[2])
		s3 += T(x * y[3])
		u0 += T(z * y[0])
		u1 += T(z * y[1])
		u2 += T(z * y[2])
		u3 += T(z * y[3])
	}
	return [plainLanes]T{s0, s1, s2, s3}, [plainLanes]T{u0, u1, u2, u3}
}

// plainStore writes one row of a tile, with what mode adds to it; at is the row's place in d.
func plainStore[T Float](s *[plainLanes]T, d []T, at, mode int, c []T) {
	switch mode &^ thenReLU {
	case addMatrix:
		for j := range c {
			s[j] += d[at+j]
		}
	case addRows:
		for j := range c {
			s[j] += d[at]
		}
	}
	if mode&thenReLU != 0 {
		for j, v := range s {
			s[j] = max(v, 0)
		}
	}
	copy(c, s[:])
}

// plainSplit is table.split1.
func plainSplit[T Float](rows, panels int, src []T, srcRow int, dst []T, cols, dstPanel int) {
	for i := range rows {
		for j := range panels {
			*(*[plainLanes]T)(dst[j*dstPanel+i*cols:]) = *(*[plainLanes]T)(src[i*srcRow+j*cols:])
		}
	}
}

// plainGather is table.gather.
func plainGather[T Float](src []T, places, runs []int32, dst []T, dstRow int) {
	for i, place := range places {
		for r := 0; r < len(runs); r += 2 {
			*(*[plainLanes]T)(dst[i*dstRow+int(runs[r+1]):]) = *(*[plainLanes]T)(src[int(place)+int(runs[r]):])
		}
	}
}

// plainScatter is table.scatter.
func plainScatter[T Float](src []T, srcRow int, places, runs []int32, dst []T) {
	for i, place := range places {
		for r := 0; r < len(runs); r += 3 {
			x := src[i*srcRow+int(runs[r+1]):][:runs[r+2]]
			y := dst[int(place)+int(runs[r]):][:len(x)]
			for j, v := range x {
				y[j] += v
			}
		}
	}
}

// plainTranspose is table.transpose.
func plainTranspose[T Float](src []T, rows []int, runs []int32, dst []T, dstRow int) {
	for r := 0; r < len(runs); r += 2 {
		from, to := int(runs[r]), int(runs[r+1])
		for i := range plainLanes {
			x := (*[plainLanes]T)(src[rows[i]+from:])
			for j, v := range x {
				dst[(to+j)*dstRow+i] = v
			}
		}
	}
}
