//go:build !purego

package kernel

// winogradTransforms returns the transforms for this CPU.
func winogradTransforms() *winogradTable {
	if haveVectors {
		return &winogradNEON
	}
	return &winogradPlain
}

var winogradNEON = winogradTable{
	columns: winogradColumns_32,
	patches: winogradPatches_32,
	grads:   winogradGrads_32,
	tiles:   winogradTiles_32,
	filters: winogradFilters_32,
	taps:    winogradTaps_32,
}
