#!/bin/sh
# Whether both engines leave the same of applications of the suite: profiles that are the same byte for byte, but for
# what they say of the engine, and the same results.
#   engines.sh PROGRAMS OUT OPTIONS...     PROGRAMS: the folder of eod; OPTIONS: of eod characterise
# OUT/interpreter and OUT/compiled take the profiles; what is there from an earlier call is taken as it is. The last
# line tells how many profiles were compared, and how many of them were of kernels that were compiled.
set -u
programs=$1
out=$2
shift 2
mkdir -p "$out" || exit 2

for engine in interpreter compiled; do
  AIWC_ACCURACY=exact AIWC_ENGINE=$engine "$programs/eod" characterise --out "$out/$engine" "$@" || exit 1
done

# What must be the same of a file, as one text.
essence() {
  case $1 in
  */result.json) grep -E '"(result_hash|verified)"' "$1" ;;
  *) sed -e '/^ *"engine_reason": /d' -e 's/"engine": "compiled"/"engine": "interpreter"/' "$1" ;;
  esac
}

profiles=0
compiled=0
different=0
for file in "$out"/interpreter/*-*/aiwc_*.json "$out"/interpreter/*-*/result.json; do
  other=$out/compiled/${file#"$out/interpreter/"}
  if [ ! -f "$other" ]; then
    echo "$other: missing"
    different=$((different + 1))
    continue
  fi
  case $file in
  */aiwc_*.json)
    profiles=$((profiles + 1))
    grep -q '"engine": "compiled"' "$other" && compiled=$((compiled + 1))
    ;;
  esac
  if [ "$(essence "$file")" != "$(essence "$other")" ]; then
    echo "$file and $other differ"
    different=$((different + 1))
  fi
done
[ "$(find "$out/interpreter" -name 'aiwc_*' | wc -l)" -eq \
  "$(find "$out/compiled" -name 'aiwc_*' | wc -l)" ] || {
  echo "$out: not the same number of profiles"
  different=$((different + 1))
}
echo "$profiles profiles, $compiled compiled, $different differences"
[ "$profiles" -gt 0 ] && [ "$different" -eq 0 ]
