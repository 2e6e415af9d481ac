#!/bin/sh
# sources.sh BIN OUT MODEL DEVICE: what it does to predictions for the first OpenCL
# device where the numbers of its profile come from: data sheet and rules (DEVICE, the path of a JSON
# file named after its id), `aiwc devices measure --seconds 20`, and the full measurement; and how well the
# idiom model does with the latter. It measures and characterises the suite at small, and at medium
# the applications that take the simulator seconds there. What OUT has already is kept. The fastest
# sample of each launch counts, so that other work on the machine does little.
set -eu
bin=$1
out=$2
model=$3
id=$(basename "$4" .json)
folder=$(dirname "$4")
quick_at_medium=bfs,cfd,crc,csr,dwt2d,fft,kmeans,nqueens,nw,srad,swat,tdm

mkdir -p "$out/quick" "$out/full"
# measure KIND [OPTION]
measure() {
  kind=$1
  shift
  [ -e "$out/$kind/$id.json" ] || "$bin/aiwc" --device-dir "$folder" devices measure "$@" \
    --base "$id" -o "$out/$kind/$id.json" >&2
}
measure quick --seconds 20
measure full
# suite SIZE [OPTION...]: the times and profiles of the suite
suite() {
  size=$1
  shift
  "$bin/eod" characterise --out "$out/profiles" --sizes "$size" "$@" >&2
  "$bin/eod" run --out "$out/times" --sizes "$size" "$@" --samples 20 --min-seconds 0 >&2
}
suite small
suite medium --apps "$quick_at_medium"

# study PROFILE FOLDER MODEL SIZE: a row about the device's profile in FOLDER
study() {
  "$bin/aiwc-measured-devices" "$3" --measured "$out/times" --profiles "$out/profiles" --least \
    --as-is --count 0 --sizes "$4" --device "$id" --device-dir "$2" |
    sed -n "2s/^/$1,$(basename "$3" .json),$4,/p"
}
echo profile,model,size,launch_overhead,measured_applications,draws,ln_error,factor,by_application,coverage
for size in small medium; do
  study "data sheet" "$folder" "$model" $size
  study quick "$out/quick" "$model" $size
  study full "$out/full" "$model" $size
  study full "$out/full" idiom $size
done
