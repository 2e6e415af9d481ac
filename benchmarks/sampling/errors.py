#!/usr/bin/env python3
"""How far profiles of samples of the work-groups are from those of all of them.

    errors.py AIWC SAMPLED ALL

SAMPLED and ALL are folders that `eod characterise` made with the same options but AIWC_ACCURACY or
AIWC_SAMPLE_GROUPS. Prints a CSV row per application and size that has sampled profiles: how many
metrics are within two of their standard errors, how far the sums are off, the ratio of the misses of
three caches, and the ratio of the predicted times on the devices that the published model knows.
"""
import json
import pathlib
import statistics
import subprocess
import sys

SUMS = ("total_instruction_count", "fp_ops", "int_ops", "total_reads", "total_writes",
        "bytes_read_global", "bytes_written_global", "bytes_read_local", "bytes_written_local")
CACHES = (32 << 10, 256 << 10, 2 << 20)
DEVICES = "i7-6700k,i5-3550,gtx1080,k40m,fiji-furyx"
COLUMNS = ("application,size,launches,sampled,within_two_errors_percent,sums_off_median_percent,"
           "sums_off_largest_percent,misses_32kib,misses_256kib,misses_2mib,"
           "time_ratio_least,time_ratio_most")


def misses(profile, cache):
    """Misses of a cache of so many bytes, as profile/reuse.h has them at powers of two."""
    lines = cache // profile["reuse"]["line_bytes"]
    far = sum(count for distance, count in profile["histograms"]["reuse_distances"]
              if distance >= lines)
    return profile["reuse"]["cold_accesses"] + far


def times(aiwc, folder):
    words = [aiwc, "predict", str(folder), "--devices", DEVICES, "--json"]
    shown = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    return {row["device"]: row["time_us"] for row in shown["application"]["devices"]}


def profiles(folder):
    """Of each launch, by kernel and number; launches may share a file."""
    launches = json.loads((folder / "run.json").read_text())["launches"]
    read = {name: json.loads((folder / name).read_text()) for name in {launch["profile"] for launch in launches}}
    return {(launch["kernel"], launch["invocation"]): read[launch["profile"]] for launch in launches}


def row(aiwc, sampled, every):
    launches = within = known = 0
    off, caches = [], [[0, 0] for _ in CACHES]
    count = 0
    exact = profiles(every)
    for launch, some in profiles(sampled).items():
        all_ = exact[launch]
        launches += 1
        for sums, cache in zip(caches, CACHES):
            sums[0] += misses(some, cache)
            sums[1] += misses(all_, cache)
        if "sampled_groups" not in some["provenance"]:
            continue
        count += 1
        for key, error in some["errors"].items():
            a, b = some["metrics"][key], all_["metrics"][key]
            if not isinstance(error, (int, float)) or a is None or b is None:
                continue
            known += 1
            within += abs(a - b) <= 2 * error + 1e-9 * abs(b)
            if key in SUMS and b:
                off.append(100 * abs(a / b - 1))
    if count == 0:
        return None
    before, after = times(aiwc, every), times(aiwc, sampled)
    ratios = [after[device] / before[device] for device in before]
    return [launches, count, f"{100 * within / known:.0f}", f"{statistics.median(off):.2g}",
            f"{max(off):.2g}"] + [f"{a / b:.2f}" if b else "1.00" for a, b in caches] + [
                f"{min(ratios):.3f}", f"{max(ratios):.3f}"]


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    aiwc, sampled, every = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    print(COLUMNS)
    for folder in sorted(sampled.glob("*-*")):
        application, size = folder.name.rsplit("-", 1)
        values = row(aiwc, folder, every / folder.name)
        if values:
            print(",".join([application, size] + [str(value) for value in values]))


if __name__ == "__main__":
    main()
