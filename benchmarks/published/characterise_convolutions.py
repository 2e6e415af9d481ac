#!/usr/bin/env python3
"""Characterises the naive convolutions whose times are published (data set miopen-find).

    characterise_convolutions.py DATA OUT [PROGRAM]

DATA is the folder with times.csv. OUT gets a profile per configuration, OUT/miopen-find/<configuration>.json,
and OUT/workloads-miopen.csv, a row per profile. Profiles that exist are kept, so that an interrupted
run can go on. PROGRAM is that of launch.cpp (default: aiwc-launch from PATH); `aiwc` is taken from PATH.

The kernels are those of naive_convolution.cl, launched at their real size. Of large launches a sample of
the work-groups executes, at most 64: they differ in nothing but their data. footprint_bytes is the
size of image, filter and result: what a cache that holds everything would fetch once.
"""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TAPS = 6e6  # Filter taps to execute per launch, in whole work-groups; one tap takes about 30 instructions.
LOCAL = 256
KERNELS = {"ConvDirectNaiveConvFwd": "convolution_forward", "ConvDirectNaiveConvBwd": "convolution_backward"}
COLUMNS = ("data_set", "suite", "application", "size", "kernel", "config", "profiles", "doubt",
           "footprint_bytes")


def fail(line):
    sys.exit(f"characterise_convolutions.py: {line}")


class Convolution:
    """A configuration of times.csv."""

    def __init__(self, row):
        self.row = row
        self.kernel = KERNELS[row["kernel"]]
        size = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", row["params"])}
        n, c, k, g = (size[name] for name in ("n", "c", "k", "g"))
        image, result, taps = size["h"] * size["w"], size["ho"] * size["wo"], size["fy"] * size["fx"]
        self.buffers = [4 * n * c * image, 4 * k * c // g * taps, 4 * n * k * result]
        self.numbers = [n, g, c // g, k // g] + [
            size[name] for name in ("h", "w", "ho", "wo", "fy", "fx", "py", "px", "sy", "sx", "dy", "dx")]
        forward = self.kernel == "convolution_forward"
        self.groups = n * (k if forward else c)
        self.taps = (result * c if forward else image * k) // g * taps

    def options(self):
        """Options of aiwc that leave out most work-groups of a large launch."""
        groups = max(1, min(64, int(TAPS / self.taps)))
        if groups >= self.groups or self.groups * self.taps <= TAPS:
            return ["--accuracy", "exact"]
        return ["--sample-groups", str(groups), "--budget", "0"]

    def characterise(self, program, profile):
        """Writes the profile. Returns why not, or None."""
        with tempfile.TemporaryDirectory() as folder:
            run = pathlib.Path(folder) / "run"
            command = ["aiwc", "run", "--quiet", "--output", run, *self.options(),
                       "--global-mem-size", str(64 << 30), "--",
                       program, pathlib.Path(__file__).with_name("naive_convolution.cl"), self.kernel,
                       "--global", str(self.groups * LOCAL), "--local", str(LOCAL),
                       *(f"floats:{size}" for size in self.buffers), *(f"int:{number}" for number in self.numbers)]
            try:
                result = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
            except subprocess.TimeoutExpired:
                return "more than 900 s"
            profiles = sorted(run.glob("aiwc_*.json"))
            if len(profiles) != 1:
                return f"{len(profiles)} profiles; {' '.join(result.stderr.split())[-200:]}"
            profile.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(profiles[0], f"{profile}.part")
            os.replace(f"{profile}.part", profile)
        return None


def convolutions(data):
    """Those with the least work per group first."""
    rows = {}
    with open(data / "times.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["dataset"] == "miopen-find" and row["kernel"] in KERNELS:
                rows.setdefault(row["config"], row)
    return sorted(map(Convolution, rows.values()), key=lambda each: each.taps)


def main():
    if len(sys.argv) not in (3, 4):
        fail("usage: characterise_convolutions.py DATA OUT [PROGRAM]")
    data, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    program = pathlib.Path(sys.argv[3] if len(sys.argv) == 4 else shutil.which("aiwc-launch") or "aiwc-launch")
    if not program.is_file():
        fail(f"no such program: {program}")
    if not (data / "times.csv").is_file():
        fail(f"no times.csv in {data}")
    out.mkdir(parents=True, exist_ok=True)
    failures = 0
    with open(out / "workloads-miopen.csv", "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        for each in convolutions(data):
            row = each.row
            name = re.sub(r"[/: ]", "_", row["config"]) + ".json"
            profile = out / row["dataset"] / name
            reason = None if profile.exists() else each.characterise(program.resolve(), profile)
            if reason:
                failures += 1
                print(f"{row['config']}: {reason}", file=sys.stderr, flush=True)
                continue
            table.writerow({
                "data_set": row["dataset"], "suite": row["dataset"], "application": row["kernel"],
                "size": row["size"], "kernel": row["kernel"], "config": row["config"],
                "profiles": f"{row['dataset']}/{name}", "doubt": "", "footprint_bytes": sum(each.buffers)})
            file.flush()
    if failures:
        fail(f"{failures} configurations without a profile")


if __name__ == "__main__":
    main()
