#!/usr/bin/env python3
"""Times predicted from samples of a twentieth against those measured on PoCL: measured.py BIN WORK DEVICE > rows.csv

BIN is a folder with aiwc, oclgrind and aiwc-irregular, WORK a new folder, DEVICE the file of a device
that aiwc devices measure wrote, named after its id. Generates a matrix of 1.6 million non-zeros for each structure of
extrapolation.py; takes a sample of 5 % by category, characterises three kernels on it and on the whole,
extrapolates the former, and predicts the time of both profiles. Measures the kernels on the whole
with 1 and 2 threads: five rounds, each a median of 7 runs of all launches; the least counts, since
other work on the machine only adds. The predicted times are multiplied by one
factor for each kernel and number of threads: the geometric mean of measured over predicted of the
other matrices. A second prediction takes the factor from the sample of the same matrix, which is
measured as well. Prints a row for each matrix, kernel and number of threads, and rows of the means.
"""
import collections
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
    shutil.rmtree(run)
    shutil.rmtree(made)
    characterised(binaries, matrix, kernel, run)
    of_whole = time_of(run)
    shutil.rmtree(run)
    return extrapolated, of_whole, of_sample


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
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    binaries, work, device = (pathlib.Path(text) for text in sys.argv[1:])
    work.mkdir(parents=True)
    matrices = list(generated(binaries, work))
    times = {(matrix, kernel): predicted(binaries, work, matrix, kernel, device.stem, device.parent)
             for matrix in matrices for kernel in KERNELS}
    (work / "predicted").touch()
    least = collections.defaultdict(lambda: math.inf)
    for _ in range(ROUNDS):
        for (matrix, kernel) in times:
            for threads in THREADS:
                for file in (matrix, sample_of(matrix)):
                    at = file, kernel, threads
                    least[at] = min(least[at], measured(binaries, *at))
    groups = collections.defaultdict(list)
    for (matrix, kernel), (extrapolated, of_whole, of_sample) in times.items():
        for threads in THREADS:
            own = least[sample_of(matrix), kernel, threads] / of_sample
            groups[kernel, threads].append((matrix.stem, least[matrix, kernel, threads],
                                            extrapolated, of_whole, own * extrapolated))
    print("matrix,kernel,threads,measured_us,extrapolated_us,from_whole_us,by_own_sample_us,"
          "error_percent,from_whole_error_percent,by_own_sample_error_percent,"
          "uncalibrated_error_percent")
    means = []
    for (kernel, threads), rows in groups.items():
        figures = [errors([(row[1], row[2]) for row in rows]),
                   errors([(row[1], row[3]) for row in rows]),
                   [100 * abs(row[1] - row[4]) / row[1] for row in rows],
                   [100 * abs(row[1] - row[2]) / row[1] for row in rows]]
        for i, row in enumerate(rows):
            print(f"{row[0]},{kernel},{threads}," + ",".join(f"{time:.1f}" for time in row[1:]) + ","
                  + ",".join(f"{of[i]:.1f}" for of in figures))
        means.append(f"mean,{kernel},{threads},,,,,"
                     + ",".join(f"{statistics.mean(of):.1f}" for of in figures))
    print("\n".join(means))


if __name__ == "__main__":
    main()
