#!/usr/bin/env python3
"""How well a model orders the configurations of a kernel that it was not fitted to, as a tuner would use it.

    configurations.py AIWC TIMES... --application NAME [--application NAME ...] [--gains MODERN | --odds] [--device-dir DIR]

TIMES are tables as scripts/published-times writes them. For each application, fits a model to all other times
(`aiwc-model train`), predicts the kernel's time for each configuration on each device that it was measured on, and
prints a CSV row for each device: Spearman's correlation of predicted and measured times over the configurations, and
the measured time of the configuration that is predicted to be the fastest, and of the best of the first ten, over
that of the fastest. Takes some minutes for each application.

With --gains, the rows are about gains, as aiwc advise predicts them: the time of one configuration over that of
another one, predicted and measured. MODERN is the table with the parameters of the configurations (times.csv of the data
set `modern`). `changes` is how many parameters differ in the pairs: any number, or at most two. Such a row has Spearman's
correlation of both gains over the pairs in both directions, the share of the pairs whose measured gain is 1.1 or more in
which the predicted one has the same direction, the median of the factor between the two gains, and, of pairs whose predicted
gain is 1.1 or more, the shares whose measured one is within the range that advise states, and not above it; the device `all`
has the pairs of all devices. In the other rows, `changes` is a parameter that explains a tenth or more of the variance of
ln(measured / predicted) over the configurations (adjusted R2 of the means by its values); `whole_tiles` is whether the tiles
of a convolution divide the image.

With --odds, the rows are about the probabilities of aiwc tune: random sets of two to ten configurations stand for the variants
that a user has. Of the probabilities of being within 10 % of the best between `from` and `to`, a row has their mean and the share
of configurations of which that is true by measured times.
"""
import argparse
import collections
import csv
import datetime
import itertools
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

FIRST = 10


def ranks(values):
    """From 0; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for k in range(first, last + 1):
            result[order[k]] = (first + last) / 2
        first = last + 1
    return result


def spearman(a, b):
    """Pearson's correlation of the ranks."""
    a, b = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    scale = (sum((x - mean)**2 for x in a) * sum((y - mean)**2 for y in b))**0.5
    return sum((x - mean) * (y - mean) for x, y in zip(a, b)) / scale if scale else float("nan")


def run(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"configurations.py: {' '.join(map(str, words[:3]))}: {done.stderr.strip()}")
    return done.stdout


def rows_of(table):
    """The rows of a table of times, whose profiles are relative to its folder."""
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["profiles"] = " ".join(
            "*".join([*part.split("*")[:-1], str(table.parent / part.split("*")[-1])]) for part in row["profiles"].split())
        row.setdefault("clock", "queued")
    return rows


def predicted(aiwc, model, row, devices, more):
    """Microseconds of the row's one launch on each device, by part: launch, memory and the rest have errors of their own."""
    profile = row["profiles"].split("*")[-1]
    output = run([aiwc, *more, "predict", profile, "--model", model, "--devices", ",".join(devices), "--time", row["clock"],
                  "--json"])
    times = {}
    for entry in json.loads(output)["application"]["devices"]:
        parts = {"launch": entry["terms"]["launch_us"], "memory": entry["terms"]["dram_us"]}
        times[entry["device"]] = {**parts, "other": entry["time_us"] - sum(parts.values())}
    return times


def parameters_of(table, application):
    """The parameters of each configuration of the kernel, by its name."""
    with open(table, newline="", encoding="utf-8") as file:
        return {row["config"]: dict(part.split("=") for part in row["params"].split(";")) for row in csv.DictReader(file)
                if row["kernel"] == application and row["dataset"] == "kernel-tuner"}


def whole_tiles(values):
    """Of the convolution of 4096 x 4096 elements; others have no such parameter."""
    return [4096 % (int(values[f"block_size_{axis}"]) * int(values[f"tile_size_{axis}"])) == 0 for axis in "xy"] == [True, True]


def gains_of(times, parameters):
    """For each pair of configurations: how many parameters differ, and ln of the predicted and of the measured gain."""
    pairs = []
    for (name, *a), (other, *b) in itertools.combinations(times, 2):
        changed = sum(parameters[other][key] != value for key, value in parameters[name].items())
        pairs.append((changed, math.log(a[0] / b[0]), math.log(a[1] / b[1])))
    return pairs


