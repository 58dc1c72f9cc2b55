#!/usr/bin/env bash
# A peer of `bench lstm` for compare.sh: oneDNN's LSTM alone, on sequences of equal lengths, the bound for what a library can reach that is
# built on it. Debian: g++ libdnnl-dev.
# Use: onednn_lstm.sh THREADS SECONDS MODEL... ; models but lstm are ignored.
set -euo pipefail
source "$(dirname "$0")/run.sh"
case " ${*:3} " in *" lstm "*) ;; *) exit ;; esac
run "$(build onednn_lstm -fopenmp -ldnnl)" "$1" "$2"
