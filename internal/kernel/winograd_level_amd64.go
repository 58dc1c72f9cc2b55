//go:build !purego

package kernel

// winogradTransforms returns the transforms for this CPU.
func winogradTransforms() *winogradTable {
	switch {
	case haveAVX512:
		return &winogradAVX512
	case haveVectors:
		return &winogradAVX2
	}
	return &winogradPlain
}

var winogradAVX2 = winogradTable{
	columns: winogradColumns_32,
	patches: winogradPatches_32,
	grads:   winogradGrads_32,
	tiles:   winogradTiles_32,
	filters: winogradFilters_32,
	taps:    winogradTaps_32,
}

var winogradAVX512 = winogradTable{
	columns: winogradColumns_32_avx512,
	patches: winogradPatches_32_avx512,
	grads:   winogradGrads_32_avx512,
	tiles:   winogradTiles_32_avx512,
	filters: winogradFilters_32_avx512,
	taps:    winogradTaps_32_avx512,
}
