#!/bin/sh
# sources.sh BIN OUT MODEL DEVICE: what it does to predictions for the first OpenCL device where the
# numbers of its profile come from: data sheet and rules (DEVICE, the path of a JSON file named after
# its id), `aiwc devices measure --quick`, and the full measurement; and how well the idiom model does
# with the latter two. OUT has the times and profiles of the suite that study.sh left there; those of
# medium are added, and the measured profiles are kept there, too.
set -eu
bin=$1
out=$2
model=$3
id=$(basename "$4" .json)
folder=$(dirname "$4")

mkdir -p "$out/quick" "$out/full"
for kind in quick full; do
  [ -e "$out/$kind/$id.json" ] || "$bin/aiwc" devices --device-dir "$folder" measure --quiet \
    $([ $kind = full ] || echo --quick) --like "$id" -o "$out/$kind/$id.json" >&2
done
"$bin/eod" characterise --out "$out/profiles" --sizes medium >&2
[ -n "$(find "$out/times" -name '*-medium.csv' -print -quit)" ] || "$bin/eod" run --out "$out/times" \
  --sizes medium --samples 10 --min-seconds 0 >&2

# study NAME FOLDER: the table of the device's profile in FOLDER, with NAME as its first column
study() {
  "$bin/aiwc-measured-devices" "$model" --measured "$out/times" --profiles "$out/profiles" --least \
    --as-is --count 0 --device "$id" --device-dir "$2" | sed "1s/^/profile,/; 2,\$s/^/$1,/"
}
study "data sheet" "$folder"
study quick "$out/quick" | sed 1d
study full "$out/full" | sed 1d
