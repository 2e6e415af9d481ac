#!/usr/bin/env python3
"""What the coefficients of the model are worth: its errors without each, on applications and devices left out.

    ablation.py AIWC TIMES... [--device-dir DIR]

Fits the model to the tables of times (scripts/published-times makes them) as it is, and without what has one
coefficient after another (`aiwc-model evaluate --without COEFFICIENT`). Prints a CSV row for each of these models and
each set of times: the factor that times are off by, exp(mean |ln error|), its bias, how often the device that is
predicted to be the fastest is, and how much longer it takes otherwise. Takes about a minute per model.
"""
import argparse
import csv
import datetime
import io
import pathlib
import re
import subprocess
import sys

LEFT_OUT = "application and device"
COLUMNS = ["data", "times", "factor", "bias_factor", "top_one", "regret"]


def evaluate(aiwc, times, more, change):
    words = [pathlib.Path(aiwc).with_name("aiwc-model"), *more, "evaluate", *times, "--leave-out", LEFT_OUT, "--against", "best-device", "--csv"]
    run = subprocess.run(words + change, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"ablation.py: {run.stderr.strip()}")
    rows = csv.DictReader(io.StringIO(run.stdout))
    return [row for row in rows if row["predicted_by"] == "fitted model"]


def coefficients_of(aiwc, times):
    """The coefficients that aiwc names when it is asked for one that it does not have."""
    run = subprocess.run([pathlib.Path(aiwc).with_name("aiwc-model"), "evaluate", times[0], "--without", "?"], capture_output=True, text=True)
    found = re.search(r"expected one of (.*)", run.stderr)
    if not found:
        sys.exit(f"ablation.py: {run.stderr.strip()}: expected the list of coefficients")
    return [name for name in found[1].split(", ") if not name.startswith("transfer")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("aiwc")
    parser.add_argument("times", nargs="+")
    parser.add_argument("--device-dir")
    options = parser.parse_args()
    aiwc = str(pathlib.Path(options.aiwc).resolve())
    more = ["--device-dir", options.device_dir] if options.device_dir else []
    date = datetime.date.today().isoformat()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["date", "commit", "command", "change"] + COLUMNS)
    changes = [[], *(["--without", name] for name in coefficients_of(aiwc, options.times))]
    for change in changes:
        for row in evaluate(aiwc, options.times, more, change):
            out.writerow([date, commit, "benchmarks/predict/ablation.py AIWC TIMES", " ".join(change) or "none"] +
                         [row[column] for column in COLUMNS])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
