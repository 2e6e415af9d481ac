#!/bin/sh
# Characterises an application of the suite, puts its profiles into what its kernels are built from,
# and runs it from there: the profiles are found, and the result is the same, to the bit, as without
# them.
#   annotated.sh CONTAINER BIN SOURCE OCLGRIND LLVM LLVM_SPIRV APPLICATION
# CONTAINER: source, text (LLVM IR), bitcode or spirv. BIN: the project's programs. SOURCE: the
# application's OpenCL C. OCLGRIND: the stock simulator. LLVM: the folder of its tools.
# LLVM_SPIRV: the converter. 77 where there is no PoCL.
. "${0%/*}/../support/program.sh"
container=$1 bin=$2 source=$3 oclgrind=$4 llvm=$5 llvm_spirv=$6 application=$7
program=$bin/eod-$application
cd "$work" || exit 1

# What must succeed, and be silent on stderr.
must() {
  succeeded "$@"
  [ ! -s err ] || fail "output on stderr of $*"
}

field() {
  sed -n "s/^  \"$1\": \"\{0,1\}\([^\"]*[^\",]\)\"\{0,1\},\{0,1\}\$/\1/p" run.json
}

# The hash of the result on a device, of the program that is built from a file.
result() { # DEVICE FILE
  case $1 in
  pocl) set -- "$2" "$program" --platform 'Portable Computing' ;;
  oclgrind) set -- "$2" "$oclgrind" "$program" ;;
  esac
  file=$1
  shift
  must "$@" --size tiny --local-size "$local_size" --program "$file" --json run.json
  grep -q '"verified": true' run.json || fail "not verified"
  field result_hash
}

# The same from both files, on a device.
same() { # DEVICE FILE FILE
  plain=$(result "$1" "$2") || fail "$plain"
  annotated=$(result "$1" "$3") || fail "$annotated"
  [ -n "$plain" ] || fail "$1: no result"
  [ "$plain" = "$annotated" ] || fail "$1: results $plain and $annotated"
}

mkdir profiles
must "$bin/oclgrind" --aiwc --aiwc-quiet --aiwc-output profiles \
  "$program" --size tiny --json run.json
local_size=$(field local_size)
build_options=$(field build_options)
cp "$source" plain.cl

compile() { # OUTPUT OPTIONS...
  output=$1
  shift
  # shellcheck disable=SC2086 # options of the build
  must "$llvm/clang" -x cl -cl-std=CL1.2 -target spir64-unknown-unknown -Xclang \
    -finclude-default-header -Xclang -cl-kernel-arg-info -w -O1 $build_options -emit-llvm "$@" \
    plain.cl -o "$output"
}

# Every kernel and NDRange is found that was characterised.
embed() { # FILE OUTPUT
  succeeded "$bin/aiwc" annotate embed profiles --into "$1" -o "$2"
  must "$bin/aiwc" annotate lookup --strict --json "$2"
  found=$(grep -c '"kernel": ' out)
  expected=$(cat profiles/*.json | tr -d ' \n' |
    grep -o '"kernel":"[^"]*","invocation":[0-9]*,"work_dim":[0-9],"global_offset":[^]]*\],"global_size":[^]]*\],"local_size":[^]]*\]' |
    sed 's/"invocation.*"global_size/"global_size/' | sort -u | wc -l)
  [ "$found" -eq "$expected" ] || fail "$found profiles in $2: expected $expected"
}

has_pocl=true
run "$program" --platform 'Portable Computing'
[ "$status" -eq 0 ] || has_pocl=false

case $container in
source)
  embed plain.cl annotated.cl
  same oclgrind plain.cl annotated.cl
  # Times of the annotated source join the profiles of the bare one.
  grep -q "\"source_hash\": \"$(field source_hash)\"" profiles/aiwc_*_0.json ||
    fail "the annotated source has another hash: $(field source_hash)"
  $has_pocl || exit 77
  same pocl plain.cl annotated.cl
  ;;
bitcode)
  compile plain.bc -c
  embed plain.bc annotated.bc
  same oclgrind plain.bc annotated.bc
  # An annotated binary is the same binary, of which profiles belong to it.
  for file in plain annotated; do
    mkdir $file
    must "$bin/oclgrind" --aiwc --aiwc-quiet --aiwc-output $file \
      "$program" --size tiny --local-size "$local_size" --program $file.bc
  done
  diff -r -x run.json plain annotated >out || fail "characterised from a binary, with annotations and without"
  succeeded "$bin/aiwc" annotate embed plain --into annotated.bc # into what was characterised
  $has_pocl || exit 77
  same pocl plain.bc annotated.bc
  ;;
spirv)
  compile plain.bc -c
  must "$llvm_spirv" plain.bc -o plain.spv
  embed plain.spv annotated.spv
  must "$llvm_spirv" -r plain.spv -o plain.bc
  must "$llvm_spirv" -r annotated.spv -o annotated.bc
  same oclgrind plain.bc annotated.bc
  ;;
*)
  echo "no container $container"
  exit 1
  ;;
esac
