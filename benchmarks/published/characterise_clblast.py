#!/usr/bin/env python3
"""Characterises kernels of CLBlast with the tuning parameters whose times are published.

    characterise_clblast.py DATA OUT [PROGRAM]

DATA is the folder with times.csv (data sets kernel-tuner and clblast). OUT gets a profile per
configuration, OUT/<data set>/<configuration>.json, and OUT/workloads-clblast.csv, a row per profile.
Profiles that exist are kept, so that an interrupted run can go on. PROGRAM is that
of clblast.cpp (default: aiwc-clblast from PATH); `aiwc` is taken from PATH.

Each launch has its real size. A matrix product (xgemm) executes GROUPS of its work-groups, which all
do the same; everything else is exact. footprint_bytes is the size of the operands: what a cache that
holds everything would fetch once.
"""
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

GROUPS = 4
TIMEOUT = 60

# Kernel in times.csv: kernel of clblast.cpp, kernels of the library that it may launch.
KERNELS = {
    "xaxpy": ("xaxpy", "Xaxpy*"),
    "xger": ("xger", "Xger"),
    "copy": ("copy", "CopyMatrixFast"),
    "pad": ("pad", "CopyMatrix"),
    "transpose": ("transpose", "TransposeMatrixFast"),
    "padtranspose": ("padtranspose", "TransposeMatrix"),
    "xgemm_direct_1": ("xgemm_direct", "XgemmDirectTN"),
    "xgemm_direct_2": ("xgemm_direct", "XgemmDirectTN"),
    "xgemm_1": ("xgemm", "Xgemm"),
    "xgemm_2": ("xgemm", "Xgemm"),
    "xgemm_11": ("xgemm", "Xgemm"),
    "xgemm_12": ("xgemm", "Xgemm"),
    "xgemm": ("xgemm", "Xgemm"),
}
# The library has the kernels that were timed, CopyPadMatrix and TransposePadMatrix, only before a matrix
# product. These differ in that they do not test whether an element is padding.
DOUBTS = {"pad": "kernel without padding", "padtranspose": "kernel without padding"}
COLUMNS = ("data_set", "suite", "application", "size", "kernel", "config", "profiles", "doubt",
           "footprint_bytes")


def fail(line):
    sys.exit(f"characterise_clblast.py: {line}")


def numbers(text):
    """'m=1;n=2;float32' as a dictionary; words without a number are left out."""
    return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", text)}


def joined(values):
    return ";".join(f"{name}={value}" for name, value in values.items())


def configurations(data):
    """A row of times.csv for each configuration: kernel-tuner, then clblast, of which matrix products come last.

    The rest is mixed, so that an interrupted run has some of each kernel.
    """
    rows = {}
    with open(data / "times.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["dataset"] in ("kernel-tuner", "clblast") and row["kernel"] in KERNELS:
                rows.setdefault((row["dataset"], row["config"]), row)
    return sorted(rows.values(), key=lambda row: (
        row["dataset"] == "clblast", row["kernel"] in ("xgemm", "xgemm_11", "xgemm_12"),
        zlib.crc32(row["config"].encode())))


def arguments(row):
    """Sizes and tuning parameters for clblast.cpp. Older tables have the sizes in `size`."""
    sizes, parameters = numbers(row["size"]), numbers(row["params"])
    given = {name: sizes.pop(name) if name in sizes else parameters.pop(name)
             for name in ("m", "n", "k") if name in sizes or name in parameters}
    parameters = {name: value for name, value in parameters.items() if name.isupper() or name[-1].isdigit()}
    if KERNELS[row["kernel"]][0] == "xgemm":
        parameters = {"GEMMK": 0, "KREG": 1} | parameters
    return given, parameters


def footprint(kernel, sizes):
    m, n, k = (sizes.get(name, 0) for name in "mnk")
    elements = {"xaxpy": 2 * n, "xger": m * n + m + n, "xgemm": m * k + k * n + m * n}
    return 4 * elements.get(kernel.split("_")[0], 2 * m * n)


def characterise(program, row, profile):
    """Writes the profile of a configuration. Returns why not, or None."""
    kernel, launched = KERNELS[row["kernel"]]
    sizes, parameters = arguments(row)
    sampled = ["--sample-groups", str(GROUPS), "--budget", "0"] if kernel == "xgemm" else []
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run"
        try:
            result = subprocess.run(
                ["aiwc", "run", "--quiet", "--output", run, "--kernel", launched, *sampled, "--",
                 program, kernel, joined(sizes), joined(parameters)],
                capture_output=True, text=True, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            return f"more than {TIMEOUT} s"
        profiles = sorted(run.glob("aiwc_*.json"))
        if len(profiles) != 1:
            return f"{len(profiles)} profiles; {' '.join(result.stderr.split())[-200:]}"
        # With GEMMK=1 the library exchanges MWG and NWG, and the kernel leaves its buffers if they differ.
        if json.loads(profiles[0].read_text())["simulator_errors"]:
            return "accesses outside of buffers"
        profile.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(profiles[0], f"{profile}.part")
        os.replace(f"{profile}.part", profile)
    return None


def main():
    if len(sys.argv) not in (3, 4):
        fail("usage: characterise_clblast.py DATA OUT [PROGRAM]")
    data, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    program = pathlib.Path(sys.argv[3] if len(sys.argv) == 4 else shutil.which("aiwc-clblast") or "aiwc-clblast")
    if not program.is_file():
        fail(f"no such program: {program}")
    if not (data / "times.csv").is_file():
        fail(f"no times.csv in {data}")
    out.mkdir(parents=True, exist_ok=True)
    failures = 0
    with open(out / "workloads-clblast.csv", "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        for row in configurations(data):
            name = re.sub(r"[/: ]", "_", row["config"]) + ".json"
            profile = out / row["dataset"] / name
            reason = None if profile.exists() else characterise(program.resolve(), row, profile)
            if reason:
                failures += 1
                print(f"{row['dataset']} {row['config']}: {reason}", file=sys.stderr, flush=True)
                continue
            table.writerow({
                "data_set": row["dataset"], "suite": row["dataset"], "application": row["kernel"],
                "size": row["size"], "kernel": row["kernel"], "config": row["config"],
                "profiles": f"{row['dataset']}/{name}", "doubt": DOUBTS.get(row["kernel"], ""),
                "footprint_bytes": footprint(row["kernel"], arguments(row)[0])})
            file.flush()
    if failures:
        fail(f"{failures} configurations without a profile")


if __name__ == "__main__":
    main()
