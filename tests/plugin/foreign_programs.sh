#!/bin/sh
# benchmarks/foreign/run.sh tells programs that both engines leave as they are from those that they do not.
#   foreign_programs.sh RUN BIN APPS OUT     RUN: the script; BIN: the folder of oclgrind; APPS: the tests' applications
set -eu
run=$1 bin=$2 apps=$3 out=$4
rm -rf "$out"
mkdir -p "$out/programs/fill" "$out/programs/shell"
cp "$apps/enqueue" "$out/programs/fill/"
cat >"$out/programs/fill/fill.cl" <<'END'
kernel void fill(global int *out) {
  out[get_global_id(0)] += 3 * get_global_id(0);
}
END
# A program sees aiwc by its environment only.
cat >"$out/programs/shell/aware.sh" <<'END'
case $1 in
number) [ -z "${AIWC_OUTPUT:-}" ] && echo "result 1" || echo "result 2" ;;
file) echo "${AIWC_OUTPUT:-none}" >result.txt ;;
signal) [ -z "${AIWC_OUTPUT:-}" ] || kill -SEGV $$ ;;
always) kill -SEGV $$ ;;
changing) echo "process $$ took 0.$$ s" ;;
esac
END
cat >"$out/list" <<'END'
# suite|name|folder|command|mask
simple|fill|fill|./enqueue fill.cl fill global=8 times=3 buffer=64|
simple|compiler-error|fill|./enqueue list-is-no-kernel fill|
shell|number|shell|sh aware.sh number|
shell|file|shell|sh aware.sh file|
shell|signal|shell|sh aware.sh signal|
shell|always|shell|sh aware.sh always|
shell|unmasked|shell|sh aware.sh changing|
shell|masked|shell|sh aware.sh changing|s/process [0-9]+ //; s/0\.[0-9]+ s/a time/
masked|*|||s/process [0-9]+ //; s/0\.[0-9]+ s|[0-9]+ ms/a time/
masked|all|shell|sh aware.sh changing|
absent|program|nowhere|./program|
END

export AIWC_FOREIGN="$out/programs"
if bash "$run" "$out/list" "$bin" "$out/all" >"$out/log" 2>&1; then
  echo "the script reports no difference"
  exit 1
fi
cat "$out/log"
expect() { # expect PROGRAM LAUNCHES COMPILED STATUS,STATUS,STATUS OUTPUT PROFILES
  row=$(grep "LIST BIN OUT,[a-z]*,$1," "$out/all/foreign.csv") || {
    echo "$1: no row"
    exit 1
  }
  case $row in
  *",$1,$2,$3,\"\",$4,$5,$6,"[0-9]*,[0-9]*,[0-9]*) ;;
  *)
    echo "$row: expected $*"
    exit 1
    ;;
  esac
}
expect fill 3 3 0,0,0 yes yes
expect number 0 0 0,0,0 no yes
expect file 0 0 0,0,0 no yes
expect signal 0 0 0,139,139 no yes
expect always 0 0 139,139,139 yes yes
expect unmasked 0 0 0,0,0 unstable yes
expect masked 0 0 0,0,0 yes yes
expect all 0 0 0,0,0 yes yes
grep -q "absent/program: .* is not there" "$out/log"
grep -q "9 configurations of 3 suites: 3 launches, 100.0 % of them compiled; 1 end otherwise .*, 3 with other output, 0 with other profiles" "$out/log"

# Programs without a difference are a success, and a kernel that goes back to the interpreter counts as such.
bash "$run" "$out/list" "$bin" "$out/some" 'simple/fill|shell/masked'
cat >"$out/programs/fill/outside.cl" <<'END'
kernel void fill(global int *out) {
  atomic_inc(out + get_global_id(0) + 15);
}
END
echo 'simple|outside|fill|./enqueue outside.cl fill global=8 local=8 buffer=64|' >"$out/list"
bash "$run" "$out/list" "$bin" "$out/back"
grep -qE ',outside,1,0,"1 x [^"]+",0,0,0,yes,yes,' "$out/back/foreign.csv"
