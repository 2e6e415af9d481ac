#!/bin/sh
# Characterises the sequential kernels of this folder and prints their synchronisation points, loops
# and hottest lines.
set -eu
cd "$(dirname "$0")"
aiwc=${AIWC:-aiwc}
plugin=${AIWC_PLUGIN:-$(dirname "$(command -v "$aiwc")")/../lib/aiwc/aiwc_oclgrind_plugin.so}
[ $# -gt 0 ] || set -- stencil lu spmv
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
for kernel in "$@"; do
  AIWC_QUIET=1 AIWC_OUTPUT="$output" oclgrind-kernel --plugins "$plugin" "$kernel.sim" >/dev/null
  "$aiwc" show --all "$output/aiwc_${kernel}_0.json" | sed -n -e 1p -e /sync_points/p -e '/^Loops/,$p'
  "$aiwc" show --lines --source "$kernel.cl" "$output/aiwc_${kernel}_0.json" | sed 1d
  echo
done
