package kernel

// WinogradFilters are the filters of a convolution, transformed: sixteen planes of (Filters, Channels/Groups).
type WinogradFilters struct {
	apply  *winogradTable
	shape  ConvShape
	turned bool
	w, u   []float32
	rows   int // filters of a part

	scratch Scratch[[]float32] // nine planes of taps
}

// filterPairs is the pairs of a filter and a channel that are transformed at a time.
const filterPairs = 256

// Transform transforms the filters w of a convolution, on at most threads threads of the team.
func (t *WinogradFilters) Transform(s ConvShape, w []float32, team *Team, threads int) {
	t.transform(s, w, false, team, threads)
}

// transform transforms the filters w of a convolution of the shape, or turned ones: then w are those of the convolution whose adjoint it is.
func (t *WinogradFilters) transform(s ConvShape, w []float32, turned bool, team *Team, threads int) {
	channels, _ := s.group()
	t.apply, t.shape, t.w, t.turned = winogradTransforms(), s, w, turned
	Grow(&t.u, winogradPlanes*s.Filters*channels)
	t.rows = max(1, 8*filterPairs/channels)
	parts := ceilDiv(s.Filters, t.rows)
	t.scratch.Prepare(min(threads, parts), growTaps)
	team.Run(threads, parts, t)
	t.w = nil
}

// growTaps makes room for the taps of the filters of a part.
func growTaps(g *[]float32) { Grow(g, 9*filterPairs) }

// plane returns the rows of a plane, from a filter on, and from channel p on.
func (t *WinogradFilters) plane(i, filter, p int) []float32 {
	channels, _ := t.shape.group()
	return t.u[:cap(t.u)][(i*t.shape.Filters+filter)*channels+p:]
}

// Do transforms some filters.
func (t *WinogradFilters) Do(part int) {
	number, space := t.scratch.Take()
	defer t.scratch.Release(number)
	g := (*space)[:cap(*space)]
	channels, filters := t.shape.group()
	first := part * t.rows
	pairs := (min(first+t.rows, t.shape.Filters) - first) * channels
	for q := 0; q < pairs; q += filterPairs {
		n, at := min(filterPairs, pairs-q), first*channels+q
		if t.turned {
			t.turn(g, at, n, channels, filters)
		} else {
			taps(t.w[9*at:], n, g)
		}
		t.apply.filters(n, g, filterPairs, t.u[:cap(t.u)][at:], t.shape.Filters*channels)
	}
}

// taps brings n filters of nine taps into planes.
func taps(w []float32, n int, g []float32) {
	for q := range n {
		from := (*[9]float32)(w[9*q:])
		to := g[q : 8*filterPairs+q+1]
		for i, x := range from {
			to[i*filterPairs] = x
		}
	}
}

// turn brings n pairs from the one at on into planes, turned by half a circle: pair (c, f) of a group is filter f's channel c in w.
func (t *WinogradFilters) turn(g []float32, at, n, channels, filters int) {
	for q := range n {
		row, f := (at+q)/channels, (at+q)%channels
		group, c := row/filters, row%filters
		from := (*[9]float32)(t.w[((group*channels+f)*filters+c)*9:])
		to := g[q : 8*filterPairs+q+1]
		for i, x := range from {
			to[(8-i)*filterPairs] = x
		}
	}
}
