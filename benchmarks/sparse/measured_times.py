#!/usr/bin/env python3
"""Times predicted from samples of a twentieth against those measured on PoCL: measured_times.py BIN WORK DEVICE [ROWS] > rows.csv

BIN is a folder with aiwc, oclgrind and aiwc-irregular, WORK a new folder, DEVICE the file of a device
that aiwc devices measure wrote, named after its id. Generates a matrix of 1.6 million non-zeros for each structure of
extrapolation.py; takes a sample of 5 % by category, characterises three kernels on it and on the whole,
extrapolates the former, and predicts the time of both profiles. Measures the kernels on the whole
with 1 and 2 threads: five rounds, each a median of 7 runs of all launches; the least counts, since
other work on the machine only adds. The predicted times are multiplied by one
factor for each kernel and number of threads: the geometric mean of measured over predicted of the
other matrices. A second prediction takes the factor from the sample of the same matrix, which is
measured as well. A third one, nearer to the paper's, takes a time for each instruction and one for each
line that misses a cache of 1 MiB, both of the extrapolated profile; these two numbers, not negative, are
fitted to the other matrices' relative errors. With ROWS, which an earlier run printed, times are not
measured again. Prints a row for each matrix, kernel and number of threads, and rows of the means.
"""
import collections
import csv
import json
import math
import os
import pathlib
import shutil
import statistics
import sys

from extrapolation import STRUCTURES, characterised, launched, summary

KERNELS = ("spmv-csr", "pagerank", "euler")
NON_ZEROS = 1.6e6
THREADS = (1, 2)
ROUNDS = 5


def generated(binaries, work):
    for structure, parameter, degree in STRUCTURES:
        matrix = work / f"{structure}{'' if parameter is None else f'-{parameter}'}.mtx"
        launched([binaries / "aiwc", "generate", structure, "--rows", int(NON_ZEROS / degree),
                  "--non-zeros-per-row", degree, "--seed", 20261123, "-o", matrix,
                  *(("--parameter", parameter) if parameter is not None else ())])
        yield matrix


def sample_of(matrix):
    return matrix.with_suffix(".part.mtx")


def predicted(binaries, work, matrix, kernel, device, device_folder):
    """Times from the extrapolated profile, from that of the whole, and from that of the sample."""
    part, run, made = sample_of(matrix), work / "run", work / "made"
    if not part.exists():
        launched([binaries / "aiwc", "sample", matrix, "-o", part])

    def time_of(folder):
        return list(summary(binaries, folder, device, device_folder)["here"].values())[0]

    characterised(binaries, part, kernel, run)
    launched([binaries / "aiwc", "extrapolate", run, "--to", matrix, "-o", made])
    of_sample = time_of(run)
    extrapolated = time_of(made)
    costs = costs_of(made)
    shutil.rmtree(run)
    shutil.rmtree(made)
    characterised(binaries, matrix, kernel, run)
    of_whole = time_of(run)
    shutil.rmtree(run)
    return extrapolated, of_whole, of_sample, costs


def costs_of(folder):
    """Instructions, and misses of 1 MiB, of a run of one kernel."""
    profile = json.loads(next(folder.glob("aiwc_*.json")).read_text())
    lines = (1 << 20) // profile["reuse"]["line_bytes"]
    misses = profile["reuse"]["cold_accesses"] + sum(
        count for distance, count in profile["histograms"]["reuse_distances"] if distance >= lines)
    return profile["metrics"]["total_instruction_count"], misses


def two_costs(rows):
    """Times by the two numbers that fit the other rows (measured, costs) best."""
    times = []
    for i, (_, costs) in enumerate(rows):
        scaled = [(x / actual, y / actual) for j, (actual, (x, y)) in enumerate(rows) if j != i]
        xx, yy = sum(x * x for x, _ in scaled), sum(y * y for _, y in scaled)
        xy = sum(x * y for x, y in scaled)
        x1, y1 = sum(x for x, _ in scaled), sum(y for _, y in scaled)
        a, b = (x1 * yy - y1 * xy) / (xx * yy - xy * xy), (y1 * xx - x1 * xy) / (xx * yy - xy * xy)
        if a < 0:
            a, b = 0, y1 / yy
        elif b < 0:
            a, b = x1 / xx, 0
        times.append(a * costs[0] + b * costs[1])
    return times