def explained(errors, values):
    """The adjusted share of the variance of the errors that their means by value explain."""
    groups = collections.defaultdict(list)
    for error, value in zip(errors, values):
        groups[value].append(error)
    if not 1 < len(groups) < len(errors) - 1:
        return 0
    within = sum(sum((error - statistics.mean(group))**2 for error in group) for group in groups.values())
    return 1 - within / (len(errors) - len(groups)) / statistics.variance(errors)


NOTABLE = math.log(1.1)


def errors_of(device, model):
    """ln of the factors to both ends of a part's 80 % interval."""
    known = any(row["device"] == device for row in model["devices"])
    return model["known_device" if known else "unknown_device"]


VARIANT_ERROR, HALF_INTERVAL = 0.4, 1.2816  # kVariantError, kHalfInterval
OWN = "other"  # the part of which each variant has an error of its own


def gain_range(before, after, device, model):
    """FittedCostModel::ratioInterval of the times of both, by part."""
    middle = math.log(sum(before.values()) / sum(after.values()))

    def change(part, of_before, of_after):
        numerator, denominator = (sum(value * (math.exp(error) if key == part else 1) for key, value in times.items())
                                  for times, error in ((before, of_before), (after, of_after)))
        return math.log(numerator / denominator) - middle

    own = HALF_INTERVAL * VARIANT_ERROR * min(1, abs(middle) / math.log(2))
    ends = [(change(part, error["low"], error["low"]), change(part, error["high"], error["high"]))
            for part, error in errors_of(device, model).items()]
    ends += [(change(OWN, -own, 0), change(OWN, own, 0)), (change(OWN, 0, -own), change(OWN, 0, own))]
    below = sum(min(*pair, 0)**2 for pair in ends)
    above = sum(max(*pair, 0)**2 for pair in ends)
    return [math.exp(middle - below**0.5), math.exp(middle + above**0.5)]


DRAWS, SETS = 400, 40
BINS = (0, 0.1, 0.2, 0.4, 0.6, 0.8, 1)


def near_best(variants, errors, draw):
    """variantOddsOf: the probability of each variant, whose times by part these are, of being within 10 % of the best."""
    near = [0] * len(variants)
    for _ in range(DRAWS):
        factors = {}
        for part, error in errors.items():
            z = draw.gauss(0, 1) / HALF_INTERVAL
            factors[part] = math.exp(-z * error["low"] if z < 0 else z * error["high"])
        own = [math.exp(draw.gauss(0, VARIANT_ERROR)) for _ in variants]
        times = [sum(parts[key] * factors[key] * (error if key == OWN else 1) for key in parts)
                 for parts, error in zip(variants, own)]
        least = min(times)
        near = [count + (time <= 1.1 * least) for count, time in zip(near, times)]
    return [count / DRAWS for count in near]


def odds_rows(times, model):
    """Rows of `--odds`: the bin, and of how many configurations, what is said and what is so. Each device has as many sets."""
    draw = random.Random(1)
    said = []  # and whether it is so
    for device, rows in sorted(times.items()):
        for _ in range(SETS):
            chosen = draw.sample(rows, min(draw.randint(2, 10), len(rows)))
            least = min(measured for *_, measured in chosen)
            odds = near_best([parts for _, parts, _ in chosen], errors_of(device, model), draw)
            said += [(each, row[-1] <= 1.1 * least) for each, row in zip(odds, chosen)]
    for low, high in itertools.pairwise(BINS):
        some = [row for row in said if low <= row[0] < high or row[0] == high == 1]
        if some:
            yield [low, high, len(some), *(f"{statistics.mean(column):.2f}" for column in zip(*some))]


