#!/bin/sh
# compare.sh BIN OUT [ROUNDS]: measures the first OpenCL device, a CPU, by `aiwc devices measure
# --quick` and by clpeak, in turns, and prints both beside native loops. BIN is the folder of aiwc and
# the benchmarks; what OUT has already is kept. The best of all rounds counts.
set -eu
bin=$1
out=$2
rounds=${3:-5}

mkdir -p "$out"
set --
for round in $(seq "$rounds"); do
  [ -e "$out/round-$round.json" ] ||
    "$bin/aiwc" devices measure --quick --quiet -o "$out/round-$round.json" >&2
  [ -e "$out/round-$round.clpeak" ] || {
    timeout 300 clpeak -d 0 --global-bandwidth --compute-sp --compute-dp --compute-integer \
      --kernel-latency >"$out/unfinished"
    mv "$out/unfinished" "$out/round-$round.clpeak"
  }
  set -- "$@" --profile "$out/round-$round.json" --clpeak "$out/round-$round.clpeak"
done
"$bin/aiwc-native-rates" "$@"
