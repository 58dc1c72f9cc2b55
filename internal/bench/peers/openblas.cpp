// Times OpenBLAS's products in float32 and float64: openblas THREADS SECONDS. See gemm.sh, which builds and runs it.
//
//	g++ -O2 -std=c++17 openblas.cpp -o openblas -lopenblas        (Debian: libopenblas-dev)
//
// OpenBLAS chooses its kernels by the processor; the variable OPENBLAS_CORETYPE=Haswell chooses those of AVX2.
#include <cblas.h>

#include "measure.h"

static void multiply(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, const Product &p, const float *a, const float *b, float *c) {
	cblas_sgemm(CblasRowMajor, ta, tb, p.m, p.n, p.k, 1, a, p.trans_a ? p.m : p.k, b, p.trans_b ? p.k : p.n, 0, c, p.n);
}

static void multiply(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, const Product &p, const double *a, const double *b, double *c) {
	cblas_dgemm(CblasRowMajor, ta, tb, p.m, p.n, p.k, 1, a, p.trans_a ? p.m : p.k, b, p.trans_b ? p.k : p.n, 0, c, p.n);
}

template <class T> static void run(const char *kind, const Settings &s) {
	for (const Product &p : products) {
		auto a = uniform<T>(size_t(p.m) * p.k), b = uniform<T>(size_t(p.k) * p.n);
		std::vector<T> c(size_t(p.m) * p.n);
		auto ta = p.trans_a ? CblasTrans : CblasNoTrans, tb = p.trans_b ? CblasTrans : CblasNoTrans;
		Timing t = measure(s, [&] { multiply(ta, tb, p, a.data(), b.data(), c.data()); });
		report("openblas", std::string("gemm ") + kind + " " + p.name(), s, t, p.flops());
	}
}

int main(int argc, char **argv) {
	Settings s(argc, argv);
	openblas_set_num_threads(s.threads);
	std::printf("OpenBLAS %s, kernels for %s\n", openblas_get_config(), openblas_get_corename());
	run<float>("f32", s);
	run<double>("f64", s);
}
