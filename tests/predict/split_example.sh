#!/bin/sh
# examples/split on the first OpenCL device's sub-devices:
#   shares SPLIT_GEM      splits of all kinds give what one device does; wrong ones are refused
#   pipeline SCRIPT       characterised, split by prediction and run; OCLGRIND, AIWC, SPLIT_GEM as there
# 77 where no device here can be split.
. "${0%/*}/../support/program.sh"
mode=$1
program=$2

# All values the same to the bit: 777 vertices, the last work-group being only begun.
correct() {
  run "$program" --atoms 70 --vertices 777 "$@"
  skip 'no OpenCL|compute units|cannot be partitioned' "device that can be split"
  [ "$status" -eq 0 ] || fail "status $status of $*"
  [ ! -s "$work/err" ] || fail "output on stderr of $*"
  grep -q '^correct: 777 of 777 values are those of one device to the bit$' "$work/out" ||
    fail "not verified: $*"
}

refused_split() {
  refused "$program" --atoms 70 --vertices 777 "$@"
}

case $mode in
shares)
  correct --share 0:416 --share 416:384 --local-size 32
  correct --share 0:64 --share 64:768
  correct --share 0:768 --share 768:64
  correct --share 0:0 --share 0:832
  correct --share 0:208 --share 208:576 --local-size 16 --compute-units 1,1
  correct --share 0:320 --share 320:512 --devices 0:0,0:0
  refused_split --share 0:320 --share 384:448 # a hole
  refused_split --share 0:448 --share 384:448 # an overlap
  refused_split --share 0:320 --share 320:448 # the end is missing
  refused_split --share 0:300 --share 300:532 # a work-group is cut
  refused_split --share 0:320 --share 320:512 --devices 0:0
  refused_split --share 0:-1
  refused_split --split "$work/missing.json"
  echo '{"splits": []}' >"$work/other.json"
  refused_split --split "$work/other.json"
  ;;
pipeline)
  run "$program"
  [ "$status" -ne 77 ] || exit 77
  [ "$status" -eq 0 ] || fail "status $status"
  # The prediction gives both devices something, and the application runs just that.
  grep -Eq '^  i5-12400 +[1-9]' "$work/out" || fail "no share of the first device"
  grep -Eq '^  i9-13900k +[1-9]' "$work/out" || fail "no share of the second device"
  grep -q '^correct: 1901 of 1901 values are those of one device to the bit$' "$work/out" ||
    fail "not verified"
  ;;
*)
  echo "unknown mode $mode"
  exit 1
  ;;
esac
