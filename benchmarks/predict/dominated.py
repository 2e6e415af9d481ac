#!/usr/bin/env python3
"""How often a device is predicted slower than one that it beats in every figure.

    benchmarks/predict/dominated.py AIWC DEVICES MODEL PROFILE...

AIWC is the program, DEVICES the folder of device files, MODEL the file of the published model. Pairs
are of one kind, vendor and lane width; one of them has at least the other's clock, compute units,
rates, bandwidths and cache, and at most its launch overhead. Prints a CSV row per combination of
known devices, to which the model was fitted, and new ones, and of short and long launches: of at least 50 us on the
device that is worse.
"""
import collections
import datetime
import json
import pathlib
import subprocess
import sys

TOLERANCE = 1.02
LONG_US = 50


def figures(device):
    """Larger is better; None without one of the figures."""
    values = {**device["machine"], **device["properties"]}
    get = lambda key: values[key]["value"] if key in values else None
    cores, clock = get("cores"), get("clock_ghz")
    row = [clock, get("dram_bandwidth_gb_per_s"), get("cache_bandwidth_gb_per_s"), get("cache_bytes")]
    if None in row or cores is None:
        return None
    overhead = get("launch_overhead_us")
    return row + [cores * clock, cores * (get("fp64_rate_gflops") or 0), get("compute_units") or cores,
                  -overhead if overhead is not None else -10]


def main():
    program, folder, model, *profiles = sys.argv[1:]
    devices = {}
    for path in pathlib.Path(folder).glob("*.json"):
        device = json.loads(path.read_text(encoding="utf-8"))
        if figures(device):
            width = device["properties"].get("lane_width", {}).get("value", 1)
            devices[device["id"]] = ((device["type"], device["vendor"], width), figures(device))
    published = json.loads(pathlib.Path(model).read_text(encoding="utf-8"))
    known = {row["device"] for row in published["devices"]}
    pairs, wrong = collections.Counter(), collections.Counter()
    for profile in profiles:
        output = subprocess.run([program, "predict", profile, "--json"], check=True, text=True,
                                stdout=subprocess.PIPE).stdout
        times = {row["device"]: row["time_us"] for row in json.loads(output)["application"]["devices"]}
        for a in times.keys() & devices.keys():
            for b in times.keys() & devices.keys() - {a}:
                if devices[a][0] == devices[b][0] and all(
                        x <= y for x, y in zip(devices[a][1], devices[b][1])):
                    key = ("known" if a in known else "new", "known" if b in known else "new",
                           "long" if times[a] >= LONG_US else "short")
                    pairs[key] += 1
                    wrong[key] += times[b] > TOLERANCE * times[a]
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], text=True, stdout=subprocess.PIPE,
                            check=False).stdout.strip()
    print("date,commit,command,slower_figures,better_figures,launches,profiles,pairs,wrong_order")
    for key, count in sorted(pairs.items()):
        print(f"{datetime.date.today()},{commit},benchmarks/predict/dominated.py,{','.join(key)},{len(profiles)},"
              f"{count},{wrong[key] / count:.4f}")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit("usage: dominated.py AIWC DEVICES MODEL PROFILE...")
    main()
