#!/bin/sh
# Runs aiwc-irregular on a device:
#   pocl PROGRAM KERNEL                     verified on PoCL: generated and irregular matrices
#   oclgrind PROGRAM KERNEL OCLGRIND        the same, and Oclgrind's checkers have nothing to say
#   references PROGRAM KERNEL OCLGRIND PLUGIN    the plugin of tests/references has compared every launch
#   too_large PROGRAM OCLGRIND              a buffer that the device cannot hold: a line, status 2
#   arguments PROGRAM                       malformed arguments and files: a line, status 2
# 77 where there is no PoCL.
. "${0%/*}/../../../tests/support/program.sh"
mode=$1
program=$2

# matrix ROWS COLUMNS: full rows and a full column, empty rows, few non-zeros else.
matrix() {
  awk -v rows="$1" -v columns="$2" 'BEGIN {
    for (i = 1; i <= rows; ++i)
      for (j = 1; j <= columns; ++j)
        if (i % 5 != 2 && (i == 3 || i == 40 || j == 7 || i == j || (i * 31 + j * 17) % 23 == 0))
          text[n++] = i " " j " " ((i * 7 + j * 13) % 19 - 9.5) / 8
    print "%%MatrixMarket matrix coordinate real general"
    print rows, columns, n
    for (k = 0; k < n; ++k)
      print text[k]
  }'
}
matrix 70 70 >"$work/square.mtx"
matrix 45 70 >"$work/wide.mtx"
printf '0 1\n1 2\n2 0\n5 1\n' >"$work/edges.txt" # only a pattern, and nodes without edges

# The options of a run for each matrix, and those that the kernel adds.
options() {
  case $1 in
  *-tiled) tiles='--tile 16' ;;
  *) tiles='--local 5' ;; # divides nothing
  esac
  echo "--size tiny"
  echo "--input $work/square.mtx $tiles"
  echo "--input $work/edges.txt $tiles"
  case $1 in
  spm*) echo "--input $work/wide.mtx $tiles" ;;
  esac
}

# verified: the last run checked its result and, for a tiled kernel, said how full the lanes are.
verified() {
  [ ! -s "$work/err" ] || fail "output on stderr"
  grep -q '^correct: ' "$work/out" || fail "not verified"
  case $kernel in
  *-tiled) grep -q '^SIMD utilisation 0\.[0-9]*[1-9]' "$work/out" || fail "no utilisation" ;;
  esac
}

case $mode in
pocl)
  kernel=$3
  options "$kernel" >"$work/options"
  while read -r line; do
    # shellcheck disable=SC2086 # words
    run "$program" "$kernel" $line --platform 'Portable Computing' --repeat 3 --csv "$work/row.csv"
    skip 'no OpenCL platform|no such platform' PoCL
    [ "$status" -eq 0 ] || fail "status $status of $kernel $line"
    verified
    awk -F, -v kernel="$kernel" '
      NR == 1 { good = $0 == "kernel,rows,columns,non_zeros,launches,kernel_time_us" }
      NR == 2 { good = good && NF == 6 && $1 == kernel && $2 > 0 && $3 > 0 && $4 > 0 && $5 > 0 && $6 > 0 }
      END { exit !(good && NR == 2) }' "$work/row.csv" || fail "row: $(cat "$work/row.csv")"
  done <"$work/options"
  "$program" "$kernel" --input - --platform 'Portable Computing' <"$work/square.mtx" >"$work/out" 2>"$work/err" ||
    fail "standard input"
  verified
  # Only the row on standard output, without a check, too.
  succeeded "$program" "$kernel" --platform 'Portable Computing' --no-check --csv -
  grep -q "^$kernel,192,192," "$work/out" || fail "no row"
  [ "$(wc -l <"$work/out")" -eq 2 ] || fail "more than a row"
  ;;
oclgrind)
  kernel=$3
  options "$kernel" >"$work/options"
  while read -r line; do
    # shellcheck disable=SC2086 # words
    succeeded "$4" --data-races --uninitialized --check-api "$program" "$kernel" $line
    verified
    grep -q 'on Oclgrind Simulator$' "$work/out" || fail "did not run in the simulator"
  done <"$work/options"
  ;;
references)
  kernel=$3
  tiles=
  case $kernel in *-tiled) tiles='--tile 16' ;; esac
  # shellcheck disable=SC2086 # words
  succeeded "$4" --plugins "$5" "$program" "$kernel" --input "$work/square.mtx" $tiles
  grep -q '^correct: ' "$work/out" || fail "not verified"
  tail -n 1 "$work/err" | grep -qx 'references: all kernels agree' || fail "not every kernel compared"
  ;;
too_large)
  refused "$3" --global-mem-size 1000 "$program" spmv-csr
  grep -q '^aiwc-irregular: .*takes [0-9]* bytes' "$work/err" || fail "which buffer, and its size"
  ;;
arguments)
  # message PATTERN ARGUMENTS...: one line with the pattern, status 2
  message() {
    pattern=$1
    shift
    refused "$program" "$@"
    grep -Eq "^aiwc-irregular: .*$pattern" "$work/err" || fail "expected $pattern of $*"
  }
  message 'kernel is required'
  message 'spmv' spmv
  message '--size' euler --size huge
  message 'excludes' euler --size tiny --input "$work/square.mtx"
  message '--local' euler --local 0
  message '--local' euler --local many
  message '--local: a work-group of euler-tiled is the 16 lanes of a tile' euler-tiled --local 8
  message '--tile: euler has no tiles' euler --tile 8
  message '--tile' euler-tiled --tile 0
  message '--repeat' euler --repeat 0
  message 'not expected' euler moldyn
  message "$work/none.mtx" euler --input "$work/none.mtx"
  message 'none/row.csv' euler --csv "$work/none/row.csv"
  message '45 rows and 70 columns: euler expects' euler --input "$work/wide.mtx"
  head -n 9 "$work/square.mtx" >"$work/short.mtx"
  message "short.mtx:[0-9]+: " spmv-csr --input "$work/short.mtx"
  succeeded "$program" --help
  for kernel in spmv-csr spmv-ell spmv-coo spmm triangular-solve pagerank pagerank-tiled euler \
    euler-tiled moldyn moldyn-tiled; do
    grep -q "^  $kernel  *[a-z0-9]" "$work/out" || fail "$kernel is not in the help"
  done
  ;;
*)
  echo "unknown mode $mode"
  exit 1
  ;;
esac
