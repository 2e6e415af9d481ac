#!/bin/sh
# examples/pick_device as a user runs it:
#   pick_device.sh pocl|oclgrind PROGRAM KERNEL AIWC DEVICES
# PROGRAM runs on PoCL's devices or in the stock Oclgrind; KERNEL is the file without profiles,
# AIWC the command, DEVICES a folder of device profiles. 77 where there is no PoCL.
. "${0%/*}/../support/program.sh"
mode=$1
program=$2
kernel=$3
aiwc=$4
devices=$5

# Whatever the file holds, the kernel runs and is right, and nothing is said on stderr.
pick() {
  if [ "$mode" = pocl ]; then
    run env OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd POCL_DEVICES="pthread basic" \
      "$program" "$1"
  else
    run "${STOCK_OCLGRIND:-/usr/bin/oclgrind}" "$program" "$1"
  fi
  skip 'no OpenCL device' 'OpenCL device'
  [ "$status" -eq 0 ] || fail "status $status with $1"
  [ ! -s "$work/err" ] || fail "output on stderr with $1"
  grep -qx 'correct' "$work/out" || fail "no result with $1"
  [ "$(wc -l <"$work/out")" -eq 2 ] || fail "two lines expected with $1"
}

says() {
  head -n 1 "$work/out" | grep -Eq -- "$1" || fail "expected: $1"
}

# device ID WORD: the device ID as it is known, answering to WORD.
device() {
  sed "s/\"opencl_names\": .*/\"opencl_names\": [\"$2\"],/" "$devices/$1.json" \
    >"$work/devices/$1.json"
}

mkdir "$work/profiles" "$work/devices" || exit 1
succeeded "$aiwc" run --quiet --output "$work/profiles" -- "$program" "$kernel"
annotated=$work/annotated.cl
succeeded "$aiwc" annotate embed "$work/profiles" --into "$kernel" -o "$annotated"

# Nobody knows the devices of this machine.
device gtx1080 nonesuch
AIWC_DEVICES=$work/devices
export AIWC_DEVICES
pick "$annotated"
says '^the first device, .*: no device, or several, for the OpenCL device "'

if [ "$mode" = pocl ]; then
  # The second one is the faster: choosing is not falling back.
  device i5-3550 pthread
  device i7-6700k basic
  pick "$annotated"
  says '^the best of 2 known devices, basic.*: i7-6700k takes [0-9.]+ us, most of it [A-Za-z -]+$'
  device i5-3550 basic
  device i7-6700k pthread
  pick "$annotated"
  says '^the best of 2 known devices, pthread.*: i7-6700k takes '
else
  device i7-6700k 'Oclgrind Simulator'
  pick "$annotated"
  says '^the best of 1 known devices, Oclgrind Simulator: i7-6700k takes [0-9.]+ us, most of it [A-Za-z -]+$'
fi

# A source that has changed since, none with profiles, and one with rubbish for a profile.
{ cat "$annotated" && echo '// changed'; } >"$work/stale.cl"
pick "$work/stale.cl"
says '^the best of .*: i7-6700k takes .* \(stale profile\)$'
pick "$kernel"
says '^the first device, .*: kernels: no profile of kernel scale with global size [0-9]+ and local size [0-9]+ is embedded'
sed 's/ fp_ops=[0-9]*/ fp_ops=77/; s/^\(.*@aiwc\) fp_ops=[0-9]*/\1 fp_ops=77/' "$annotated" \
  >"$work/damaged.cl"
! cmp -s "$annotated" "$work/damaged.cl" || fail "nothing was damaged"
pick "$work/damaged.cl"
says '^the first device, .*: kernels: line [0-9]+: check is '
{
  printf '//@aiwc begin 1\n//@aiwc kernel=scale global=4096 local=\n#line 1 //@aiwc end\n'
  printf '//@aiwc begin 7\n//@aiwc nothing\n#line 1 //@aiwc end\n//@aiwc begin\n'
  cat "$kernel"
} >"$work/garbage.cl"
pick "$work/garbage.cl"
says '^the first device, .*: kernels: no profile of kernel scale with global size [0-9]+ and local size [0-9]+ is embedded'
AIWC_DEVICES=$work/none
pick "$annotated"
says "^the first device, .*$work/none"
exit 0
