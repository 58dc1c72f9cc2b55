//go:build !amd64 || purego

package main

const (
	haveFMA      = false
	flopsOfRound = 0
)

func multiplyAdds(int) {}
