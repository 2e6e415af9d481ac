#!/bin/sh
# Compares schedulers and performance models of StarPU on the application of this folder: the time
# until all tasks are done, of the first and of the tenth run in a process. Prints CSV, medians over
# the rounds, in which the variants take turns.
#
# Usage: compare.sh BIN ANNOTATED [ROUNDS [SCALE]]
#   BIN        the folder with starpu_tasks
#   ANNOTATED  tasks.cl with its profiles (README.md)
# AIWC_STARPU_CPU, AIWC_STARPU_OPENCL and AIWC_DEVICES as for the application.
set -eu
bin=$1 kernels=$2 rounds=${3:-10} scale=${4:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export STARPU_OPENCL_ON_CPUS=1 STARPU_OPENCL_ONLY_ON_CPUS=1 STARPU_SILENT=1
export STARPU_NCPU="${STARPU_NCPU:-1}"

# A home with what StarPU measures of the machine's buses, and no histories.
mkdir "$work/bus" "$work/calibrated"
STARPU_HOME=$work/bus "$bin/starpu_tasks" --models predicted "$kernels" >/dev/null 2>&1
find "$work/bus" -path '*codelets*' -type f -delete
cp -r "$work/bus/." "$work/calibrated"
# Calibrated by StarPU itself: each kind of task often enough on each worker.
for i in 1 2 3; do
  STARPU_HOME=$work/calibrated STARPU_SCHED=dmda STARPU_CALIBRATE=1 \
    "$bin/starpu_tasks" --models measured --repeat 10 --scale "$scale" "$kernels" >/dev/null 2>&1
done

# run VARIANT SCHEDULER MODELS HOME: appends "VARIANT FIRST TENTH".
run() {
  cp -r "$work/$4" "$work/home"
  STARPU_HOME=$work/home STARPU_SCHED=$2 "$bin/starpu_tasks" --models "$3" --repeat 10 \
    --scale "$scale" "$kernels" 2>/dev/null |
    awk -v variant="$1" '/^[0-9.]+ ms$/ { if (!first) first = $1; last = $1 }
      END { print variant, first, last }' \
      >>"$work/times"
  rm -rf "$work/home"
}
for round in $(seq "$rounds"); do
  run eager eager measured bus
  run lws lws measured bus
  run dmda_uncalibrated dmda measured bus
  run dmda_predicted dmda predicted bus
  run dmda_seeded dmda seeded bus
  run dmda_calibrated dmda measured calibrated
done

median() { # VARIANT COLUMN
  awk -v variant="$1" -v column="$2" '$1 == variant { print $column }' "$work/times" | sort -n |
    awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}
echo variant,first_ms,tenth_ms
for variant in eager lws dmda_uncalibrated dmda_predicted dmda_seeded dmda_calibrated; do
  echo "$variant,$(median $variant 2),$(median $variant 3)"
done
