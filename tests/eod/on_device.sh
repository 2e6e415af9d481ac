#!/bin/sh
# Runs a program of the suite on PoCL or under Oclgrind:
#   run PROGRAM OPTIONS...              verified and silent on stderr
#   same PROGRAM "SIZES" OPTIONS...     the same result, to the bit, for all local sizes
#   repeats PROGRAM                     samples of repeated runs: the rows say so
#   clean OCLGRIND PROGRAM OPTIONS...   verified, and Oclgrind has nothing to say
#   references PLUGIN OCLGRIND PROGRAM OPTIONS...   verified, and the plugin of tests/references has compared
#                                       every kernel
#   embedded LAUNCHER COMPARE DEVICES PROGRAM OPTIONS...   verified, and what embedding would keep
#                                       predicts what the profiles do
#   refused "OPTION" OCLGRIND PROGRAM   too small a device: one line, status 2
# 77 where there is no PoCL.
. "${0%/*}/../support/program.sh"
mode=$1
shift

# The options run on PoCL; its output is in $work.
pocl() {
  run "$@" --platform 'Portable Computing'
  skip 'no OpenCL platform|no such platform' PoCL
  [ "$status" -eq 0 ] || fail "status $status of $*"
}

case $mode in
run)
  pocl "$@"
  [ ! -s "$work/err" ] || fail "output on stderr"
  grep -q '^correct: ' "$work/out" || fail "not verified"
  ;;
same)
  program=$1
  sizes=$2
  shift 2
  for size in $sizes; do
    pocl "$program" "$@" --local-size "$size" --json -
    grep -q '"verified": true' "$work/out" || fail "not verified"
    grep '"result_hash"' "$work/out" >>"$work/hashes" || fail "no result"
  done
  sort -u "$work/hashes" >"$work/out"
  [ "$(wc -l <"$work/out")" -eq 1 ] || fail "the result depends on the local size"
  ;;
repeats)
  pocl "$1" --samples 3 --min-seconds 0.05 --csv "$work/rows.csv"
  cp "$work/rows.csv" "$work/out"
  # Columns: 5 is the sample, 6 and 7 kernel and invocation, 8 the runs, 9 the time. The size
  # parameter may be quoted; its commas are taken out first.
  sed 's/"[^"]*"/quoted/' "$work/rows.csv" | awk -F, '
    NR > 1 { rows[$5]++; seen[$5 "," $6 "," $7]++; if ($8 < 1 || $9 <= 0) bad = 1 }
    END {
      for (key in seen) if (seen[key] != 1) bad = 1
      exit bad || rows[0] < 1 || rows[0] != rows[1] || rows[1] != rows[2]
    }' || fail "three samples with the same rows expected"
  ;;
clean)
  simulator=$1
  shift
  succeeded "$simulator" --data-races --uninitialized --check-api "$@"
  [ ! -s "$work/err" ] || fail "Oclgrind reports"
  grep -q '^correct: ' "$work/out" || fail "not verified"
  grep -q '^Oclgrind Simulator' "$work/out" || fail "did not run in the simulator"
  ;;
references)
  plugin=$1
  simulator=$2
  shift 2
  succeeded "$simulator" --plugins "$plugin" "$@"
  grep -q '^correct: ' "$work/out" || fail "not verified"
  tail -n 1 "$work/err" | grep -qx 'references: all kernels agree' || fail "not every kernel compared"
  ;;
embedded)
  launcher=$1
  compare=$2
  devices=$3
  shift 3
  mkdir "$work/profiles" || exit 1
  succeeded "$launcher" --aiwc --aiwc-quiet --aiwc-output "$work/profiles" "$@"
  [ ! -s "$work/err" ] || fail "output on stderr"
  grep -q '^correct: ' "$work/out" || fail "not verified"
  run "$compare" "$work/profiles" "$devices"
  [ "$status" -eq 0 ] || fail "predictions differ"
  cat "$work/out"
  ;;
refused)
  # shellcheck disable=SC2086 # an option and its value
  refused "$2" $1 "$3"
  ;;
*)
  echo "unknown mode $mode"
  exit 1
  ;;
esac
