#!/bin/bash
# Instructions an entry of a fixed workload, counted by callgrind, and their ratio to quick-xml's own.
set -eu -o pipefail
cd "$(dirname "$0")"
cargo build -q --release --bin instructions
binary=${CARGO_TARGET_DIR:-target}/release/instructions
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo "| work | instructions an entry | beside | ratio |"
echo "|---|--:|---|--:|"
declare -A counts
while read -r work beside entries; do
  valgrind --tool=callgrind --callgrind-out-file="$scratch/out" \
    --collect-atstart=no --toggle-collect='*measured*' "$binary" "$work" > /dev/null 2> "$scratch/log" ||
    { cat "$scratch/log"; exit 1; }
  counts[$work]=$(awk '/^(summary|totals):/ { print $2; exit }' "$scratch/out")
  awk -v work="$work" -v beside="$beside" -v n="${counts[$work]}" -v of="${counts[$beside]}" -v entries="$entries" \
    'BEGIN { printf "| `%s` | %.0f | `%s` | %.3f |\n", work, n / entries, beside, n / of }'
done < <("$binary")
