#!/usr/bin/env python3
"""Characterise the kernels of this folder as published times of them were taken.

Usage: characterise.py [--aiwc AIWC] [--launch LAUNCH] [--only DATASET[/KERNEL]] DATA OUT

LAUNCH is the program of launch.cpp (default: aiwc-launch from PATH).

DATA is a table of times with the columns dataset, kernel, config, size and params. For each launch
that this script knows, OUT/<dataset>/<config>.json is its profile; OUT/workloads.csv lists them,
with the params of the table. If one config was timed with several sizes of work-groups, the names
of the profiles tell these apart. Profiles that exist are kept.

Launches are characterised at their real size, from a sample of the work-groups, and small ones
whole. The groups of these kernels do the same work, but for those at the edges.
"""

import argparse
import collections
import csv
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
SAMPLED_GROUPS = 256
EXACT_ITEMS = 1 << 18  # launches of so many work-items are characterised whole


class Launch:
    """One launch, or several alike, of a kernel; sizes are of work-items.

    bands: two launches of few and of more rows of work-groups, with the number of rows of each and
    of the whole launch; the reuse from group to group comes from them (with_reuse_of_bands).
    """

    def __init__(self, file, kernel, global_size, local_size, arguments, build="", count=1,
                 groups=SAMPLED_GROUPS, exact_items=EXACT_ITEMS, bands=None):
        self.file = file
        self.kernel = kernel
        self.global_size = global_size
        self.local_size = local_size
        self.arguments = arguments
        self.build = build
        self.count = count  # launches of the timed operation
        self.groups = groups
        self.exact_items = exact_items
        self.bands = bands


def fields(text):
    return dict(field.split("=", 1) for field in text.split(";") if "=" in field)


def sizes(text):
    return [int(size) for size in text.split("x")]


def times(left, right):
    return [a * b for a, b in zip(left, right)]


def babelstream(row):
    count = int(fields(row["params"])["elements"])
    arrays = 2 if row["kernel"] in ("copy", "mul") else 3
    return Launch("babelstream.cl", row["kernel"], [count], [256], [f"doubles:{8 * count}"] * arrays)


def elementwise(row):
    """A tensor that 32 bits cannot address in bytes is split in equal parts, a launch each."""
    params = fields(row["params"])
    block = sizes(params["block"])
    grid = sizes(params["grid"])
    elements = int(params["B"]) * int(params["H"])
    count = math.ceil(elements / (4 * math.prod(block) * math.prod(grid)))
    elements //= count
    name = row["kernel"]
    scalars = {"addu": 0.5, "mulu": 0.5, "divu": 0.5, "powu": 1.5, "relu": 0, "tanh": 0}
    buffer = f"floats:{4 * elements}"
    arguments = [buffer, buffer, buffer]
    if name in scalars:
        arguments = [buffer, buffer, f"float:{scalars[name]}"]
    kernel = name + "_" if name in ("pow", "tanh") else name
    return Launch("elementwise.cl", kernel, times(grid, block)[:1], block[:1],
                  arguments + [f"int:{elements}"], count=count)


def layer_norm(row):
    params = fields(row["params"])
    block = sizes(params["block"])[:2]
    rows, length = int(params["B"]), int(params["H"])
    tensor, vector, column = (f"floats:{4 * n}" for n in (rows * length, length, rows))
    return Launch("layer_norm.cl", "layer_norm", [rows * block[0], block[1]], block,
                  [tensor, vector, vector, tensor, column, column, f"int:{length}", "float:1e-5"],
                  build=f"-DLOCAL_SIZE={math.prod(block)}", exact_items=0)


