# For the scripts of this folder, which include it with their arguments BIN KERNELS DEVICES: sets `bin`,
# `kernels` and `work`, and characterises the example's kernels into $work/annotated.cl.
bin=$1 kernels=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export STARPU_OPENCL_ON_CPUS=1 STARPU_OPENCL_ONLY_ON_CPUS=1 STARPU_SILENT=1 STARPU_WORKERS_NOBIND=1
export AIWC_DEVICES="$3" AIWC_CACHE=none
mkdir "$work/simulated" "$work/real"
fail() {
  echo "$1" >&2
  exit 1
}
STARPU_HOME=$work/simulated STARPU_NCPU=0 "$bin/aiwc" run --quiet \
  --output "$work/profiles" -- "$bin/starpu_tasks" --models measured "$kernels"
"$bin/aiwc" annotate embed "$work/profiles" --into "$kernels" -o "$work/annotated.cl" 2>"$work/said"
