//go:build (!amd64 && !arm64) || purego

package kernel

// winogradTransforms returns the transforms for this CPU.
func winogradTransforms() *winogradTable { return &winogradPlain }
