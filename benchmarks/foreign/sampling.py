#!/usr/bin/env python3
"""Programs that were not written for aiwc: do the default samples of the work-groups tell what all of
them do?

    sampling.py LIST BIN OUT [--only REGEX] [--long INSTRUCTIONS,...] [--limit SECONDS]

LIST is as run.sh reads it (suite|name|folder|command|mask, folders below AIWC_FOREIGN); REGEX selects
from the names of the form suite/name. BIN holds the program aiwc. Each program runs once with all
work-groups characterised and once by default, for each of the numbers of instructions from which a
launch is long (--long, by default 1000000000 as in aiwc), if one of its launches is.

OUT takes a folder per program with both runs, and foreign_sampling.csv, a row per program. An exact run
that OUT holds already is used again. Estimates that are off by more than two of their stated errors, and
kernels whose time is off by more than 1 %, are listed in OUT/SUITE/NAME/off_LONG.txt.
"""
import argparse
import collections
import csv
import datetime
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

DEVICES = "i9-13900k,epyc-9654,rtx4090,a100-sxm4-80gb,rx7900xtx,mi250x"
COMMAND = "benchmarks/foreign/sampling.py LIST BIN OUT"
COMMON = ["date", "commit", "machine", "command", "suite", "program"]
SAMPLING = COMMON + [
    "long_instructions", "launches", "launches_above_64_groups", "sampled_launches", "kernels_sampled",
    "estimates", "within_two_errors_percent", "bounds", "bounds_held_percent", "others_off",
    "time_ratio_least", "time_ratio_most", "wall_exact_s", "wall_default_s", "cpu_exact_s",
    "cpu_default_s"]


def fail(message):
    sys.exit(f"sampling.py: {message}")


def configurations(path, only):
    """(suite, name, folder, command) of the list's lines."""
    try:
        lines = pathlib.Path(path).read_text().splitlines()
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        parts = line.split("|", 4)
        if len(parts) != 5:
            fail(f"{path}:{number}: expected suite|name|folder|command|mask")
        suite, name, folder, command, _ = parts
        if name != "*" and re.search(only, f"{suite}/{name}"):
            yield suite, name, folder, command