def measured(binaries, matrix, kernel, threads):
    environment = {**os.environ, "POCL_MAX_PTHREAD_COUNT": str(threads),
                   "POCL_CPU_MAX_CU_COUNT": str(threads)}
    _, text = launched([binaries / "aiwc-irregular", kernel, "--input", matrix, "--no-check",
                        "--platform", "Portable", "--repeat", 7, "--csv", "-"], env=environment)
    return float(text.strip().splitlines()[-1].split(",")[-1])


def errors(rows):
    """Of each row (measured, predicted), with the factor of the others; in per cent."""
    logs = [math.log(actual / time) for actual, time in rows]
    factors = [math.exp((sum(logs) - log) / (len(logs) - 1)) for log in logs]
    return [100 * abs(actual - factor * time) / actual
            for (actual, time), factor in zip(rows, factors)]


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    binaries, work, device = (pathlib.Path(text) for text in sys.argv[1:4])
    work.mkdir(parents=True)
    matrices = list(generated(binaries, work))
    times = {(matrix, kernel): predicted(binaries, work, matrix, kernel, device.stem, device.parent)
             for matrix in matrices for kernel in KERNELS}
    (work / "predicted").touch()
    known = {}
    if len(sys.argv) > 4:
        with open(sys.argv[4], newline="") as file:
            known = {(row["matrix"], row["kernel"], int(row["threads"])):
                     (float(row["measured_us"]), float(row["by_own_sample_us"]))
                     for row in csv.DictReader(file) if row["matrix"] != "mean"}
    least = collections.defaultdict(lambda: math.inf)
    for _ in range(0 if known else ROUNDS):
        for matrix, kernel in times:
            for threads in THREADS:
                for file in (matrix, sample_of(matrix)):
                    at = file, kernel, threads
                    least[at] = min(least[at], measured(binaries, *at))
    groups = collections.defaultdict(list)
    for (matrix, kernel), (extrapolated, of_whole, of_sample, costs) in times.items():
        for threads in THREADS:
            actual, by_own = known.get((matrix.stem, kernel, threads)) or (
                least[matrix, kernel, threads],
                least[sample_of(matrix), kernel, threads] * extrapolated / of_sample)
            groups[kernel, threads].append((matrix.stem, actual, extrapolated, of_whole, by_own, costs))
    print("matrix,kernel,threads,measured_us,extrapolated_us,from_whole_us,by_own_sample_us,"
          "by_two_costs_us,error_percent,from_whole_error_percent,by_own_sample_error_percent,"
          "by_two_costs_error_percent,uncalibrated_error_percent")
    means = []
    for (kernel, threads), rows in groups.items():
        rows = [(*row[:5], time) for row, time in zip(rows, two_costs([(row[1], row[5]) for row in rows]))]
        figures = [errors([(row[1], row[2]) for row in rows]),
                   errors([(row[1], row[3]) for row in rows]),
                   [100 * abs(row[1] - row[4]) / row[1] for row in rows],
                   [100 * abs(row[1] - row[5]) / row[1] for row in rows],
                   [100 * abs(row[1] - row[2]) / row[1] for row in rows]]
        for i, row in enumerate(rows):
            print(f"{row[0]},{kernel},{threads}," + ",".join(f"{time:.1f}" for time in row[1:]) + ","
                  + ",".join(f"{of[i]:.1f}" for of in figures))
        means.append(f"mean,{kernel},{threads},,,,,,"
                     + ",".join(f"{statistics.mean(of):.1f}" for of in figures))
    print("\n".join(means))


if __name__ == "__main__":
    main()
