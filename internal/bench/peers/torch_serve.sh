#!/usr/bin/env bash
# The peer of `bench serve` for compare.sh: PyTorch (torch_serve.py). Debian: python3-torch libopenblas0-openmp.
#   internal/bench/compare.sh 5 1 1 internal/bench/peers/torch_serve.sh serve
# Use: torch_serve.sh THREADS SECONDS MODEL... ; models but serve are ignored.
set -euo pipefail
source "$(dirname "$0")/run.sh"
run "$here/torch_serve.py" "$@"
