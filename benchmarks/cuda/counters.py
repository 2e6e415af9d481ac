#!/usr/bin/env python3
"""Compares profiles of CUDA programs with the counters that a GPU had of the same launches.

    counters.py PROFILES COUNTERS.csv

PROFILES is the folder that suite.py filled. COUNTERS.csv has a row for a launch: `program`, `kernel` (with its
parameters), `block`, `grid`, `fp32_ops`, `fp64_ops`, `int_ops`, `dram_bytes`. Launches with the same kernel, block and
grid are compared by their medians. Prints a CSV row for each: the profile's numbers over the counters'. DRAM bytes are
those that miss an LRU cache of 5 MiB, the size of an RTX 3080's L2. A GPU makes several operations of a division and of a
mathematical function: `expanded` is their share of the profile's floating-point operations. The last lines, with "#", are
the shares of launches within the limits, of those for which the counter has 1000 or more.
"""
import collections
import csv
import json
import pathlib
import re
import statistics
import sys

CACHE_BYTES = 5 << 20
LIMITS = {"fp_ops": 1.05, "int_ops": 1.3, "dram_bytes": 1.25}
LEAST = 1000


def base_name(kernel):
    """`reduce` of "void ns::reduce<float, 256>(float*)"."""
    name = re.sub(r"^void ", "", kernel)
    while "<" in name:
        shorter = re.sub(r"<[^<>]*>", "", name)
        if shorter == name:
            break
        name = shorter
    return name.split("(")[0].split("::")[-1].strip()


def instance(kernel):
    """`reduce<float, 256>` of "void ns::reduce<float, 256ul>(float*)", as programs and profilers both can be read."""
    name, depth, end = re.sub(r"^void ", "", kernel), 0, None
    for at, letter in enumerate(name):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0:
            end = at
            break
    name = re.sub(r"\([A-Za-z_]\w*\)(?=-?\d)", "", name[:end])
    arguments = re.sub(r"\b(\d+)u?l?\b", r"\1", name[name.index("<"):]) if "<" in name else ""
    return base_name(kernel) + arguments.strip()


def size(text):
    return tuple(int(part) for part in text.split(","))


def missed_bytes(profile):
    reuse = profile["reuse"]
    lines = CACHE_BYTES // reuse["line_bytes"]
    distances = profile["histograms"]["reuse_distances"]
    misses = reuse["cold_accesses"] + sum(count for distance, count in distances if distance >= lines)
    return misses * reuse["line_bytes"]


def profiled(folder):
    """By program, kernel, block and grid: lists of numbers of launches."""
    found = collections.defaultdict(list)
    for path in sorted(folder.glob("*/profiles/*.json")):
        if path.name.startswith("run"):
            continue
        profile = json.loads(path.read_text())
        launch, metrics = profile["provenance"], profile["metrics"]
        block = tuple(launch["local_size"])
        grid = tuple(whole // part for whole, part in zip(launch["global_size"], block))
        numbers = {"fp_ops": metrics["fp_ops"], "int_ops": metrics["int_ops"], "dram_bytes": missed_bytes(profile),
                   "expanded": (metrics["fp_div"] + metrics["fp_special"]) / max(1, metrics["fp_ops"])}
        found[path.parts[-3], base_name(launch["kernel"]), block, grid].append(numbers)
    return found


def main():
    if len(sys.argv) != 3:
        sys.exit("counters.py: expected PROFILES COUNTERS.csv")
    launches = profiled(pathlib.Path(sys.argv[1]))
    counted = collections.defaultdict(list)
    for row in csv.DictReader(open(sys.argv[2])):
        key = row["program"], base_name(row["kernel"]), size(row["block"]), size(row["grid"])
        counted[key].append({"fp_ops": float(row["fp32_ops"]) + float(row["fp64_ops"]), "int_ops": float(row["int_ops"]),
                             "dram_bytes": float(row["dram_bytes"])})
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["program", "kernel", "block", "grid", "expanded"] + list(LIMITS))
    ratios = collections.defaultdict(list)
    for key, rows in counted.items():
        if key not in launches:
            continue
        expanded = statistics.median(launch["expanded"] for launch in launches[key])
        cells = [f"{expanded:.2g}"]
        for name in LIMITS:
            counter = statistics.median(row[name] for row in rows)
            ours = statistics.median(launch[name] for launch in launches[key])
            if counter >= LEAST:
                ratios[name].append(ours / counter)
                if name == "fp_ops" and expanded == 0:
                    ratios["fp_ops without divisions and functions"].append(ours / counter)
            cells.append(f"{ours / counter:.3g}" if counter >= LEAST else "")
        writer.writerow([key[0], key[1], "x".join(map(str, key[2])), "x".join(map(str, key[3]))] + cells)
    for name, values in ratios.items():
        limit = LIMITS[name.split()[0]]
        within = sum(1 / limit <= value <= limit for value in values)
        print(f"# {name}: {within} of {len(values)} launches within {limit}, median {statistics.median(values):.3g}")


if __name__ == "__main__":
    main()