def gain_rows(times, parameters, model):
    """Rows of `--gains`: device, changes and figures. `times`: (configuration, predicted parts, measured), by device."""
    ranges = {device: [] for device in [*sorted(times), "all"]}  # in the range, not above it
    for device, rows in times.items():
        for (_, *a), (_, *b) in itertools.permutations(rows, 2):
            if math.log(sum(a[0].values()) / sum(b[0].values())) >= NOTABLE:
                low, high = gain_range(a[0], b[0], device, model)
                held = (low <= a[1] / b[1] <= high, a[1] / b[1] <= high)
                ranges[device].append(held)
                ranges["all"].append(held)
    times = {device: [(name, sum(parts.values()), measured) for name, parts, measured in rows]
             for device, rows in times.items()}
    pairs = {device: gains_of(rows, parameters) for device, rows in sorted(times.items())}
    pairs["all"] = [pair for some in pairs.values() for pair in some]
    for device, some in pairs.items():
        for kind, most in (("any", math.inf), ("at most 2", 2)):
            chosen = [(predicted, measured) for changed, predicted, measured in some if changed <= most]
            both = chosen + [(-predicted, -measured) for predicted, measured in chosen]
            same = [predicted * measured > 0 for predicted, measured in chosen if abs(measured) >= NOTABLE]
            held = [f"{sum(column) / len(column):.2f}" for column in zip(*ranges[device])] if kind == "any" else ["", ""]
            yield [device, kind, len(chosen), f"{spearman(*zip(*both)):.2f}", f"{sum(same) / len(same):.2f}",
                   f"{math.exp(statistics.median(abs(p - m) for p, m in chosen)):.2f}", *held, ""]
    for device, rows in sorted(times.items()):
        errors = [math.log(measured / predicted) for _, predicted, measured in rows]
        values = {key: [parameters[name][key] for name, *_ in rows] for key in next(iter(parameters.values()))}
        if "tile_size_x" in values:
            values["whole_tiles"] = [whole_tiles(parameters[name]) for name, *_ in rows]
        for key, some in values.items():
            if (share := explained(errors, some)) >= 0.1:
                yield [device, key, "", "", "", "", "", "", f"{share:.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("aiwc")
    parser.add_argument("times", nargs="+", type=pathlib.Path)
    parser.add_argument("--application", action="append", required=True)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--gains", type=pathlib.Path, metavar="MODERN")
    kinds.add_argument("--odds", action="store_true")
    parser.add_argument("--device-dir")
    options = parser.parse_args()
    aiwc = str(pathlib.Path(options.aiwc).resolve())
    more = ["--device-dir", options.device_dir] if options.device_dir else []
    rows = [row for table in options.times for row in rows_of(table.resolve())]
    date = datetime.date.today().isoformat()
    commit = run(["git", "rev-parse", "--short=8", "HEAD"]).strip()
    out = csv.writer(sys.stdout, lineterminator="\n")
    kind = " --gains MODERN" if options.gains else " --odds" if options.odds else ""
    command = f"benchmarks/predict/configurations.py AIWC TIMES{kind} --application NAME"
    out.writerow(["date", "commit", "command", "application"] +
                 (["device", "changes", "pairs", "spearman", "same_direction_share", "off_factor", "in_range_share",
                   "not_above_share", "explains_share"] if options.gains else
                  ["from", "to", "variants", "said", "is_so"] if options.odds else
                  ["device", "configurations", "spearman", "first_over_best", f"best_of_{FIRST}_over_best"]))
    for application in options.application:
        with tempfile.TemporaryDirectory() as folder:
            table, model = pathlib.Path(folder, "times.csv"), pathlib.Path(folder, "model.json")
            with open(table, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
                writer.writeheader()
                writer.writerows(row for row in rows if row["application"] != application)
            run([pathlib.Path(aiwc).with_name("aiwc-model"), *more, "train", table, "-o", model])
            fitted = json.loads(model.read_text(encoding="utf-8"))
            configurations = collections.defaultdict(list)
            for row in rows:
                if row["application"] == application:
                    configurations[row["profiles"]].append(row)
            times = collections.defaultdict(list)  # of a device: configuration, predicted by part, measured
            for measured in configurations.values():
                found = predicted(aiwc, model, measured[0], sorted({row["device"] for row in measured}), more)
                for row in measured:
                    name = row["size"].split()[0]  # without "spilling", of devices whose compiler spills
                    times[row["device"]].append((name, found[row["device"]], float(row["time_us"])))
        if options.gains or options.odds:
            for row in (gain_rows(times, parameters_of(options.gains, application), fitted) if options.gains else
                        odds_rows(times, fitted)):
                out.writerow([date, commit, command, application, *row])
            sys.stdout.flush()
            continue
        for device, rows_of_device in sorted(times.items()):
            pairs = [(sum(parts.values()), measured) for _, parts, measured in rows_of_device]
            ordered = [time for _, time in sorted(pairs)]
            out.writerow([date, commit, command, application, device, len(pairs), f"{spearman(*zip(*pairs)):.2f}", f"{ordered[0] / min(ordered):.2f}",
                          f"{min(ordered[:FIRST]) / min(ordered):.2f}"])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
