#!/usr/bin/env python3
"""Characterise the kernels of this folder as published times of them were taken.

Usage: characterise.py [--aiwc AIWC] [--launch LAUNCH] [--only DATASET[/KERNEL]] DATA... OUT

LAUNCH is the program of launch.cpp (default: aiwc-launch from PATH).

DATA is a table of times with the columns dataset, kernel, config, size and params. For each launch
that this script knows, OUT/<dataset>/<config>.json is its profile; OUT/workloads.csv lists them,
with the params of the table. If one config was timed with several sizes of work-groups, the names
of the profiles tell these apart; where the number of groups depends on the device, `where` names it.
Of swept sizes, a selection is characterised. Profiles that exist are kept, and every profile of a
kernel with closed forms is checked against these.

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
                 groups=SAMPLED_GROUPS, exact_items=EXACT_ITEMS, bands=None, where="",
                 warm=False, shared_lines=0, expected=None):
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
        self.where = where  # part of the params that tells launches of one config apart
        self.shared_lines = shared_lines  # which the groups read in turn, again and again
        self.warm = warm  # launches follow each other on the same data
        self.expected = expected or {}  # metrics by their closed forms


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


def mixbench(row):
    """32 elements per work-item, each `iterations` times x * x + seed; half2 is not described."""
    params = fields(row["params"])
    count, iterations = int(params["elements"]), int(params["iterations"])
    kind = row["kernel"].removeprefix("mix_")
    if kind not in ("float", "double", "int") or iterations not in (
            0, 1, 2, 4, 8, 16, 20, 24, 32, 64, 96, 128, 256):
        return None
    extra = {"float": "", "double": " -DUSE_DOUBLE", "int": " -DINTEGER"}[kind]
    buffer = "ints:{}:1000" if kind == "int" else f"{kind}s:{{}}"
    width = 8 if kind == "double" else 4
    # A multiply-add is two operations; each element is added to the sum.
    operations = 0 if kind == "int" else count * (2 * iterations + 1)
    return Launch("mixbench.cl", "mix", [count // 32], [256],
                  [f"{kind}:1", buffer.format(width * count)],
                  build=f"-DVALUE={kind} -DITERATIONS={iterations} "
                        f"-DUNROLL={4 if kind == 'int' else 16}" + extra,
                  groups=4 if iterations > 32 else 32,
                  expected={"bytes_read_global": width * count, "fp_ops": operations})


def fma_stream(row):
    """FMA_ELEMENTS of the elements per work-item of the timed launch (see published-times)."""
    params = fields(row["params"])
    groups, iterations = int(params["groups"]), int(params["its"])
    if iterations not in (0, 1, 4, 8, 16, 24, 40, 56, 80, 128, 256, 488, 512):
        return None
    elements = groups * 256 * FMA_ELEMENTS
    return Launch("fma_stream.cl", "fma_stream", [groups * 256], [256],
                  [f"floats:{4 * elements}"] * 2 + [f"zeros:{4 * groups}", f"int:{FMA_ELEMENTS}"],
                  build=f"-DITERATIONS={iterations}", groups=1 if iterations > 56 else 4,
                  exact_items=0, where=f"groups={groups};",
                  expected={"bytes_read_global": 8 * elements})


def portability(row):
    """CUDA's groups by occupancy are taken as 1024 work-items, of the product as 32 x 32."""
    params = fields(row["params"])
    opencl = row["config"].endswith("-opencl")
    kernel = row["kernel"]
    if kernel == "matmul_naive":
        n = int(row["size"])
        if n > 4096:
            return None
        side = 16 if opencl else 32
        buffer = f"floats:{4 * n * n}"
        return Launch("portability.cl", kernel, [math.ceil(n / side) * side] * 2, [side] * 2,
                      [buffer] * 3 + [f"int:{n}"], groups=max(4, 4096 // n), exact_items=1 << 14,
                      expected={"bytes_read_global": 8 * n ** 3, "bytes_written_global": 4 * n * n})
    n = int(params["n"])
    if kernel == "vec_add":
        block = 256 if opencl else 1024
        arrays = 3 if opencl else 2
        return Launch("portability.cl", "vec_add" if opencl else "vec_add_in_place",
                      [math.ceil(n / block) * block], [block],
                      [f"floats:{4 * n}"] * arrays + [f"int:{n}"],
                      expected={"bytes_read_global": 8 * n, "bytes_written_global": 4 * n})
    block, words = int(params["block"]), int(params["words"])
    vectors = f"floats:{4 * words * n}"
    positions = kernel == "nbody_positions"
    if kernel not in ("nbody_positions", "nbody_forces"):
        return None
    return Launch("portability.cl", kernel, [math.ceil(n / block) * block], [block],
                  ([vectors] * 4 + ["float:0.01"] if positions else [vectors] * 2) + [f"int:{n}"],
                  build=f"-DWORDS={words}", groups=SAMPLED_GROUPS if positions else 1,
                  exact_items=EXACT_ITEMS if positions else 1 << 10,
                  expected={"work_items": math.ceil(n / block) * block})


def pnpoly(row):
    """Variants that the time of the bus does not hide (published-times)."""
    params = fields(row["params"])
    points = int(fields(row["size"])["points"])
    block, tile = int(params["block_size_x"]), int(params["tile_size"])
    if tile > 4 and block > 32:
        return None
    return Launch("pnpoly.cl", "pnpoly", [math.ceil(points / (block * tile)) * block], [block],
                  [f"zeros:{4 * points}", f"floats:{8 * points}", "floats:4800", f"int:{points}"],
                  build=f"-DGROUP={block} -DTILE={tile}", groups=max(4, 2048 // (block * tile)),
                  expected={"bytes_written_global": 4 * points, "bytes_read_global": 8 * points})


def scale(row):
    """A selection of sizes and of groups: of 32, which start slowly, of 256, and the largest."""
    params = fields(row["params"])
    n, block, groups = int(params["n"]), int(params["block"]), int(params["groups"])
    if n not in SCALE_SIZES or block not in (32, 128, 256, 1024):
        return None
    return Launch("gpu_benches.cl", "scale", [groups * block], [block],
                  [f"doubles:{8 * n}"] * 2 + [f"ulong:{n}"], warm=True,
                  expected={"bytes_read_global": 8 * n, "bytes_written_global": 8 * n,
                            "work_groups": groups})


def pbkdf2(row):
    """HASH_ITERATIONS of the iterations of a launch (published-times)."""
    params = fields(row["params"])
    items, local = int(params["items"]), int(params["threads"])
    sha256 = row["kernel"].endswith("sha256")
    words = 8 if sha256 else 5
    states = f"ints:{4 * words * items}:2147483647"
    return Launch("pbkdf2.cl", "pbkdf2", [items], [local],
                  [states] * 4 + [f"int:{HASH_ITERATIONS}"], build="-DSHA256" if sha256 else "",
                  groups=1, exact_items=0,
                  expected={"bytes_read_global": 16 * words * items,
                            "bytes_written_global": 8 * words * items, "fp_ops": 0})


def l2_read(row):
    """Every RUN-th group reads the same 512 KiB."""
    params = fields(row["params"])
    run, groups = int(params["run"]), int(params["groups"])
    if run not in L2_RUNS or params["bytes_per_group"] != "524288":
        return None
    return Launch("gpu_benches.cl", "l2_read", [groups * 1024], [1024],
                  [f"doubles:{run << 19}", "zeros:8"], build=f"-DRUN={run}", groups=4,
                  shared_lines=run << 13,
                  expected={"bytes_read_global": groups << 19})


HASH_ITERATIONS = 40
PBKDF2 = ("pbkdf2_sha1", "pbkdf2_sha256", "zip_pbkdf2_sha1", "cisco8_pbkdf2_sha256",
          "rar5_pbkdf2_sha256")
FMA_ELEMENTS = 400  # of 4000
SCALE_SIZES = (4096, 8234, 16562, 33317, 67031, 134870, 271378, 546056, 1098763, 2210918, 4448794,
               8951838, 18012850, 36245386, 72932828,  # of most devices
               16350, 65320, 261002, 1126389, 2251653,
               4501058, 8997629, 17986297, 61620009)  # of the A100
L2_RUNS = (3, 17, 50, 179, 665, 2514, 9535)

KNOWN = {("babelstream", name): babelstream for name in ("copy", "mul", "add", "triad")}
KNOWN.update({("neusight", name): elementwise for name in (
    "add", "mul", "div", "pow", "addu", "mulu", "divu", "powu", "relu", "tanh")})
KNOWN[("neusight", "ln")] = layer_norm
KNOWN[("ktt", "directCoulombSum")] = coulomb
KNOWN[("kernel-tuner", "conv2d_15x15")] = convolution
KNOWN[("kernel-tuner", "pnpoly")] = pnpoly
KNOWN[("gpu-benches", "fma_stream")] = fma_stream
KNOWN.update({("hashcat", name): pbkdf2 for name in PBKDF2})
KNOWN[("gpu-benches", "scale")] = scale
KNOWN[("gpu-benches", "l2_read")] = l2_read
KNOWN.update({("mixbench", f"mix_{kind}"): mixbench for kind in ("float", "double", "int")})
KNOWN.update({("portability", name): portability for name in (
    "vec_add", "matmul_naive", "nbody_positions", "nbody_forces")})


def check(launch, path):
    """Stops if a profile differs by more than 2 % from the closed forms of its metrics."""
    metrics = json.loads(path.read_text())["metrics"]
    for name, value in launch.expected.items():
        if abs(metrics[name] - value) > 0.02 * value:
            sys.exit(f"{path}: {name} is {metrics[name]}, not {value}")


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


def with_launch_before(profile):
    """Lets a launch find what the same launch before it left: a line that it touches first was
    touched before all other lines of the data."""
    lines = profile["reuse"]["cold_accesses"]
    distances = dict(profile["histograms"]["reuse_distances"])
    distances[lines] = distances.get(lines, 0) + lines
    profile["histograms"]["reuse_distances"] = sorted(map(list, distances.items()))
    profile["reuse"]["cold_accesses"] = 0


def with_lines_of_turns(profile, lines):
    """Lets groups find what earlier ones read, all lines of the data before it comes again: a
    sample of few groups does not show that."""
    metrics = profile["metrics"]
    lines_of_group = metrics["bytes_read_global"] // metrics["work_groups"] // 64
    distances = {d: n for d, n in profile["histograms"]["reuse_distances"] if d < lines_of_group}
    distances[lines] = lines_of_group * metrics["work_groups"] - lines
    profile["histograms"]["reuse_distances"] = sorted(map(list, distances.items()))
    profile["reuse"]["cold_accesses"] = lines


def characterise(tools, launch, output):
    """Writes the profile of a launch to a file."""
    output.parent.mkdir(parents=True, exist_ok=True)
    run(tools, launch, output)
    if launch.warm or launch.shared_lines:
        profile = json.loads(output.read_text())
        if launch.warm:
            with_launch_before(profile)
        else:
            with_lines_of_turns(profile, launch.shared_lines)
        output.write_text(json.dumps(profile) + "\n")
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
        how = ["--sample-groups", str(launch.groups), "--budget", "0"]
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
    parser.add_argument("data", nargs="+")
    parser.add_argument("out", type=pathlib.Path)
    tools = parser.parse_args()
    try:
        rows = []
        for name in tools.data:
            with open(name, newline="") as file:
                rows += csv.DictReader(file)
        workloads = {}
        for row in rows:
            workloads[(row["dataset"], row["kernel"], row["config"], row["params"])] = row
    except (OSError, KeyError) as error:
        sys.exit(f"{name}: not a table of times ({error})")
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
        if launch.where:
            name = f"{dataset}/{config}_{launch.where.strip(';').replace('=', '')}.json"
        elif (dataset, kernel, config) in several:  # the work-groups differ
            name = f"{dataset}/{config}_{fields(params)['block']}.json"
        if not (tools.out / name).exists():
            characterise(tools, launch, tools.out / name)
        check(launch, tools.out / name)
        profiles = f"{launch.count}*{name}" if launch.count > 1 else name
        reuse = json.loads((tools.out / name).read_text())["reuse"]
        table.append([dataset, dataset, kernel, row["size"] or config, kernel, config, profiles, "",
                      reuse["cold_accesses"] * reuse["line_bytes"], params, launch.where])
    if not table:
        sys.exit(f"{' '.join(tools.data)}: no launch that is known")
    with open(tools.out / "workloads.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["data_set", "suite", "application", "size", "kernel", "config", "profiles",
                         "doubt", "footprint_bytes", "params", "where"])
        writer.writerows(table)
    print(f"{len(table)} launches in {tools.out / 'workloads.csv'}")


if __name__ == "__main__":
    main()
