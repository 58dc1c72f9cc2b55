package main

import (
	"fmt"

	"golang.org/x/sys/cpu"

	"paddle/internal/kernel"
)

// product is a matrix product of models that people train: (m, k)·(k, n), with TransA of a first matrix that lies in memory as (k, m), with
// TransB of a second one that lies there as (n, k). peers/measure.h has the same list.
type product struct {
	m, n, k        int
	transA, transB bool
}

var shapes = []product{
	{m: 64, n: 64, k: 64},
	{m: 256, n: 256, k: 256},
	{m: 1024, n: 1024, k: 1024},
	{m: 64, n: 256, k: 784}, // a hidden layer, and its gradients
	{m: 784, n: 256, k: 64, transA: true},
	{m: 64, n: 784, k: 256, transB: true},
	{m: 32, n: 512, k: 128}, // recurrent steps
	{m: 64, n: 2048, k: 512},
	{m: 14000, n: 512, k: 128}, // all tokens of a batch, and the gradient of their weights
	{m: 128, n: 512, k: 14000, transA: true},
	{m: 36864, n: 50, k: 500}, // a convolution as a product
}

func (p product) String() string {
	side := map[bool]string{false: "N", true: "T"}
	return fmt.Sprintf("%dx%dx%d %s%s", p.m, p.n, p.k, side[p.transA], side[p.transB])
}

// products times matrix products. Nothing is kept from one to the next: both matrices are brought into the kernels' order anew.
func products(b *bench) error {
	for _, p := range shapes {
		if err := multiply[float32](b, "f32", p, b.peak); err != nil {
			return err
		}
	}
	for _, p := range shapes {
		if err := multiply[float64](b, "f64", p, b.peak/2); err != nil {
			return err
		}
	}
	if !cpu.X86.HasAVX512BF16 {
		return nil // the products would be those of float32
	}
	for _, p := range shapes {
		if err := multiplyHalves(b, p); err != nil {
			return err
		}
	}
	return nil
}

// multiplyHalves times a product of bfloat16 matrices with sums of float32, of which twice as many are made in the same time.
func multiplyHalves(b *bench, p product) error {
	g := halves(p)
	t, err := b.measure(func() error { g.Run(kernel.Workers(), b.threads); return nil })
	if err != nil {
		return err
	}
	b.reportAt(fmt.Sprintf("gemm bf16 %v", p), t, p.flops(), 2*b.peak)
	return nil
}

// halves returns a product of bfloat16 matrices on random numbers.
func halves(p product) *kernel.BFloat16Gemm {
	rounded := func(o kernel.Operand[float32]) kernel.Operand[uint16] {
		r := kernel.Operand[uint16]{Data: make([]uint16, len(o.Data)), Row: o.Row, Trans: o.Trans}
		kernel.EncodeBFloat16(o.Data, r.Data)
		return r
	}
	g := gemm[float32](p)
	return &kernel.BFloat16Gemm{M: p.m, N: p.n, K: p.k, Batch: 1, A: rounded(g.A), B: rounded(g.B), C: g.C, CRow: g.CRow}
}

func multiply[T kernel.Float](b *bench, kind string, p product, peak float64) error {
	g := gemm[T](p)
	t, err := b.measure(func() error { g.Run(kernel.Workers(), b.threads); return nil })
	if err != nil {
		return err
	}
	b.reportAt(fmt.Sprintf("gemm %s %v", kind, p), t, p.flops(), peak)
	return nil
}

func (p product) flops() int64 { return 2 * int64(p.m) * int64(p.n) * int64(p.k) }

// gemm returns a product on random numbers.
func gemm[T kernel.Float](p product) *kernel.Gemm[T] {
	return &kernel.Gemm[T]{
		M: p.m, N: p.n, K: p.k, Batch: 1,
		A: operand[T](p.m, p.k, p.transA), B: operand[T](p.k, p.n, p.transB),
		C: make([]T, p.m*p.n), CRow: p.n,
	}
}

// operand returns a random matrix of rows and columns, or what becomes one when it is transposed.
func operand[T kernel.Float](rows, columns int, trans bool) kernel.Operand[T] {
	o := kernel.Operand[T]{Data: make([]T, rows*columns), Row: columns, Trans: trans}
	if trans {
		o.Row = rows
	}
	for i := range o.Data {
		o.Data[i] = T(rng.Float32()) - 0.5
	}
	return o
}
