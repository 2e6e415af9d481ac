#!/bin/sh
# examples/starpu from its characterisation to dmda with predicted times: it computes what it should
# under each kind of model, nothing needs to be said where all is known, and one line is said for
# each kernel where nothing is. Usage: example.sh BIN KERNELS DEVICES
set -eu
. "$(dirname "$0")/characterised.sh"

export STARPU_HOME="$work/real" STARPU_NCPU=1 STARPU_SCHED=dmda
export AIWC_STARPU_CPU=i7-6700k AIWC_STARPU_OPENCL=gtx1080
for models in predicted seeded; do
  "$bin/starpu_tasks" --models $models --repeat 2 "$work/annotated.cl" >"$work/out" 2>"$work/said" ||
    fail "$(cat "$work/said")"
  [ "$(grep -c ' ms$' "$work/out")" = 3 ] || fail "three times expected: $(cat "$work/out")"
  ! grep '^aiwc:' "$work/said" || fail "nothing expected with --models $models"
done
"$bin/starpu_tasks" --models predicted "$kernels" >"$work/out" 2>"$work/said" ||
  fail "$(cat "$work/said")"
[ "$(grep -c '^aiwc: .*: StarPU measures it: ' "$work/said")" = 8 ] ||
  fail "a line for each kernel expected: $(cat "$work/said")"
