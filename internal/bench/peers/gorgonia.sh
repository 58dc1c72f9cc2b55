#!/usr/bin/env bash
# The Go peer of `bench mlp lenet` for compare.sh: Gorgonia, at batches of 64.
#   internal/bench/compare.sh 5 1 1 internal/bench/peers/gorgonia.sh mlp lenet
# Use: gorgonia.sh THREADS SECONDS MODEL... ; models but mlp and lenet are ignored.
set -euo pipefail
source "$(dirname "$0")/run.sh"
(cd "$here" && go build -tags avx -o "$out/gorgonia" ./gorgonia)
run "$out/gorgonia" "$@"
