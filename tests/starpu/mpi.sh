#!/bin/sh
# examples/starpu over several processes: each executes the tasks that overwrite the tiles it owns,
# with predicted times from the first task on; a process whose devices are unknown says why, and has
# StarPU measure. Usage: mpi.sh BIN KERNELS DEVICES
set -eu
. "$(dirname "$0")/characterised.sh"

export STARPU_HOME="$work/real" STARPU_NCPU=1 STARPU_SCHED=dmda
export AIWC_STARPU_CPU=i7-6700k AIWC_STARPU_OPENCL=gtx1080
if [ "$(id -u)" = 0 ]; then # as in a container
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi

# over PROCESSES COMMAND...: all on this machine, whatever the number of its cores. StarPU's processes, which take
# seconds, wait for each other for ever now and then: that is tried again.
over() {
  processes=$1
  shift
  for attempt in 1 2 3; do
    status=0
    timeout --kill-after=5 60 mpirun -n "$processes" --oversubscribe --bind-to none "$@" >"$work/out" 2>"$work/said" ||
      status=$?
    [ "$status" = 124 ] || break
  done
  [ "$status" = 0 ] || fail "$(cat "$work/out" "$work/said")"
}

# Tile (i, j) of 6 x 6 is overwritten by min(i, j) + 1 tasks. Its owner of two processes is i mod 1 *
# 2 + j mod 2: columns take turns.
expect_tasks() { # PROCESSES
  for rank in $(seq 0 $(($1 - 1))); do
    expected=0
    for i in 0 1 2 3 4 5; do
      for j in 0 1 2 3 4 5; do
        [ $((j % $1)) != "$rank" ] || expected=$((expected + 1 + (i < j ? i : j)))
      done
    done
    executed=$(awk -v rank="$rank" '$1 == "rank" && $2 == rank { print $5 + $10 }' "$work/out")
    [ "$executed" = "$expected" ] ||
      fail "rank $rank of $1: expected $expected tasks: $(cat "$work/out")"
  done
}
# StarPU writes a file for each kind of task that it measured.
measured() {
  find "$work/real" -path '*/codelets/*' -type f
}

for processes in 1 2; do # the first also measures the machine's buses, for all
  over $processes "$bin/starpu_lu_mpi" --scale 2 "$work/annotated.cl"
  expect_tasks $processes
  ! grep 'aiwc:' "$work/said" || fail "nothing expected: all is known"
  [ -z "$(measured)" ] || fail "no measurements expected with predicted models: $(measured)"
done

over 2 "$bin/starpu_lu_mpi" --scale 2 --models seeded "$work/annotated.cl"
expect_tasks 2
rm -r $(dirname $(measured) | sort -u)

# The OpenCL device of rank 1 has no profile.
over 2 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 0 ] || export AIWC_STARPU_OPENCL=nobody-has-it; exec "$@"' \
  sh "$bin/starpu_lu_mpi" --scale 2 "$work/annotated.cl"
expect_tasks 2
grep 'aiwc:' "$work/said" >"$work/lines"
! grep -v '^rank 1: ' "$work/lines" || fail "lines of rank 1 expected"
[ "$(grep -c 'AIWC_STARPU_OPENCL: .*nobody-has-it' "$work/lines")" = 1 ] ||
  fail "one line about the device expected: $(cat "$work/lines")"
for kind in diagonal row column internal; do
  [ "$(grep -c "lu_$kind: StarPU measures it: a worker has no device file" "$work/lines")" = 1 ] ||
    fail "one line about lu_$kind expected: $(cat "$work/lines")"
done
[ "$(wc -l <"$work/lines")" = 5 ] || fail "five lines expected: $(cat "$work/lines")"
[ "$(measured | wc -l)" = 4 ] || fail "measurements of four kinds of tasks expected: $(measured)"
