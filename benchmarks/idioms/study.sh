#!/bin/sh
# study.sh BIN OUT: characterises the reference kernels, the loop nests of tests/idioms and the
# suite at its smallest size, and prints a row per kernel: the idioms of its label and those that
# were recognised. BIN is the folder of aiwc and the benchmarks; OUT keeps the profiles.
set -eu
bin=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)

# simulate SET FILE...: profiles of simulation files, in a folder each
simulate() {
  set=$1
  shift
  for file; do
    folder=$out/$set/$(basename "$file" .sim)
    mkdir -p "$folder"
    (cd "$(dirname "$file")" && OCLGRIND_PLUGINS=$bin/../lib/aiwc/aiwc_oclgrind_plugin.so \
      AIWC_OUTPUT=$folder AIWC_QUIET=1 oclgrind-kernel "$(basename "$file")") >/dev/null
  done
}

simulate kernels "$root"/kernels/*.sim
simulate loops "$root"/tests/idioms/*.sim
"$bin/eod" characterise --out "$out/eod" --sizes tiny >&2
"$bin/aiwc-idioms" "$root/tests/idioms/labels.csv" "$out"