class Simulator:
    def __init__(self, bin_folder, limit):
        self.aiwc = pathlib.Path(bin_folder).resolve() / "aiwc"
        if not os.access(self.aiwc, os.X_OK):
            fail(f"{bin_folder}: contains no program aiwc")
        self.limit = limit

    def run(self, program, command, to, options):
        """Runs the command in a copy of the program's folder, and keeps the run in `to`."""
        shutil.rmtree(to, ignore_errors=True)
        to.mkdir(parents=True)
        place = to.parent / "place"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(program, place, symlinks=True)
        environment = dict(os.environ, HOME=str(to / "home"))
        (to / "home").mkdir()
        words = [self.aiwc, "run", "--quiet", "--cache", to / "home", "--output", to / "run", *options,
                 "--", "sh", "-c", command]
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        with open(to / "output", "wb") as output:
            process = subprocess.Popen(words, cwd=place, env=environment, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                status = process.wait(self.limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                status = 124
        wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        (to / "figures.json").write_text(json.dumps({"status": status, "wall": wall, "cpu": cpu}))
        shutil.rmtree(place)
        shutil.rmtree(to / "home")

    def times(self, run):
        """(kernel or "", device): predicted time."""
        shown = json.loads(subprocess.run(
            [self.aiwc, "predict", run, "--devices", DEVICES, "--json"],
            check=True, capture_output=True).stdout)
        found = {("", row["device"]): row["time_us"]
                 for row in (shown.get("application") or {}).get("devices", [])}
        for kernel in shown["kernels"]:
            for row in kernel["devices"]:
                key = f"{kernel['kernel']} {kernel['source_hash'][-6:]}", row["device"]
                found[key] = found.get(key, 0) + row["time_us"]
        return found


def figures(folder):
    return json.loads((folder / "figures.json").read_text())


def commit():
    return os.environ.get("AIWC_FOREIGN_COMMIT") or subprocess.run(
        ["git", "-C", pathlib.Path(__file__).parent, "rev-parse", "--short", "HEAD"],
        capture_output=True, text=True).stdout.strip()


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.figures = figures(folder)
        self.record = json.loads((folder / "run" / "run.json").read_text())
        self.launches = {(launch["process"], launch["number"]): launch
                         for launch in self.record["launches"]}

    def profile(self, launch):
        return json.loads((self.folder / "run" / launch["profile"]).read_text())


def compare(exact, default, off):
    """Counts of what the sampled profiles say right and wrong."""
    counts = collections.Counter()
    kernels = set()
    for key, launch in default.launches.items():
        true = exact.launches.get(key)
        if not true or any(true[item] != launch[item] for item in ("kernel", "global_size")):
            counts["other launches"] += 1
            continue
        groups = [-(-g // l) for g, l in zip(launch["global_size"], launch["local_size"])]
        counts["above 64"] += groups[0] * groups[1] * groups[2] > 64
        if not launch["profile"] or "sampled_groups" not in launch:
            continue
        some, every = default.profile(launch), exact.profile(true)
        if "sampled_groups" not in some["provenance"]:
            continue
        counts["sampled"] += 1
        kernels.add(launch["kernel"])
        where = f"{launch['kernel']} {launch['number']}"
        for metric, a in some["metrics"].items():
            b, error = every["metrics"][metric], some["errors"].get(metric)
            same = a == b or a is not None and b is not None and abs(a - b) <= 1e-6 * abs(b)
            if isinstance(error, (int, float)):
                if a is None or b is None:
                    right = a is b
                else:
                    right = abs(a - b) <= 2 * error + 1e-6 * abs(b) + 0.5 * isinstance(b, int)
                counts["estimates"] += 1
                counts["within"] += right
            elif error in ("lower_bound", "upper_bound"):
                right = same or a is None or b is not None and (a < b) == (error == "lower_bound")
                counts["bounds"] += 1
                counts["held"] += right
            elif metric in some["errors"]:  # "sample", unknown
                continue
            else:
                right = same
                counts["others off"] += not right
            if not right:
                print(f"{where}: {metric}: {a} +- {error}: exactly {b}", file=off)
    return counts, kernels


def percent(part, whole):
    return f"{100 * part / whole:.1f}" if whole else ""


def append(path, header, row):
    is_new = not path.exists()
    with open(path, "a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(header)
        writer.writerow(row)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("list")
    parser.add_argument("bin")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--long", default="1000000000")
    parser.add_argument("--limit", type=float, default=300)
    options = parser.parse_args()
    root = os.environ.get("AIWC_FOREIGN") or fail("AIWC_FOREIGN must name the folder of the programs")
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    simulator = Simulator(options.bin, options.limit)
    machine = os.environ.get("AIWC_FOREIGN_MACHINE", f"{os.cpu_count()} cores")
    for suite, name, folder, command in configurations(options.list, options.only):
        program, here = pathlib.Path(root) / folder, out / suite / name
        common = [datetime.date.today().isoformat(), commit(), machine, COMMAND, suite, name]
        if not program.is_dir():
            print(f"{suite}/{name}: {program} is not there", file=sys.stderr)
            continue
        if not (here / "exact" / "figures.json").exists():
            simulator.run(program, command, here / "exact", ["--accuracy", "exact"])
        status = figures(here / "exact")["status"]
        if status != 0 or not (here / "exact" / "run" / "run.json").exists():
            print(f"{suite}/{name}: status {status}: see {here}/exact/output", file=sys.stderr)
            continue
        exact = Run(here / "exact")
        print(f"{suite}/{name}: {len(exact.launches)} launches, exact {exact.figures['wall']:.1f} s",
              flush=True)
        before = simulator.times(here / "exact" / "run")
        most = max((launch["instructions"] or 0 for launch in exact.launches.values()), default=0)
        for long_instructions in options.long.split(","):
            if most <= int(long_instructions):
                continue  # no launch is long
            to = here / f"default_{long_instructions}"
            simulator.run(program, command, to, ["--accuracy", f"standard:{long_instructions}"])
            default = Run(to)
            with open(here / f"off_{long_instructions}.txt", "w") as off:
                counts, kernels = compare(exact, default, off)
                after = simulator.times(to / "run")
                ratios = {key: after[key] / before[key] for key in before if key in after}
                for key, ratio in ratios.items():
                    if abs(ratio - 1) > 0.01:
                        print(f"time of {key[0] or 'all'} on {key[1]}: {ratio:.3f}", file=off)
                if counts["other launches"] or after.keys() != before.keys():
                    print(f"{counts['other launches']} other launches than in the exact run", file=off)
                    print(f"{suite}/{name}: other launches than in the exact run", file=sys.stderr)
            append(out / "foreign_sampling.csv", SAMPLING, common + [
                long_instructions, len(default.launches), counts["above 64"], counts["sampled"],
                len(kernels), counts["estimates"], percent(counts["within"], counts["estimates"]),
                counts["bounds"], percent(counts["held"], counts["bounds"]), counts["others off"],
                f"{min(ratios.values()):.3f}", f"{max(ratios.values()):.3f}",
                *(f"{run.figures[what]:.2f}" for what in ("wall", "cpu") for run in (exact, default))])
            print(f"  long from {long_instructions}: {counts['sampled']} sampled, "
                  f"{percent(counts['within'], counts['estimates'])} % within, times "
                  f"{min(ratios.values()):.3f} to {max(ratios.values()):.3f}, "
                  f"{default.figures['wall']:.1f} s", flush=True)


if __name__ == "__main__":
    main()
