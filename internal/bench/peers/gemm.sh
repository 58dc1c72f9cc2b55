#!/usr/bin/env bash
# The peer of `bench gemm` for compare.sh: OpenBLAS and oneDNN on the same matrices. Debian: g++ libopenblas-dev libdnnl-dev.
#   internal/bench/compare.sh 5 1 1 internal/bench/peers/gemm.sh gemm
# Use: gemm.sh THREADS SECONDS MODEL... ; models but gemm are ignored.
set -euo pipefail
source "$(dirname "$0")/run.sh"
case " ${*:3} " in *" gemm "*) ;; *) exit ;; esac
# Where there is no AVX-512, the kernels for Haswell, those of AVX2, are faster than the ones that OpenBLAS chooses on Zen.
grep -qs avx512f /proc/cpuinfo || export OPENBLAS_CORETYPE="${OPENBLAS_CORETYPE:-Haswell}"
run "$(build openblas -lopenblas)" "$1" "$2"
run "$(build onednn -fopenmp -ldnnl)" "$1" "$2"
