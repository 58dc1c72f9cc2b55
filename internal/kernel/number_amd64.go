//go:build !purego

package kernel

// haveNumbers reports whether the assembly, where there is any, has the functions that compare, choose and convert numbers, and powers.
const haveNumbers = true
