#!/usr/bin/env python3
"""How well a model orders the configurations of a kernel that it was not fitted to, as a tuner would use it.

    configurations.py AIWC TIMES... --application NAME [--application NAME ...] [--device-dir DIR]

TIMES are tables as scripts/published-times writes them. For each application, fits a model to all other times
(`aiwc model train`), predicts the kernel's time for each configuration on each device that it was measured on, and
prints a CSV row for each device: Spearman's correlation of predicted and measured times over the configurations, and
the measured time of the configuration that is predicted to be the fastest, and of the best of the first ten, over
that of the fastest. Takes some minutes for each application.
"""
import argparse
import collections
import csv
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

FIRST = 10


def ranks(values):
    """From 0; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for k in range(first, last + 1):
            result[order[k]] = (first + last) / 2
        first = last + 1
    return result


def spearman(a, b):
    """Pearson's correlation of the ranks."""
    a, b = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    scale = (sum((x - mean)**2 for x in a) * sum((y - mean)**2 for y in b))**0.5
    return sum((x - mean) * (y - mean) for x, y in zip(a, b)) / scale if scale else float("nan")


def run(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"configurations.py: {' '.join(map(str, words[:3]))}: {done.stderr.strip()}")
    return done.stdout


def rows_of(table):
    """The rows of a table of times, whose profiles are relative to its folder."""
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["profiles"] = " ".join(
            "*".join([*part.split("*")[:-1], str(table.parent / part.split("*")[-1])]) for part in row["profiles"].split())
        row.setdefault("clock", "queued")
    return rows


def predicted(aiwc, model, row, devices, more):
    """Microseconds of the row's one launch on each device."""
    profile = row["profiles"].split("*")[-1]
    output = run([aiwc, "predict", profile, "--model", model, "--devices", ",".join(devices), "--time", row["clock"],
                  "--json", *more])
    return {entry["device"]: entry["time_us"] for entry in json.loads(output)["application"]["devices"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("aiwc")
    parser.add_argument("times", nargs="+", type=pathlib.Path)
    parser.add_argument("--application", action="append", required=True)
    parser.add_argument("--device-dir")
    options = parser.parse_args()
    aiwc = str(pathlib.Path(options.aiwc).resolve())
    more = ["--device-dir", options.device_dir] if options.device_dir else []
    rows = [row for table in options.times for row in rows_of(table.resolve())]
    date = datetime.date.today().isoformat()
    commit = run(["git", "rev-parse", "--short=8", "HEAD"]).strip()
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["date", "commit", "command", "application", "device", "configurations", "spearman", "first_over_best",
                  f"best_of_{FIRST}_over_best"])
    for application in options.application:
        with tempfile.TemporaryDirectory() as folder:
            table, model = pathlib.Path(folder, "times.csv"), pathlib.Path(folder, "model.json")
            with open(table, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
                writer.writeheader()
                writer.writerows(row for row in rows if row["application"] != application)
            run([aiwc, "model", "train", table, "-o", model, *more])
            configurations = collections.defaultdict(list)
            for row in rows:
                if row["application"] == application:
                    configurations[row["profiles"]].append(row)
            times = collections.defaultdict(list)  # of a device: predicted, measured
            for measured in configurations.values():
                found = predicted(aiwc, model, measured[0], sorted({row["device"] for row in measured}), more)
                for row in measured:
                    times[row["device"]].append((found[row["device"]], float(row["time_us"])))
        for device, pairs in sorted(times.items()):
            ordered = [time for _, time in sorted(pairs)]
            out.writerow([date, commit, "benchmarks/predict/configurations.py AIWC TIMES --application NAME", application, device,
                          len(pairs), f"{spearman(*zip(*pairs)):.2f}", f"{ordered[0] / min(ordered):.2f}",
                          f"{min(ordered[:FIRST]) / min(ordered):.2f}"])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
