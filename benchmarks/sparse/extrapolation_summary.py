#!/usr/bin/env python3
"""Means over the matrices of what extrapolation.py printed: extrapolation_summary.py ROWS... > summary.csv

A row per kernel and samples: the number of matrices, and each error's mean and largest.
"""
import collections
import csv
import statistics
import sys

FIGURES = ("miss_ratio_mean_percent", "lane_utilization_percent", "instructions_percent",
           "bytes_percent", "time_mean_percent", "time_largest_percent")


def main():
    groups = collections.defaultdict(list)
    for path in sys.argv[1:]:
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                groups[row["kernel"], row["samples"]].append(row)
    print("kernel,samples,matrices,"
          + ",".join(f"{figure},{figure}_most" for figure in FIGURES))
    for (kernel, samples), rows in sorted(groups.items()):
        values = []
        for figure in FIGURES:
            of = [float(row[figure]) for row in rows]
            values += [statistics.mean(of), max(of)]
        print(f"{kernel},{samples},{len(rows)}," + ",".join(f"{value:.3g}" for value in values))


if __name__ == "__main__":
    main()
