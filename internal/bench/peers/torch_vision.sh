#!/usr/bin/env bash
# The peer of `bench resnet mobilenet` for compare.sh: PyTorch (torch_vision.py). Debian: python3-torch libopenblas0-openmp.
#   internal/bench/compare.sh 5 2 1 internal/bench/peers/torch_vision.sh resnet mobilenet
# Use: torch_vision.sh THREADS SECONDS MODEL...
set -euo pipefail
source "$(dirname "$0")/run.sh"
run "$here/torch_vision.py" "$@"
