#!/usr/bin/env bash
# The peer of `bench lstm-primitive` for compare.sh: oneDNN's LSTM alone, on sequences of equal lengths, the bound for what a library can
# reach that is built on it. Debian: g++ libdnnl-dev.
#   internal/bench/compare.sh 5 1 1 internal/bench/peers/onednn_lstm.sh lstm-primitive
# Use: onednn_lstm.sh THREADS SECONDS MODEL... ; models but lstm-primitive are ignored.
set -euo pipefail
source "$(dirname "$0")/run.sh"
case " ${*:3} " in *" lstm-primitive "*) ;; *) exit ;; esac
run "$(build onednn_lstm -fopenmp -ldnnl)" "$1" "$2"
