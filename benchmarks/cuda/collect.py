#!/usr/bin/env python3
"""Writes devices/models/cuda_launches.csv from the profiles that suite.py made.

    benchmarks/cuda/collect.py PROFILES TIMES.csv FILE

PROFILES is the folder that suite.py filled. TIMES.csv is as for counters.py; launches that it does not have are left out.
A row is a launch, in the columns of devices/models/published_launches.csv: the first profile of each kernel (one for each instance
of a template), block and grid of a program. Left out are incomplete profiles, those with simulator errors, and launches that are not
the timed ones (programs that repeat within a kernel, other data): their integer or floating-point operations are off by more than a
factor of 4 from the GPU's counters, if these are 1000 or more. Rows of FILE stay whose profiles PROFILES lacks; their cells are empty
in columns that FILE lacked.
"""
import csv
import importlib.util
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


published = module(HERE.parent / "published" / "collect.py")
counters = module(HERE / "counters.py")


MOST_OFF = 4


def is_timed(profile, counters):
    """Whether the profile's launch has about as many operations as the timed one."""
    ours = {"int_ops": profile["metrics"]["int_ops"], "fp_ops": profile["metrics"]["fp_ops"]}
    return all(1 / MOST_OFF <= ours[name] / counters[name] <= MOST_OFF for name in ours if counters[name] >= 1000)


def main():
    profiles, times, target = map(pathlib.Path, sys.argv[1:4])
    timed = {(row["program"], counters.instance(row["kernel"]), row["block"], row["grid"]):
             {"fp_ops": float(row["fp32_ops"]) + float(row["fp64_ops"]), "int_ops": float(row["int_ops"])}
             for row in csv.DictReader(times.open())}
    rows = {}
    for path in sorted(profiles.glob("*/profiles/*.json")):
        if path.name.startswith("run"):
            continue
        profile = json.loads(path.read_text(encoding="utf-8"))
        launch = profile["provenance"]
        if not profile["complete"] or profile["simulator_errors"]:
            continue
        block = launch["local_size"]
        grid = [whole // part for whole, part in zip(launch["global_size"], block)]
        key = (path.parts[-3], counters.instance(launch["kernel"]), ",".join(map(str, block)), ",".join(map(str, grid)))
        if key in timed and key not in rows and is_timed(profile, timed[key]):
            rows[key] = published.launch(path)
    rows = {(f"{program}:{kernel}", f"{block} {grid}"): ["", 1, *cells]
            for (program, kernel, block, grid), cells in rows.items()}
    named = {(counters.base_name(kernel.split(":", 1)[1]), kernel.split(":")[0], config) for kernel, config in rows}
    for row in csv.DictReader(target.open()) if target.exists() else []:
        program, kernel = row["kernel"].split(":", 1)
        if (counters.base_name(kernel), program, row["config"]) not in named:
            rows[row["kernel"], row["config"]] = [row.get(column, "") for column in published.COLUMNS[3:]]
    with open(target, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(published.COLUMNS)
        for (kernel, config), cells in sorted(rows.items()):
            writer.writerow(["cuda-rtx3080", kernel, config, *cells])


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: collect.py PROFILES TIMES.csv FILE")
    main()
