// What the C++ peers share: the matrix products that are timed (the list is that of ../gemm.go), and the timing itself, which follows
// ../measure.go: with one thread the process's CPU time, with more the wall time; steps that are too short for the clock several at once.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

struct Product {
	int m, n, k;
	bool trans_a, trans_b;
	double flops() const { return 2.0 * m * n * k; }
	std::string name() const {
		return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + " " + (trans_a ? "T" : "N") + (trans_b ? "T" : "N");
	}
};

const Product products[] = {
	{64, 64, 64, false, false},
	{256, 256, 256, false, false},
	{1024, 1024, 1024, false, false},
	{64, 256, 784, false, false},
	{784, 256, 64, true, false},
	{64, 784, 256, false, true},
	{32, 512, 128, false, false},
	{64, 2048, 512, false, false},
	{14000, 512, 128, false, false},
	{128, 512, 14000, true, false},
	{36864, 50, 500, false, false},
};

// Settings are the arguments of every peer: THREADS SECONDS.
struct Settings {
	int threads = 1;
	double seconds = 3;
	Settings(int argc, char **argv) {
		if (argc > 1) threads = std::atoi(argv[1]);
		if (argc > 2) seconds = std::atof(argv[2]);
	}
};

inline double now(clockid_t clock) {
	timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

// Timing is what the steps of a case took, in milliseconds.
struct Timing {
	double least, median;
	size_t n;
};

template <class Step> Timing measure(const Settings &s, Step step) {
	const clockid_t clock = s.threads > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
	const double shortest = 0.2; // ms that are timed together
	auto together = [&](int n) {
		double at = now(clock);
		for (int i = 0; i < n; i++) step();
		return (now(clock) - at) * 1e3 / n;
	};
	double least = together(1);
	for (int i = 1; i < 3; i++) least = std::min(least, together(1));
	const int n = std::max(1, int(shortest / std::max(least, 1e-3)));
	std::vector<double> times;
	for (double start = now(CLOCK_MONOTONIC); times.size() < 5 || (now(CLOCK_MONOTONIC) - start < s.seconds && times.size() < 2000);)
		times.push_back(together(n));
	std::sort(times.begin(), times.end());
	return {times[0], times[times.size() / 2], times.size()};
}

inline void report(const char *who, const std::string &name, const Settings &s, Timing t, double flop) {
	std::printf("%s %s T=%d min %.5g ms med %.5g ms n=%zu flop=%.4g gflops=%.1f\n", who, name.c_str(), s.threads, t.least, t.median, t.n, flop,
	            flop / t.least / 1e6);
	std::fflush(stdout);
}

template <class T> std::vector<T> uniform(size_t n) {
	static std::mt19937 random(1);
	std::uniform_real_distribution<float> range(-0.5, 0.5);
	std::vector<T> out(n);
	for (auto &x : out) x = T(range(random));
	return out;
}
