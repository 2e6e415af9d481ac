#!/usr/bin/env python3
"""What extrapolating from one sample takes, as a share of characterising the whole: effort.py BIN WORK MATRIX... > rows.csv

BIN is a folder with aiwc, aiwc-sparse, oclgrind and aiwc-irregular, WORK a new folder, MATRIX a Matrix Market file.
Prints a row for each kernel and fraction, one for the three kernels together, whose matrix is sampled
once, and one for PageRank of 20 launches, all of them characterised: of these, 4 are measured, and
the third part of what 4 take more than one is counted 19 times. Times are seconds of all processors,
which other work on the machine changes least, the least of two; effort_percent is their quotient,
wall_effort_percent that of times on the clock. `sample` and `extrapolate` read the whole matrix. Errors, in per cent, as of
extrapolation.py: mean over four miss ratios, and over the times predicted on five devices.
"""
import pathlib
import resource
import shutil
import statistics
import sys

from extrapolation import error, launched, summary

KERNELS = ("spmv-csr", "pagerank", "euler")
FRACTIONS = (0.05, 0.01)
REPEATS = 2
EACH_LAUNCH = ("--aiwc-invocations", "0-")


class Times:
    """Of all processors, and on the clock."""

    def __init__(self, cpu=0.0, wall=0.0):
        self.cpu, self.wall = cpu, wall

    def __add__(self, other):
        return Times(self.cpu + other.cpu, self.wall + other.wall)

    def __sub__(self, other):
        return Times(self.cpu - other.cpu, self.wall - other.wall)

    def __mul__(self, factor):
        return Times(self.cpu * factor, self.wall * factor)


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(words, folder):
    """The least times; the last run's folder or file stays."""
    times = []
    for _ in range(REPEATS):
        shutil.rmtree(folder, ignore_errors=True)
        before = spent()
        wall, _ = launched(words)
        times.append((spent() - before, wall))
    return Times(min(cpu for cpu, _ in times), min(wall for _, wall in times))


def run(binaries, matrix, kernel, folder, *options):
    return timed([binaries / "oclgrind", "--aiwc", "--aiwc-quiet", "--aiwc-accuracy", "exact", *options,
                  "--aiwc-output", folder,
                  binaries / "aiwc-irregular", kernel, "--input", matrix, "--no-check"], folder)


def twenty(once, all_four):
    return once + (all_four - once) * (19 / 3)


def row(matrix, kernel, fraction, sample, of_sample, extrapolate, whole, errors=("", "")):
    all_of_it = sample + of_sample + extrapolate
    print(f"{matrix},{kernel},{fraction},{sample.cpu:.2f},{of_sample.cpu:.2f},{extrapolate.cpu:.2f},"
          f"{whole.cpu:.2f},{100 * all_of_it.cpu / whole.cpu:.1f},"
          f"{100 * all_of_it.wall / whole.wall:.1f},{errors[0]},{errors[1]}", flush=True)


def study(binaries, work, matrix):
    wholes, summaries = {}, {}
    for kernel in KERNELS:
        wholes[kernel] = run(binaries, matrix, kernel, work / "whole")
        summaries[kernel] = summary(binaries, work / "whole")
    four = run(binaries, matrix, "pagerank", work / "whole", *EACH_LAUNCH)
    for fraction in FRACTIONS:
        part = work / "part.mtx"
        sample = timed([binaries / "aiwc-sparse", "sample", matrix, "--fraction", fraction, "-o", part],
                       work / "none")
        of_sample, extrapolate = {}, {}
        for kernel in KERNELS:
            of_sample[kernel] = run(binaries, part, kernel, work / "run")
            extrapolate[kernel] = timed([binaries / "aiwc-sparse", "extrapolate", work / "run", "--to",
                                         matrix, "-o", work / "made"], work / "made")
            got, whole = summary(binaries, work / "made"), summaries[kernel]
            row(matrix.stem, kernel, fraction, sample, of_sample[kernel], extrapolate[kernel],
                wholes[kernel],
                [f"{statistics.mean(error(got[what][k], whole[what][k]) for k in whole[what]):.3g}"
                 for what in ("misses", "times")])
        row(matrix.stem, "all three", fraction, sample, sum(of_sample.values(), Times()),
            sum(extrapolate.values(), Times()), sum(wholes.values(), Times()))
        all_four = run(binaries, part, "pagerank", work / "run", *EACH_LAUNCH)
        extrapolating = timed([binaries / "aiwc-sparse", "extrapolate", work / "run", "--to", matrix, "-o",
                               work / "made"], work / "made")
        row(matrix.stem, "pagerank of 20 launches", fraction, sample,
            twenty(of_sample["pagerank"], all_four), extrapolating,
            twenty(wholes["pagerank"], four))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    work = pathlib.Path(sys.argv[2])
    work.mkdir(parents=True)
    print("matrix,kernel,fraction,sample_s,characterise_sample_s,extrapolate_s,"
          "characterise_whole_s,effort_percent,wall_effort_percent,miss_ratio_mean_percent,time_mean_percent")
    for matrix in sys.argv[3:]:
        study(pathlib.Path(sys.argv[1]), work, pathlib.Path(matrix).absolute())


if __name__ == "__main__":
    main()
