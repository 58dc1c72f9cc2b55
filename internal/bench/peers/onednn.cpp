// Times oneDNN's matrix products, in float32, and in bfloat16 with float32 sums where the processor has instructions for them:
// onednn THREADS SECONDS. See gemm.sh, which builds and runs it.
//
//	g++ -O2 -std=c++17 -fopenmp onednn.cpp -o onednn -ldnnl       (Debian: libdnnl-dev)
//
// Matrices lie in memory row by row, as those of ../gemm.go; oneDNN's own packing is part of each call. The variable
// ONEDNN_MAX_CPU_ISA=AVX2 restricts it to the kernels of AVX2.
#include <dnnl.hpp>
#include <omp.h>

#include "measure.h"

using namespace dnnl;
using dt = memory::data_type;

static memory matrix(const engine &e, int rows, int columns, bool trans, dt type) {
	memory::dims strides = trans ? memory::dims{1, rows} : memory::dims{columns, 1};
	return memory({{rows, columns}, type, strides}, e);
}

// random returns a matrix of random numbers, converted from float32.
static memory random(const engine &e, stream &s, int rows, int columns, bool trans, dt type) {
	memory plain = matrix(e, rows, columns, trans, dt::f32), out = matrix(e, rows, columns, trans, type);
	auto values = uniform<float>(size_t(rows) * columns);
	std::copy(values.begin(), values.end(), static_cast<float *>(plain.get_data_handle()));
	reorder(plain, out).execute(s, plain, out);
	s.wait();
	return out;
}

static void run(const char *kind, dt type, const engine &e, const Settings &settings) {
	stream s(e);
	for (const Product &p : products) {
		memory a = random(e, s, p.m, p.k, p.trans_a, type), b = random(e, s, p.k, p.n, p.trans_b, type), c = matrix(e, p.m, p.n, false, dt::f32);
		matmul product(matmul::primitive_desc(matmul::desc(a.get_desc(), b.get_desc(), c.get_desc()), e));
		std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}};
		Timing t = measure(settings, [&] {
			product.execute(s, arguments);
			s.wait();
		});
		report("onednn", std::string("gemm ") + kind + " " + p.name(), settings, t, p.flops());
	}
}

int main(int argc, char **argv) {
	Settings settings(argc, argv);
	omp_set_num_threads(settings.threads);
	engine e(engine::kind::cpu, 0);
	auto v = version();
	std::printf("oneDNN %d.%d.%d\n", v->major, v->minor, v->patch);
	run("f32", dt::f32, e, settings);
	if (__builtin_cpu_supports("avx512bf16")) run("bf16", dt::bf16, e, settings);
}
