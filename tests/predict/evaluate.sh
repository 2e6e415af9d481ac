#!/bin/sh
# aiwc-evaluate on what the suite's runner leaves:
#   joined EVALUATE EOD MACHINES    characterised, measured on the first device, compared
#   refused EVALUATE                bad input: status 2, one line, nothing on standard output
# 77 where there is no device.
. "${0%/*}/../support/program.sh"
mode=$1
evaluate=$2

case $mode in
joined)
  eod=$3
  run "$eod" run --out "$work/times" --apps crc,csr --sizes tiny --samples 3 --min-seconds 0
  skip 'no OpenCL|no such platform' device
  [ "$status" -eq 0 ] || fail "status $status of eod run"
  succeeded "$eod" characterise --out "$work/profiles" --apps crc,csr --sizes tiny
  succeeded "$evaluate" "$work/profiles" --measured "$work/times" --device xeon-2.50ghz-2-cores \
    --device-dir "$4"
  grep -Eq '^crc +tiny +crc32_slice8 +1 ' "$work/out" || fail "crc is not there"
  grep -Eq '^csr +tiny +csr +1 ' "$work/out" || fail "csr is not there"
  grep -Eq '^mean +2 ' "$work/out" || fail "not a mean of two kernels"
  grep -q 'left out' "$work/out" && fail "times and profiles are not of the same launches"
  # Published times of one kernel, the same on both devices.
  {
    echo application,size,kernel,device,median_us
    for device in i7-6700k gtx1080; do
      echo "crc,tiny,crc32_slice8,$device,7"
    done
  } >"$work/published.csv"
  succeeded "$evaluate" "$work/profiles" --published "$work/published.csv"
  grep -Eq '^crc +tiny +crc32_slice8 +- ' "$work/out" || fail "a rank correlation without ranks"
  grep -q 'no published time: csr tiny csr$' "$work/out" || fail "csr is not left out"
  ;;
refused)
  echo application,size,kernel,device,median_us >"$work/times.csv"
  echo lud,tiny,lud_internal,nosuch,1 >>"$work/times.csv"
  refused "$evaluate" "$work"
  refused "$evaluate" "$work" --published "$work/missing.csv"
  refused "$evaluate" "$work" --published "$work/times.csv" # no such device
  refused "$evaluate" "$work" --measured "$work" --device i7-6700k
  refused "$evaluate" "$work" --measured "$work"
  sed -i s/nosuch/gtx1080/ "$work/times.csv"
  refused "$evaluate" "$work" --published "$work/times.csv" # no index
  refused "$evaluate" "$work" --published "$work/times.csv" --devices k20c
  ;;
*)
  echo "unknown mode $mode"
  exit 1
  ;;
esac
