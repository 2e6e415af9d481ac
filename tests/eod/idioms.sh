#!/bin/sh
# Whether at least nine of ten kernels of the suite have the idioms that they were labelled with by hand.
#   idioms.sh PROGRAMS OUT LABELS     PROGRAMS: the folder of eod and aiwc-idioms
set -eu
rm -rf "$2"
"$1/eod" characterise --out "$2/eod" --sizes tiny
"$1/aiwc-idioms" "$3" "$2" --set eod --least 0.9
