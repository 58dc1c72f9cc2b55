// Times oneDNN's own LSTM, forward and backward: onednn_lstm THREADS SECONDS. See onednn_lstm.sh, which builds and runs it.
//
//	g++ -O2 -std=c++17 -fopenmp onednn_lstm.cpp -o onednn_lstm -ldnnl       (Debian: libdnnl-dev)
//
// One layer, 128 inputs and 128 hidden units, 64 sequences of 400 steps each: the primitive has no lengths, so that this is its best
// case. A step brings the weights into the order that each direction wants, because training changes them, runs forward and backward,
// and brings the weights' gradients back. Nothing else of a network is in it: no embedding, loss or optimizer.
#include <dnnl.hpp>
#include <omp.h>

#include "measure.h"

using namespace dnnl;
using dt = memory::data_type;
using tag = memory::format_tag;

const int steps = 400, batch = 64, inputs = 128, hidden = 128, gates = 4;

static memory::desc any(memory::dims d) { return {d, dt::f32, tag::any}; }

static const memory::desc sequence({steps, batch, inputs}, dt::f32, tag::tnc), outputs({steps, batch, hidden}, dt::f32, tag::tnc),
	state({1, 1, batch, hidden}, dt::f32, tag::ldnc), bias({1, 1, gates, hidden}, dt::f32, tag::ldgo);
static const memory::dims input_weights{1, 1, inputs, gates, hidden}, hidden_weights{1, 1, hidden, gates, hidden};

// Lstm holds both primitives and all memory of theirs.
struct Lstm {
	engine e{engine::kind::cpu, 0};
	stream s{e};
	lstm_forward::primitive_desc fpd{forward_desc(), e};
	lstm_backward::primitive_desc bpd{backward_desc(), e, fpd};
	lstm_forward forward{fpd};
	lstm_backward backward{bpd};
	std::unordered_map<int, memory> f, b;
	std::vector<std::pair<memory, memory>> before, between, after; // to be reordered

	static lstm_forward::desc forward_desc() {
		return {prop_kind::forward_training, rnn_direction::unidirectional_left2right, sequence, state, state, any(input_weights),
		        any(hidden_weights), bias, outputs, state, state};
	}
	static lstm_backward::desc backward_desc() {
		return {prop_kind::backward, rnn_direction::unidirectional_left2right, sequence, state, state, any(input_weights), any(hidden_weights),
		        bias, outputs, state, state, sequence, state, state, any(input_weights), any(hidden_weights), bias, outputs, state, state};
	}

	memory random(const memory::desc &d) {
		memory m(d, e);
		auto values = uniform<float>(d.get_size() / sizeof(float));
		for (auto &x : values) x *= 0.1f;
		std::copy(values.begin(), values.end(), static_cast<float *>(m.get_data_handle()));
		return m;
	}

	// weights sets up one of both matrices: src in the user's order, reordered for each direction, and its gradient.
	void weights(int argument, int gradient, memory::dims dims, const memory::desc &fd, const memory::desc &bd, const memory::desc &gd) {
		memory plain = random({dims, dt::f32, tag::ldigo}), plain_gradient({dims, dt::f32, tag::ldigo}, e);
		f[argument] = memory(fd, e);
		b[argument] = memory(bd, e);
		b[gradient] = memory(gd, e);
		before.push_back({plain, f[argument]});
		between.push_back({plain, b[argument]});
		after.push_back({b[gradient], plain_gradient});
	}

	Lstm() {
		for (auto [argument, d] : {std::pair{DNNL_ARG_SRC_LAYER, sequence}, {DNNL_ARG_SRC_ITER, state}, {DNNL_ARG_SRC_ITER_C, state},
		                           {DNNL_ARG_BIAS, bias}, {DNNL_ARG_DST_LAYER, outputs}, {DNNL_ARG_DST_ITER, state}, {DNNL_ARG_DST_ITER_C, state}})
			b[argument] = f[argument] = random(d);
		for (auto [argument, d] : {std::pair{DNNL_ARG_DIFF_SRC_LAYER, sequence}, {DNNL_ARG_DIFF_SRC_ITER, state}, {DNNL_ARG_DIFF_SRC_ITER_C, state},
		                           {DNNL_ARG_DIFF_BIAS, bias}, {DNNL_ARG_DIFF_DST_LAYER, outputs}, {DNNL_ARG_DIFF_DST_ITER, state},
		                           {DNNL_ARG_DIFF_DST_ITER_C, state}})
			b[argument] = random(d);
		weights(DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_DIFF_WEIGHTS_LAYER, input_weights, fpd.weights_layer_desc(), bpd.weights_layer_desc(),
		        bpd.diff_weights_layer_desc());
		weights(DNNL_ARG_WEIGHTS_ITER, DNNL_ARG_DIFF_WEIGHTS_ITER, hidden_weights, fpd.weights_iter_desc(), bpd.weights_iter_desc(),
		        bpd.diff_weights_iter_desc());
		f[DNNL_ARG_WORKSPACE] = b[DNNL_ARG_WORKSPACE] = memory(fpd.workspace_desc(), e);
	}

	void move(std::vector<std::pair<memory, memory>> &list) {
		for (auto &[from, to] : list) reorder(from, to).execute(s, from, to);
	}

	void step() {
		move(before);
		forward.execute(s, f);
		move(between);
		for (int gradient : {DNNL_ARG_DIFF_WEIGHTS_LAYER, DNNL_ARG_DIFF_WEIGHTS_ITER, DNNL_ARG_DIFF_BIAS}) { // the primitive adds to them
			auto *data = static_cast<float *>(b[gradient].get_data_handle());
			std::fill(data, data + b[gradient].get_desc().get_size() / sizeof(float), 0.0f);
		}
		backward.execute(s, b);
		move(after);
		s.wait();
	}
};

int main(int argc, char **argv) {
	Settings settings(argc, argv);
	omp_set_num_threads(settings.threads);
	Lstm lstm;
	Timing t = measure(settings, [&] { lstm.step(); });
	const double forward = 2.0 * steps * batch * (inputs + hidden) * gates * hidden;
	std::printf("onednn lstm-primitive 1x%d b%d length %d T=%d min %.5g ms med %.5g ms n=%zu flop=%.4g gflops=%.1f tokens/s=%.0f\n", hidden, batch,
	            steps, settings.threads, t.least, t.median, t.n, 3 * forward, 3 * forward / t.least / 1e6, steps * batch / t.least * 1e3);
}