def coulomb(row):
    """All work-groups do the same. With more than 64 atoms, the reciprocal square roots alone would
    take longer than the shortest published time."""
    params = fields(row["params"])
    grid, atoms = 256, 64
    if params["USE_CONSTANT_MEMORY"] != "0" or params["VECTOR_SIZE"] != "1":
        return None
    arrays = [f"floats:{4 * atoms}"] * 4 if params["USE_SOA"] == "1" else [f"floats:{16 * atoms}"]
    names = ("Z_ITERATIONS", "INNER_UNROLL_FACTOR", "USE_SOA")
    local = sizes(params["local"])
    return Launch("coulomb.cl", "coulomb", times(sizes(params["global"]), local), local,
                  arrays + [f"int:{atoms}", "float:0.1", f"int:{grid}", f"floats:{4 * grid ** 3}"],
                  build=" ".join(f"-D{name}={params[name]}" for name in names), groups=8)


def convolution(row):
    params = fields(row["params"])
    size = fields(row["size"])
    width, height, border = int(size["w"]), int(size["h"]), 14
    block = [int(params["block_size_x"]), int(params["block_size_y"])]
    tile = times(block, [int(params["tile_size_x"]), int(params["tile_size_y"])])
    names = ("block_size_x", "block_size_y", "tile_size_x", "tile_size_y", "use_padding")
    build = " ".join(f"-D{name}={params[name]}" for name in names)

    def launch(rows, options="", **further):
        return Launch("convolution.cl", "convolution",
                      [math.ceil(width / tile[0]) * block[0], math.ceil(rows / tile[1]) * block[1]],
                      block, [f"floats:{4 * width * rows}",
                              f"floats:{4 * (width + border) * (rows + border)}", "floats:900",
                              f"int:{width}", f"int:{rows}"], build=build + options, **further)

    bands = [(rows, launch(rows * tile[1], " -DLOADS_ONLY", exact_items=math.inf))
             for rows in (2, 4)]
    return launch(height, groups=max(8, 4096 // math.prod(block)),
                  bands=bands + [(height / tile[1], None)])


KNOWN = {("babelstream", name): babelstream for name in ("copy", "mul", "add", "triad")}
KNOWN.update({("neusight", name): elementwise for name in (
    "add", "mul", "div", "pow", "addu", "mulu", "divu", "powu", "relu", "tanh")})
KNOWN[("neusight", "ln")] = layer_norm
KNOWN[("ktt", "directCoulombSum")] = coulomb
KNOWN[("kernel-tuner", "conv2d_15x15")] = convolution


def with_reuse_of_bands(profile, first, second, rows):
    """Replaces what a sample cannot know: at which distance a group accesses lines of other groups.

    profile is a sampled profile; first and second are whole ones of launches of few rows of groups,
    rows how many rows these and the whole launch have. What accesses of lines a launch has at each
    distance beyond a group's own is extrapolated linearly from the two. What the sample has more of
    such accesses goes to the largest distance that lies within a group.
    """
    factor = (rows[2] - rows[1]) / (rows[1] - rows[0])

    def extrapolated(a, b):
        return max(0, round(b + (b - a) * factor))

    histograms = [dict(p["histograms"]["reuse_distances"]) for p in (first, second)]
    all_lines = {d: extrapolated(histograms[0].get(d, 0), histograms[1].get(d, 0))
                 for d in histograms[0].keys() | histograms[1].keys()}
    cold = extrapolated(first["reuse"]["cold_accesses"], second["reuse"]["cold_accesses"])
    lines_of_group = (profile["metrics"]["bytes_read_global"] +
                      profile["metrics"]["bytes_written_global"]
                      ) / profile["metrics"]["work_groups"] / profile["reuse"]["line_bytes"]
    sample = dict(profile["histograms"]["reuse_distances"])
    near = {d: count for d, count in sample.items() if d < lines_of_group}
    far = {d: count for d, count in all_lines.items() if d >= lines_of_group}
    rest = sum(sample.values()) + profile["reuse"]["cold_accesses"] - sum(near.values())
    rest -= cold + sum(far.values())
    if rest < 0:  # the sample has less
        scale = 1 + rest / sum(far.values())
        far = {d: int(count * scale) for d, count in far.items()}
    else:
        last = max(near)
        near[last] += rest
    profile["reuse"]["cold_accesses"] = cold
    profile["histograms"]["reuse_distances"] = sorted(
        [d, count] for d, count in (near | far).items() if count > 0)


def characterise(tools, launch, output):
    """Writes the profile of a launch to a file."""
    output.parent.mkdir(parents=True, exist_ok=True)
    run(tools, launch, output)
    if launch.bands:
        profiles = [json.loads(output.read_text())]
        with tempfile.TemporaryDirectory() as folder:
            band = pathlib.Path(folder) / "band.json"
            for _, part in launch.bands[:2]:
                run(tools, part, band)
                profiles.append(json.loads(band.read_text()))
        with_reuse_of_bands(*profiles, [rows for rows, _ in launch.bands])
        output.write_text(json.dumps(profiles[0]) + "\n")


def run(tools, launch, output):
    items = math.prod(launch.global_size)
    sampled = items > launch.exact_items and items > launch.groups * math.prod(launch.local_size)
    how = ["--accuracy", "exact"]
    if sampled:
        how = ["--sample-groups", str(launch.groups), "--only-sampled"]
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run"
        command = [tools.aiwc, "run", "--quiet", "--output", str(run), "--engine", "compiled", *how,
                   "--global-mem-size", str(1 << 40), "--local-mem-size", str(1 << 18), "--", tools.launch, str(FOLDER / launch.file),
                   launch.kernel, "--global", ",".join(map(str, launch.global_size)),
                   "--local", ",".join(map(str, launch.local_size))]
        if launch.build:
            command += ["--build", launch.build]
        try:
            result = subprocess.run(command + launch.arguments, capture_output=True, text=True)
        except OSError as error:
            sys.exit(f"{tools.aiwc}: {error.strerror}")
        profiles = list(run.glob("aiwc_*_0.json"))
        if result.returncode != 0 or len(profiles) != 1:
            sys.exit(f"{output.name}: {result.stderr.strip() or 'no profile'}")
        shutil.move(profiles[0], output)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--aiwc", default="aiwc")
    parser.add_argument("--launch", default="aiwc-launch")
    parser.add_argument("--only", default="", metavar="DATASET[/KERNEL]")
    parser.add_argument("data")
    parser.add_argument("out", type=pathlib.Path)
    tools = parser.parse_args()
    try:
        with open(tools.data, newline="") as file:
            rows = list(csv.DictReader(file))
        workloads = {}
        for row in rows:
            workloads[(row["dataset"], row["kernel"], row["config"], row["params"])] = row
    except (OSError, KeyError) as error:
        sys.exit(f"{tools.data}: not a table of times ({error})")
    several = {key[:3] for key, count in collections.Counter(
        key[:3] for key in workloads).items() if count > 1}
    table = []
    for (dataset, kernel, config, params), row in sorted(workloads.items()):
        make = KNOWN.get((dataset, kernel))
        if not make or not f"{dataset}/{kernel}/".startswith(tools.only.rstrip("/") + "/" if
                                                             tools.only else ""):
            continue
        launch = make(row)
        if not launch:
            continue
        name = f"{dataset}/{config}.json"
        if (dataset, kernel, config) in several:  # the work-groups differ
            name = f"{dataset}/{config}_{fields(params)['block']}.json"
        if not (tools.out / name).exists():
            characterise(tools, launch, tools.out / name)
        profiles = f"{launch.count}*{name}" if launch.count > 1 else name
        reuse = json.loads((tools.out / name).read_text())["reuse"]
        table.append([dataset, dataset, kernel, row["size"] or config, kernel, config, profiles, "",
                      reuse["cold_accesses"] * reuse["line_bytes"], params])
    if not table:
        sys.exit(f"{tools.data}: no launch that is known")
    with open(tools.out / "workloads.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["data_set", "suite", "application", "size", "kernel", "config", "profiles",
                         "doubt", "footprint_bytes", "params"])
        writer.writerows(table)
    print(f"{len(table)} launches in {tools.out / 'workloads.csv'}")


if __name__ == "__main__":
    main()
