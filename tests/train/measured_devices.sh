#!/bin/sh
# A device that is measured and characterised, from the programs to the ranks of tuning variants:
#   measured_devices AIWC VARIANTS RANK STUDY MODEL
# The simulator takes the place of the device, so that the test needs none.
. "${0%/*}/../support/program.sh"
aiwc=$1
variants=$2
rank=$3
study=$4
model=$5

# Three variants of each problem, the values of which aiwc-variants compares with a serial program.
mkdir "$work/folder"
succeeded "$aiwc" run --quiet --output "$work/folder" -- "$variants" --variants 3 \
  --product-size 64 --convolution-size 64 --rows "$work/folder/rows.csv" \
  --index "$work/folder/index.csv"
[ "$(wc -l <"$work/folder/rows.csv")" -eq 7 ] || fail "not a row per variant"
[ "$(wc -l <"$work/folder/index.csv")" -eq 7 ] || fail "not a profile per variant"

succeeded "${aiwc%/*}/aiwc-model" train --update "$model" --measured "$work/folder" --device i7-6700k \
  -o "$work/updated.json"
grep -qx 'i7-6700k: fitted to 6 times of 2 applications' "$work/out" || fail "not all six times"

# For each of two models and two problems, and the chosen variant is no better than the best.
succeeded "$rank" "$model" "$work/updated.json" --measured "$work/folder" \
  --profiles "$work/folder" --device i7-6700k
grep -c ',product,3,\|,convolution,3,' "$work/out" | grep -qx 4 || fail "not four rows"
awk -F, 'NR > 1 && ($5 < 1 || $6 < 1) { exit 1 }' "$work/out" || fail "better than the best"

# All but one of two applications, and none of them.
succeeded "$study" "$model" --measured "$work/folder" --profiles "$work/folder" --device i7-6700k
grep -q '^unknown,0,1,' "$work/out" || fail "no row without measurements"
grep -q '^known,1,2,' "$work/out" || fail "no row with one measured application"

refused "$rank" "$model" --measured "$work" --profiles "$work/folder" --device i7-6700k
refused "$rank" "$model" --measured "$work/folder" --profiles "$work" --device i7-6700k
refused "$study" "$model" --measured "$work/folder" --profiles "$work/folder" --device nosuch
sed -i '/product/d' "$work/folder/index.csv"
refused "$rank" "$model" --measured "$work/folder" --profiles "$work/folder" --device i7-6700k
refused "$study" "$model" --measured "$work/folder" --profiles "$work/folder" --device i7-6700k
