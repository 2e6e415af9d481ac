#!/usr/bin/env bash
# show.sh BIN COUNT: how long `aiwc show` takes for a run of COUNT launches, against a run of the
# thirteen launches that it repeats, as a row of results/show.csv. BIN has aiwc and eod-lud.
set -euo pipefail
[ $# -eq 2 ] || { echo "show.sh: expected BIN COUNT" >&2; exit 2; }
bin=$(realpath "$1")
count=$2
commit=$(git -C "$(dirname "$0")" rev-parse --short HEAD)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$bin/aiwc" run --quiet --output "$work/few" -- "$bin/eod-lud" --size tiny >"$work/said"
python3 - "$work/few" "$work/many" "$count" <<'END'
import json, os, sys

few, many, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.mkdir(many)
run = json.load(open(f"{few}/run.json"))
launches = []
for number in range(count):
    launch = dict(run["launches"][number % len(run["launches"])])
    name = f"aiwc_{launch['kernel']}_{number}.json"
    os.link(f"{few}/{launch['profile']}", f"{many}/{name}")
    launches.append(launch | {"profile": name, "number": number})
json.dump(run | {"launches": launches}, open(f"{many}/run.json", "w"))
END
seconds() { # the median of five
  for _ in 1 2 3 4 5; do
    { TIMEFORMAT=%R; time "$bin/aiwc" show "$1" >"$work/said"; } 2>&1
  done | sort -n | sed -n 3p
}
machine="$(nproc) x $(sed -n 's/^model name\t: //p' /proc/cpuinfo | head -1)"
echo "date,commit,machine,command,launches,seconds,seconds_of_13_launches"
echo "$(date +%F),$commit,$machine,benchmarks/runs/show.sh BIN $count,$count,$(seconds "$work/many"),$(seconds "$work/few")"
