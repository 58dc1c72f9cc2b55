#!/usr/bin/env bash
# Times this library and a peer in turn and prints the ratio of the best of each, for every case that both have.
#
#   internal/bench/compare.sh ROUNDS SECONDS THREADS PEER MODEL...
#
# PEER is a command that takes THREADS SECONDS MODEL... and prints lines like those of `go run ./internal/bench`:
#   name case… T=threads min milliseconds ms …
# where name is the peer's; a command may speak for several. Variants of one case (-foreach, channels_last, frozen, optimized, padded,
# packed) count as the same case, of which the best is taken. All lines of all rounds are printed. With one thread both are pinned to one
# core, the one that the variable CORE names, and timed in processor time, with more in wall time. Each model has a process of its own, on
# both sides. A ratio under 1 means that this library is faster; share is how much of the processor's peak it reaches.
set -euo pipefail
rounds=$1 seconds=$2 threads=$3
peer=$(realpath "$(command -v "$4")")
shift 4
cd "$(dirname "$0")/../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/bench" ./internal/bench
pin=()
[ "$threads" = 1 ] && pin=(taskset -c "${CORE:-0}")
for round in $(seq "$rounds"); do
	for model in "$@"; do
		echo "round $round: $model"
		"${pin[@]}" "$out/bench" -threads "$threads" -seconds "$seconds" "$model"
		"$peer" "$threads" "$seconds" "$model"
	done
done | tee "$out/lines"
awk '
	$1 == "round" { model = $3 }
	$1 == "peak" && $2 == "memory" { peak["peer", model] = $3 }
	/ min / {
		name = ""; best = 0
		for (i = 2; i <= NF; i++) {
			if ($i == "min") best = $(i + 1)
			if (best == 0 && $i !~ /^(T=.*|channels_last|frozen|optimized|padded|packed)$/) name = name " " $i
			if ($i ~ /^share=/) share = substr($i, 7)
			if ($i ~ /^peak_mb=/) peak["paddle", model] = substr($i, 9)
		}
		sub(/-foreach/, "", name); sub(/^ /, "", name)
		if (!(($1, name) in least) || best + 0 < least[$1, name]) {
			least[$1, name] = best + 0
			if ($1 == "paddle") best_share[name] = share
		}
		if (!(name in seen)) { seen[name] = 1; cases[++n] = name }
		if ($1 != "paddle" && !($1 in known)) { known[$1] = 1; peers[++m] = $1 }
	}
	END {
		printf "\n%-48s %-10s %10s %10s %7s %7s\n", "case", "peer", "ours ms", "peer ms", "ratio", "share"
		for (j = 1; j <= m; j++) {
			sum = pairs = 0
			for (i = 1; i <= n; i++) {
				name = cases[i]
				if (!(("paddle", name) in least) || !((peers[j], name) in least)) continue
				ours = least["paddle", name]; theirs = least[peers[j], name]
				printf "%-48s %-10s %10.4f %10.4f %7.2f %7s\n", name, peers[j], ours, theirs, ours / theirs, best_share[name]
				sum += log(ours / theirs); pairs++; paired[name] = 1
			}
			if (pairs > 1) printf "%-48s %-10s %10s %10s %7.2f\n", "  geometric mean", peers[j], "", "", exp(sum / pairs)
		}
		for (i = 1; i <= n; i++) {
			name = cases[i]
			if (name in paired) continue
			if (("paddle", name) in least) printf "%-48s %-10s %10.4f %10s %7s %7s\n", name, "-", least["paddle", name], "-", "-", best_share[name]
			for (j = 1; j <= m; j++) if ((peers[j], name) in least) printf "%-48s %-10s %10s %10.4f\n", name, peers[j], "-", least[peers[j], name]
		}
		for (key in peak) {
			split(key, at, SUBSEP)
			if (at[1] == "peer") printf "peak memory of %s: ours %d MB, the peer %d MB\n", at[2], peak["paddle", at[2]], peak[key]
		}
	}' "$out/lines"
