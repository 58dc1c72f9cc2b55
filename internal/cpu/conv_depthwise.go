package cpu

import "paddle/internal/kernel"

// depthwise computes t, whose operands have been set, on b's threads, and lets go of them.
func depthwise[T kernel.Float](b *Backend, t *kernel.Depthwise[T]) {
	t.Run(b.team, b.threads)
	t.X, t.W, t.Bias, t.Y, t.DX, t.DY, t.DW = nil, nil, nil, nil, nil, nil, nil
}
