#!/usr/bin/env python3
"""Gives sampled profiles of matrix products and convolutions the reuse between work-groups in order.

    in_order_reuse.py DATA OUT

Reads OUT/workloads-miopen.csv and OUT/workloads-clblast.csv and the profiles that they name (made by
characterise_convolutions.py and characterise_clblast.py from DATA, the folder with times.csv). Writes
OUT/in-order/<data set>/<configuration>.json for each profile of a sample, and
OUT/workloads-miopen-in-order.csv and -clblast-in-order.csv, which name these, and the others as they were.

A sample of far fewer work-groups than the launch has does not show that consecutive groups read the
same memory: the simulator assumes that the users of a line are spread evenly over the launch. Here the
order is known. Groups of the convolutions go through the channels of one image first, those of the
matrix product through a row of tiles. Each kind of operand is then a class of reuse: how many lines
are used again by a later group, and how many other lines are touched in between. These replace the
reuse of the largest distances, as many accesses as there are; cold and all other accesses stay. The
reuse per source line is left as it was. Against exact profiles of smaller problems, the bytes missed
by caches of 32 KiB to 40 MiB are within 13 % (the samples: up to 9 times too many; at the published
sizes, up to 230 times as many as in order).
"""
import csv
import json
import pathlib
import re
import sys


def fail(line):
    sys.exit(f"in_order_reuse.py: {line}")


def numbers(text):
    return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", text)}


def lowest_of_bin(distance):
    """A bin per distance below 64, then 8 per power of two."""
    step = max(1, 1 << (distance.bit_length() - 4)) if distance >= 64 else 1
    return distance // step * step


def matrix_product(row, line):
    """Reuse from group to group as [lines used again, lines touched in between]."""
    size = numbers(row["size"] + ";" + row["params"])
    m, n, k = ((size[name] * 4, size[name]) for name in "mnk")
    tile_m, tile_n = size["MWG"], size["NWG"]
    columns, rows = size["m"] // tile_m, size["n"] // tile_n
    a, b = tile_m * k[0] / line, tile_n * k[0] / line  # of one group
    result = tile_m * tile_n * 4 / line
    return [(b * rows * (columns - 1), a + b + result),
            (a * columns * (rows - 1), a * columns + 2 * b + result * columns)]


def convolution(row, line):
    size = numbers(row["params"])
    forward = row["kernel"] == "ConvDirectNaiveConvFwd"
    n, g = size["n"], size["g"]
    image, result = size["h"] * size["w"] * 4 / line, size["ho"] * size["wo"] * 4 / line
    taps = size["fy"] * size["fx"] * 4 / line
    c, k = size["c"] // g, size["k"] // g
    filters = c * k * taps
    if forward:  # Reads c images and c filters, writes one result; k groups in a row share the images.
        read, made, written = c * image, k, result
        per_group = c * taps
    else:  # Reads k results and a filter of each, writes one image; c groups in a row share the results.
        read, made, written = k * result, c, image
        per_group = k * taps if c == 1 else k * max(taps, 1)
    shared = max(0, made * per_group - filters)  # Lines that hold filters of several groups in a row.
    return [(g * n * ((made - 1) * read + shared), read + per_group + written),
            (g * (n - 1) * filters, filters + (2 if made > 1 else 1) * read + made * written)]


def in_order(profile, classes):
    """Replaces the farthest reuse by the classes. Accesses are moved, never made or lost."""
    bins = dict(profile["histograms"]["reuse_distances"])
    classes = [(round(count), max(1, round(distance))) for count, distance in classes if count >= 1]
    wanted = sum(count for count, _ in classes)
    taken = 0
    for distance in sorted(bins, reverse=True):
        part = min(bins[distance], wanted - taken)
        taken += part
        bins[distance] -= part
        if taken == wanted:
            break
    left = taken
    for place, (count, distance) in enumerate(classes):
        part = left if place == len(classes) - 1 else min(left, round(taken * count / wanted))
        left -= part
        at = lowest_of_bin(distance)
        bins[at] = bins.get(at, 0) + part
    profile["histograms"]["reuse_distances"] = [[d, bins[d]] for d in sorted(bins) if bins[d]]
    return profile


def rewrite(path, original, out):
    with open(path, newline="") as file:
        table = list(csv.DictReader(file))
    for line in table:
        row = original[line["data_set"], line["config"]]
        with open(out / line["profiles"]) as file:
            profile = json.load(file)
        if "sampled_groups" not in profile["provenance"]:  # Small launches are exact.
            continue
        law = convolution if line["data_set"] == "miopen-find" else matrix_product
        in_order(profile, law(row, profile["reuse"]["line_bytes"]))
        line["profiles"] = "in-order/" + line["profiles"]
        target = out / line["profiles"]
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(target, "w") as file:
            json.dump(profile, file)
    with open(path.with_name(path.stem + "-in-order.csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, table[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def main():
    if len(sys.argv) != 3:
        fail("usage: in_order_reuse.py DATA OUT")
    data, out = map(pathlib.Path, sys.argv[1:])
    tables = [path for name in ("miopen", "clblast") if (path := out / f"workloads-{name}.csv").is_file()]
    if not (data / "times.csv").is_file() or not tables:
        fail(f"no times.csv in {data}, or no workloads-miopen.csv or workloads-clblast.csv in {out}")
    with open(data / "times.csv", newline="") as file:
        original = {(row["dataset"], row["config"]): row for row in csv.DictReader(file)}
    for path in tables:
        rewrite(path, original, out)


if __name__ == "__main__":
    main()
