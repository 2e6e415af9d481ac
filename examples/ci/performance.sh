#!/usr/bin/env bash
# performance.sh [--update]: a performance test without a device (docs/comparing.md). Compares what the
# kernels do now with the run in performance-baseline/, which is committed; exits with 1 if one of
# them does more work, moves more bytes, or is predicted to take longer.
#   --update: makes the present run the baseline, to be committed with the change that it is for
set -euo pipefail

baseline=performance-baseline
now=performance-now
limits='total_instruction_count>5%,dram_bytes>5%,time>10%'

rm -rf "$now"
aiwc run --quiet --output "$now" -- ./blur blur.cl 256

if [ "${1-}" = --update ]; then
  rm -rf "$baseline"
  mv "$now" "$baseline"
else
  aiwc diff "$baseline" "$now" --fail-on "$limits"
fi
