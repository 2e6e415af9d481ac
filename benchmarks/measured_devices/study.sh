#!/bin/sh
# study.sh BIN OUT MODEL DEVICE: measures the suite and the tuning variants on the first OpenCL
# device, characterises both, and prints what measured applications do to predictions of others, and
# how well MODEL, as it is and updated with the measured suite, ranks the variants. BIN is the folder
# of aiwc and the benchmarks; what OUT has already is kept. DEVICE is the device's profile, the path
# of a JSON file named after its id. The fastest sample of each launch counts, so that other work on
# the machine does little.
set -eu
bin=$1
out=$2
model=$3
id=$(basename "$4" .json)
folder=$(dirname "$4")

mkdir -p "$out/variants"
"$bin/eod" characterise --out "$out/profiles" --sizes tiny,small >&2
"$bin/eod" run --out "$out/times" --sizes tiny,small --samples 60 --min-seconds 0 >&2
[ -e "$out/variants/index.csv" ] || "$bin/aiwc" run --quiet --output "$out/variants" -- \
  "$bin/aiwc-variants" --index "$out/variants/index.csv" >&2
[ -e "$out/variants/rows.csv" ] ||
  "$bin/aiwc-variants" --rows "$out/variants/rows.csv" --samples 300 >&2

# device COMMAND...: the command, on the device of these times
device() {
  "$@" --device "$id" --device-dir "$folder"
}
device "$bin/aiwc-measured-devices" "$model" --measured "$out/times" --profiles "$out/profiles" \
  --least
device "$bin/aiwc-model" train --update "$model" --measured "$out/times" --profiles "$out/profiles" \
  --fastest -o "$out/updated.json" >&2
device "$bin/aiwc-rank-variants" "$model" "$out/updated.json" --measured "$out/variants" \
  --profiles "$out/variants"
