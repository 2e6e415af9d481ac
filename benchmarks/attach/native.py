#!/usr/bin/env python3
"""Programs on their own OpenCL device, bare, under `aiwc attach --times-only` and under `aiwc attach`: do they print
the same, how much longer do they take, and are the profiles of `attach` those of `aiwc run`?

    native.py LIST BIN OUT [--only REGEX] [--size SIZE] [--rounds N] [--no-profiles]

LIST has lines suite|name|folder|command|mask, as benchmarks/foreign/run.sh reads them; folders are
relative to AIWC_FOREIGN. BIN holds the program aiwc; "eod" in place of LIST stands for the applications
of the suite in BIN at SIZE (medium), whose times of kernels and of the set-up are not compared. Rounds
are interleaved. Wall times are those of the program, from its start to its end, and the least of the
rounds; OUT/attach.csv has a row per program.
"""
import argparse
import csv
import datetime
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

COLUMNS = ["date", "commit", "machine", "command", "suite", "program", "size", "launches", "characterised",
           "alike", "same_output", "bare_s", "time_over_bare", "attach_over_bare", "after_end_s",
           "kernels_ms", "kernels_attach_over_time", "profiles_compared", "profiles_equal",
           "metrics_within_2_errors_percent"]
EOD_TIMES = r"s/^([A-Za-z_0-9]+ +[0-9]+) +[0-9.e+-]+$/\1/; s/set-up [0-9.]+ ms$/set-up/"
TRANSFERS = re.compile(r"^(host_to_device|device_to_host)_")


def programs(args):
    if args.list == "eod":
        for path in sorted(args.bin.glob("eod-*")):
            yield "eod", path.name[4:], None, f"{path} --size {args.size}", EOD_TIMES
        return
    default = {}
    for line in pathlib.Path(args.list).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        suite, name, folder, command, mask = (line.split("|", 4) + [""] * 5)[:5]
        if name == "*":
            default[suite] = mask
            continue
        yield suite, name, folder, command, mask or default.get(suite, "")


def masked(text, mask):
    if not mask:
        return text
    return subprocess.run(["sed", "-E", mask], input=text, capture_output=True, text=True).stdout


def run(words, folder, environment):
    begin = time.monotonic()
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True,
                          errors="replace", timeout=900)
    return done, time.monotonic() - begin


def launches_of(folder):
    return json.loads((folder / "run.json").read_text())


def metrics_of(folder, launch):
    profile = json.loads((folder / launch["profile"]).read_text())
    return ({k: v for k, v in profile["metrics"].items() if not TRANSFERS.match(k)},
            profile.get("errors", {}))


def compare(attached, simulated):
    """Profiles of the same launches: how many, how many are equal, and how many of the metrics that are
    estimates are within two of their errors."""
    known = {(l["kernel"], l["invocation"]): l
             for l in launches_of(simulated)["launches"] if l["profile"]}
    compared = equal = estimates = within = 0
    for launch in launches_of(attached)["launches"]:
        if not launch["profile"] or "alike_to" in launch:
            continue
        other = known.get((launch["kernel"], launch["invocation"]))
        if not other:
            continue
        compared += 1
        mine, errors = metrics_of(attached, launch)
        exact, _ = metrics_of(simulated, other)
        equal += mine == exact
        for key, error in errors.items():
            if isinstance(error, (int, float)) and exact.get(key) is not None:
                estimates += 1
                within += abs(mine[key] - exact[key]) <= 2 * error + 1e-9 * abs(exact[key])
    return compared, equal, 100 * within / estimates if estimates else math.nan


def measure(args, suite, name, folder, command, mask, environment):
    here = args.out / suite / name
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir(parents=True)
    place = pathlib.Path(os.environ.get("AIWC_FOREIGN", "."), folder) if folder else here
    words = shlex.split(command)
    aiwc = str(args.bin / "aiwc")
    walls = {"bare": [], "time": [], "attach": []}
    kernels = {"time": [], "attach": []}
    after, same = [], True
    for number in range(args.rounds):
        bare, wall = run(words, place, environment)
        walls["bare"].append(wall)
        for what in ("time", "attach"):
            output = here / f"{what}{number}"
            done, wall = run([aiwc, "attach", *(["--times-only"] if what == "time" else []), "--output",
                              str(output), "--", *words], place, environment)
            made = launches_of(output)
            walls[what].append(made["seconds"])
            if what == "attach":
                after.append(wall - made["seconds"])
            kernels[what].append(sum(l.get("measured", {}).get("nanos", 0)
                                     for l in made["launches"]) / 1e6)
            if (masked(done.stdout, mask) != masked(bare.stdout, mask)
                    or done.returncode != bare.returncode):
                same = False
                (here / f"output_{what}").write_text(done.stdout + done.stderr)
                (here / "output_bare").write_text(bare.stdout)
    made = launches_of(here / "attach0")
    profiles = ["", "", ""]
    if not args.no_profiles:
        run([aiwc, "run", "--accuracy", "exact", "--invocations", "0-", "--output", str(here / "simulated"), "--", *words],
            place, environment)
        profiles = compare(here / "attach0", here / "simulated")
    return [len(made["launches"]),
            sum(1 for l in made["launches"] if l["profile"] and "alike_to" not in l),
            sum(1 for l in made["launches"] if "alike_to" in l), "yes" if same else "no",
            f"{min(walls['bare']):.3f}", f"{min(walls['time']) / min(walls['bare']):.2f}",
            f"{min(walls['attach']) / min(walls['bare']):.2f}", f"{min(after):.1f}",
            f"{min(kernels['time']):.3f}", f"{min(kernels['attach']) / min(kernels['time']):.2f}",
            *[x if isinstance(x, (int, str)) else f"{x:.1f}" for x in profiles]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list")
    parser.add_argument("bin", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("out", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--only", default="")
    parser.add_argument("--size", default="medium")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-profiles", action="store_true")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ)
    environment.pop("OPENCL_LAYERS", None)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            cwd=pathlib.Path(__file__).parent).stdout.strip()
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    machine = f"{os.cpu_count()} x {model.group(1) if model else 'unknown'}, PoCL"
    with open(args.out / "attach.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for suite, name, folder, command, mask in programs(args):
            if not re.search(args.only, f"{suite}/{name}"):
                continue
            try:
                row = measure(args, suite, name, folder, command, mask, environment)
            except (OSError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
                print(f"native.py: {suite}/{name}: {error!r}", file=sys.stderr)
                continue
            table.writerow([datetime.date.today(), commit, machine,
                            "benchmarks/attach/native.py LIST BIN OUT", suite, name,
                            args.size if args.list == "eod" else "", *row])
            file.flush()
            print(suite, name, *row, flush=True)


if __name__ == "__main__":
    main()
