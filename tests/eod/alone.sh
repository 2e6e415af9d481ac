#!/bin/sh
# The suite as a project of its own: its folder is copied away, and is configured, built, installed
# and run there. What the copy took from the rest of the tree would be missing.
#   alone.sh SUITE CMAKE COMPILER VERSION OCLGRIND BIN APPLICATION
# SUITE: the folder of the suite. VERSION: of the suite. OCLGRIND: the stock simulator, BIN: the programs of aiwc with its plugin; "" where there is none.
. "${0%/*}/../support/program.sh"
suite=$1 cmake=$2 compiler=$3 version=$4 oclgrind=$5 bin=$6 application=$7
cd "$work" || exit 1

cp -R "$suite" "a copy" # of another name, and with a space
# What was compiled for this test before need not be compiled again: paths in $work do not count.
export CCACHE_BASEDIR="$work" CCACHE_NOHASHDIR=1
launcher=$(command -v ccache || true)
succeeded "$cmake" -S "a copy" -B build -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
  ${launcher:+-DCMAKE_CXX_COMPILER_LAUNCHER="$launcher"} \
  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_UNITY_BUILD=ON \
  -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DAIWC_EOD_APPLICATIONS="$application"
# Its programs need nothing of aiwc, neither a header nor a library.
! grep -q 'aiwc_build_flags\|libaiwc' build/build.ninja || fail "it is built with parts of aiwc"
succeeded "$cmake" --build build
succeeded "$cmake" --install build --prefix "$work/prefix"
rm -rf "a copy" build # what is installed stands alone
[ -f prefix/share/man/man1/eod.1 ] || fail "no man page"

eod=$work/prefix/bin/eod
succeeded "$eod" --version
[ "$(cat out)" = "eod $version" ] || fail "not version $version"
succeeded "$work/prefix/bin/eod-$application" --version
[ "$(cat out)" = "eod-$application $version" ] || fail "not version $version"
succeeded "$eod" list --sizes tiny --json -
[ "$(grep -c '"application": ' out)" -eq 1 ] || fail "not one application"
grep -q "\"application\": \"$application\"" out || fail "another application"

if [ -n "$oclgrind" ]; then
  succeeded "$oclgrind" "$work/prefix/bin/eod-$application" --size tiny
  grep -q '^correct: ' out || fail "not verified"
fi

# To characterise takes aiwc, which is looked for when it is needed.
mkdir nothing
PATH=$work/nothing run "$eod" characterise --out profiles
[ $status -eq 1 ] || fail "status $status without aiwc"
grep -q '^eod: aiwc: no such program beside eod or in PATH: expected ' err || fail "it does not say why"
[ ! -e profiles ] || fail "it left something"
if [ -n "$bin" ]; then
  PATH=$bin:$PATH run "$eod" characterise --out profiles
  [ $status -eq 0 ] || fail "status $status with aiwc in PATH"
  profiles=$(find profiles -name 'aiwc_*.json' | wc -l)
  [ "$profiles" -ge 1 ] || fail "no profile"
  [ "$(wc -l <profiles/index.csv)" -gt "$profiles" ] || fail "not a row per launch"
fi
