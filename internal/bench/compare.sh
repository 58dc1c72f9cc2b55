#!/usr/bin/env bash
# Times training steps of this library and of a peer in turn and prints the ratio of the best of each, for every case that both have.
#
#   internal/bench/compare.sh ROUNDS SECONDS THREADS PEER MODEL...
#
# PEER is a command that takes THREADS SECONDS MODEL... and prints lines like those of `go run ./internal/bench`:
#   name case… T=threads min milliseconds ms …
# Variants of one case (-foreach, channels_last) count as the same case, of which the best is taken. All lines of all rounds are printed.
# With one thread both are pinned to one core and timed in processor time, with more in wall time.
set -euo pipefail
rounds=$1 seconds=$2 threads=$3 peer=$4
shift 4
cd "$(dirname "$0")/../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/bench" ./internal/bench
pin=()
[ "$threads" = 1 ] && pin=(taskset -c "${CORE:-0}")
for round in $(seq "$rounds"); do
	echo "round $round"
	"${pin[@]}" "$out/bench" -threads "$threads" -seconds "$seconds" "$@" | tee -a "$out/lines"
	"$peer" "$threads" "$seconds" "$@" | tee -a "$out/lines"
done
awk '
	$0 ~ / min / {
		name = ""; best = 0
		for (i = 2; i <= NF; i++) {
			if ($i == "min") best = $(i + 1)
			if (best == 0 && $i !~ /^T=/ && $i != "channels_last") name = name " " $i
		}
		sub(/-foreach/, "", name)
		key = $1 == "paddle" ? "ours" : "peer"
		if (!((key, name) in least) || best < least[key, name]) least[key, name] = best
		if (!(name in seen)) { seen[name] = 1; order[++n] = name }
	}
	END {
		printf "%-50s %10s %10s %7s\n", "case", "ours ms", "peer ms", "ratio"
		for (i = 1; i <= n; i++) {
			name = order[i]
			if ((("ours", name) in least) && (("peer", name) in least))
				printf "%-50s %10.3f %10.3f %7.2f\n", name, least["ours", name], least["peer", name], least["ours", name] / least["peer", name]
			else
				printf "%-50s %s\n", name, "no peer in this run"
		}
	}' "$out/lines"
