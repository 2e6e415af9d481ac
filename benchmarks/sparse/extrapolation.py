#!/usr/bin/env python3
"""How far profiles that are extrapolated from samples of a sparse matrix are from those of the whole.

    extrapolation.py BIN WORK [--smallest N] [--largest N] [--kernels K,...] [--structures S,...]
        [--files FILE...] > rows.csv

BIN is a folder with aiwc, aiwc-sparse, aiwc-matrix, oclgrind and aiwc-irregular, WORK a new folder for
matrices and runs. Generates matrices of ten structures and several sizes, or takes Matrix Market files;
characterises kernels on each of them and on samples of 5 and 10 %, and extrapolates the samples. Prints a
CSV row per matrix, kernel and samples (5: that of 5 %, 10: that of 10 %, both; 10-raw: the sample's own values,
without extrapolation): the errors, in per cent, of the miss ratios of four caches (mean, largest),
of the lane utilisation (32 lanes), of instructions, of bytes and of the times predicted on five
devices (mean, largest), and what sampling, characterising and extrapolating took as a share of the
time that characterising the whole took.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

CACHES = (32 << 10, 256 << 10, 2 << 20, 16 << 20)
DEVICES = "i7-6700k,xeon_es-2697v2,gtx1080,k40c,fiji-furyx"
FRACTIONS = {"5": 0.05, "10": 0.1}
# Structure, parameter, non-zeros per row.
STRUCTURES = (
    ("uniform", None, 10), ("banded", 50, 12), ("banded", 2000, 8), ("block", 8, 24),
    ("mesh-2d", None, 5), ("mesh-3d", None, 7), ("mesh-unordered", 3, 7), ("mesh-reordered", 2, 9),
    ("power-law", 2.2, 12), ("power-law", 3, 6), ("r-mat", None, 16), ("small-world", 0.1, 10))
COLUMNS = ("matrix,rows,non_zeros,kernel,samples,miss_ratio_mean_percent,"
           "miss_ratio_largest_percent,lane_utilization_percent,instructions_percent,bytes_percent,"
           "time_mean_percent,time_largest_percent,effort_percent,whole_seconds")


def launched(words, **more):
    begun = time.monotonic()
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}: {done.stderr[-600:]}")
    return time.monotonic() - begun, done.stdout


def characterised(binaries, matrix, kernel, folder):
    seconds, _ = launched([binaries / "oclgrind", "--aiwc", "--aiwc-quiet", "--aiwc-accuracy", "exact",
                           "--aiwc-output", folder,
                           binaries / "aiwc-irregular", kernel, "--input", matrix, "--no-check"])
    return seconds


def predicted(binaries, folder):
    """Times by device, of all launches of a run."""
    shown = json.loads(launched([binaries / "aiwc", "predict", folder, "--devices", DEVICES, "--json"])[1])
    return {row["device"]: row["time_us"] for row in shown["application"]["devices"]}


def summary(binaries, folder):
    """What is compared, of all kernels of a run."""
    profiles = [json.loads(path.read_text()) for path in sorted(folder.glob("aiwc_*.json"))]
    accesses = 0
    misses = dict.fromkeys(CACHES, 0)
    for profile in profiles:
        reuse = profile["histograms"]["reuse_distances"]
        cold = profile["reuse"]["cold_accesses"]
        accesses += cold + sum(count for _, count in reuse)
        for cache in CACHES:
            lines = cache // profile["reuse"]["line_bytes"]
            misses[cache] += cold + sum(count for distance, count in reuse if distance >= lines)
    metrics = [profile["metrics"] for profile in profiles]
    return {
        "misses": {cache: misses[cache] / max(1, accesses) for cache in CACHES},
        "lanes": metrics[0]["lane_utilization_32"],
        "instructions": sum(m["total_instruction_count"] for m in metrics),
        "bytes": sum(m["bytes_read_global"] + m["bytes_written_global"] for m in metrics),
        "times": predicted(binaries, folder),
    }


def error(got, expected):
    return 0.0 if got == expected else 100 * abs(got - expected) / abs(expected)


def row(name, shape, kernel, samples, got, whole, effort, seconds):
    misses = [error(got["misses"][cache], whole["misses"][cache]) for cache in CACHES]
    times = [error(got["times"][device], time_us) for device, time_us in whole["times"].items()]
    figures = [statistics.mean(misses), max(misses), error(got["lanes"], whole["lanes"]),
               error(got["instructions"], whole["instructions"]),
               error(got["bytes"], whole["bytes"]), statistics.mean(times), max(times),
               100 * effort / seconds]
    print(f"{name},{shape[0]},{shape[1]},{kernel},{samples},"
          + ",".join(f"{figure:.3g}" for figure in figures) + f",{seconds:.2f}", flush=True)


def study(binaries, work, matrix, kernels):
    name = matrix.stem
    with open(matrix) as text:
        shape = next(line for line in text if not line.startswith("%")).split()
    shape = (int(shape[0]), int(shape[2]))
    samples = {}
    for label, fraction in FRACTIONS.items():
        path = work / f"{name}-{label}.mtx"
        seconds, _ = launched([binaries / "aiwc-sparse", "sample", matrix, "--fraction", fraction, "-o", path])
        samples[label] = (path, seconds)
    for kernel in kernels:
        folder = work / "whole"
        seconds = characterised(binaries, matrix, kernel, folder)
        whole = summary(binaries, folder)
        runs = {label: (work / f"run-{label}",
                        sampling + characterised(binaries, path, kernel, work / f"run-{label}"))
                for label, (path, sampling) in samples.items()}
        for used in (("5",), ("10",), ("5", "10")):
            made = work / "made"
            extrapolating, _ = launched([binaries / "aiwc-sparse", "extrapolate",
                                         *(runs[label][0] for label in used), "--to", matrix, "-o", made])
            effort = extrapolating + sum(runs[label][1] for label in used)
            row(name, shape, kernel, "both" if len(used) > 1 else used[0], summary(binaries, made), whole,
                effort, seconds)
            shutil.rmtree(made)
        row(name, shape, kernel, "10-raw", summary(binaries, runs["10"][0]), whole, runs["10"][1], seconds)
        for run, _ in runs.values():
            shutil.rmtree(run)
        shutil.rmtree(folder)
    for path, _ in samples.values():
        path.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--smallest", type=float, default=1e5)
    parser.add_argument("--largest", type=float, default=1e7)
    parser.add_argument("--files", type=pathlib.Path, nargs="+", default=[])
    parser.add_argument("--structures", default=",".join(sorted({one[0] for one in STRUCTURES})))
    parser.add_argument("--kernels", default="spmv-csr,pagerank,euler")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True)
    print(COLUMNS, flush=True)
    kernels = arguments.kernels.split(",")
    for file in arguments.files:
        study(arguments.binaries, arguments.work, file.absolute(), kernels)
    for non_zeros in () if arguments.files else (1e5, 4e5, 1.6e6, 3e6, 1e7):
        if not arguments.smallest <= non_zeros <= arguments.largest:
            continue
        for structure, parameter, degree in STRUCTURES:
            if structure not in arguments.structures.split(","):
                continue
            name = f"{structure}-{'' if parameter is None else f'{parameter}-'}{non_zeros:.0e}"
            matrix = arguments.work / f"{name}.mtx"
            words = [arguments.binaries / "aiwc-matrix", structure, "--rows",
                     int(non_zeros / degree), "--non-zeros-per-row", degree, "--seed", 20261123,
                     "-o", matrix]
            if parameter is not None:
                words += ["--parameter", parameter]
            launched(words)
            study(arguments.binaries, arguments.work, matrix, kernels)
            matrix.unlink()


if __name__ == "__main__":
    main()
