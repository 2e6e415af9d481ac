#!/bin/bash
# small.sh AIWC SOURCE: no row of `device_check small` says wrong, and each kernel of the source has rows of both ways of timing.
set -euo pipefail
aiwc=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$aiwc" build -- nvcc -O3 -std=c++17 "$source" -o device_check
"$aiwc" run --quiet --output run -- ./device_check small >rows.csv
if grep -v '^#' rows.csv | tail -n +2 | grep -vE ',(ok|unchecked)$'; then
  echo "small.sh: the rows above are wrong" >&2
  exit 1
fi
kernels=$(grep -oE 'measure\(\{"[a-z_0-9]+"' "$source" | cut -d'"' -f2 | sort -u)
[ "$(wc -w <<<"$kernels")" -ge 30 ] || { echo "small.sh: expected 30 kernels in $source or more" >&2; exit 1; }
for kernel in $kernels; do
  for timing in single queued; do
    grep -q "^$kernel,.*,$timing," rows.csv || { echo "small.sh: $kernel has no row '$timing'" >&2; exit 1; }
  done
done
