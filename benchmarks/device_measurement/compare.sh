#!/bin/sh
# compare.sh BIN OUT [ROUNDS]: measures the first OpenCL device, a CPU, by `aiwc devices measure
# --seconds 20`, by native loops and by clpeak, in turns, and prints all side by side. BIN is the folder of aiwc and
# the benchmarks; what OUT has already is kept. The best of all rounds counts.
set -eu
bin=$1
out=$2
rounds=${3:-5}

mkdir -p "$out"
set --
for round in $(seq "$rounds"); do
  [ -e "$out/round-$round.json" ] ||
    "$bin/aiwc" devices measure --seconds 20 -o "$out/round-$round.json" >&2
  [ -e "$out/round-$round.native" ] || {
    "$bin/aiwc-native-rates" >"$out/unfinished"
    mv "$out/unfinished" "$out/round-$round.native"
  }
  [ -e "$out/round-$round.clpeak" ] || {
    clpeak -d 0 --global-bandwidth --compute-sp --compute-dp --compute-integer \
      --kernel-latency >"$out/unfinished"
    mv "$out/unfinished" "$out/round-$round.clpeak"
  }
  set -- "$@" --profile "$out/round-$round.json" --native "$out/round-$round.native" \
    --clpeak "$out/round-$round.clpeak"
done
"$bin/aiwc-native-rates" "$@"
