#!/bin/sh
# Characterises one launch of the suite's gem, splits it between two devices and runs the shares.
#   characterise_and_split.sh [DEVICE,DEVICE [OPTION...]]    options of split-gem: --devices 0:0,1:0
# 77 where no device here can be split.
set -eu
devices=${1:-i5-12400,i9-13900k}
[ $# -eq 0 ] || shift
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
oclgrind=${OCLGRIND:-oclgrind}
"$oclgrind" --aiwc --aiwc-quiet --aiwc-output "$output" "${SPLIT_GEM:-split-gem}" >/dev/null
profile=$output/aiwc_calc_potential_single_step_0.json
"${AIWC:-aiwc}" split "$profile" --devices "$devices" | sed "s|$output/||"
"${AIWC:-aiwc}" split "$profile" --devices "$devices" --json >"$output/split.json"
status=0
"${SPLIT_GEM:-split-gem}" --split "$output/split.json" "$@" 2>"$output/errors" || status=$?
cat "$output/errors" >&2
if [ "$status" -eq 2 ] && grep -Eq 'no OpenCL|compute units|cannot be partitioned' "$output/errors"; then
  exit 77
fi
exit "$status"
