#!/usr/bin/env python3
"""Writes devices/models/published_launches.csv from the profiles that the scripts beside it made.

    benchmarks/published/collect.py OUT FILE

OUT is the folder that characterise.py, characterise_convolutions.py, characterise_clblast.py and
in_order_reuse.py wrote to. A row is a launch: what models are fitted to and what the simpler
predictors use, without any time. `launches` is how many of them a measured time covers; `where` is
a part of the parameters that the time must have, if a configuration has several profiles. Rows of
FILE stay whose profiles OUT lacks; their cells are empty in columns that FILE lacked.
"""
import csv
import json
import pathlib
import sys

TABLES = ["workloads-published.csv", "workloads-clblast.csv", "workloads-miopen.csv",
          "workloads-modern2.csv"]
IN_ORDER = ["workloads-clblast-in-order.csv", "workloads-miopen-in-order.csv"]  # of OUT/in-order
DEMAND = """int_div_uniform fp_conversions work_items work_groups total_instruction_count ipt_max total_reads total_writes
    private_accesses uniform_accesses consecutive_accesses work_group_instructions_max
    bytes_read_global bytes_written_global bytes_read_constant bytes_read_local bytes_written_local
    barriers_hit fp_div fp_div_f64 fp_special fp_special_instructions fp_special_instructions_f64 fp_ops fp_ops_f64 int_ops atomic_contention_max atomic_line_contention_max
    lane_utilization_8 lane_utilization_16 lane_utilization_32 lane_utilization_64 coalescing_16
    coalescing_32 coalescing_64 int_ops_64 int_mul int_mul_64 joined_accesses chained_loads load_rounds
    machine_instruction_count""".split()
# Of private memory that stays in memory on NVIDIA; empty where it was not asked for (--targets).
TARGETS = ["stack_bytes_nvptx", "scratch_bytes_nvptx"]
FEATURES = """opcode_90 granularity barriers_per_instruction instructions_per_operand
    simd_operand_sum itb_min itb_max itb_median simd_width_max simd_width_mean simd_width_sd
    memory_footprint memory_footprint_90 global_memory_address_entropy""".split() + [
        f"local_memory_address_entropy_{bits}" for bits in range(1, 11)] + [
            "unique_branches", "unique_branches_90", "yokota_branch_entropy",
            "linear_branch_entropy"]
COLUMNS = ["data_set", "kernel", "config", "where", "launches", "global_size", "local_size",
           "line_bytes", "cold_accesses", "reuse_distances"] + DEMAND + TARGETS + FEATURES


def bin_of(distance):
    """The lowest distance of a bin of the profile's histogram (src/profile/reuse.h)."""
    if distance < 64:
        return distance
    return distance - distance % ((1 << (distance.bit_length() - 1)) // 8)


def cell(value):
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def rows_of(folder, tables):
    """Workloads by key, those of later tables in place of earlier ones."""
    found = {}
    for name in tables:
        if not (folder / name).exists():
            continue
        base = folder / "in-order" if name in IN_ORDER else folder
        with open(folder / name, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                block = row["profiles"].rpartition("_")[2].removesuffix(".json")
                several = row["kernel"] == "ln" and "x" in block and row["profiles"].count("_")
                where = row.get("where") or (f"block={block}" if several else "")
                paths = [(word.rpartition("*")[0] or "1", base / word.rpartition("*")[2])
                         for word in row["profiles"].split()]
                if all(path.exists() for _, path in paths):
                    found[row["data_set"], row["kernel"], row["config"], where] = paths
    return found


def launch(path):
    """The cells of one profile, from `global_size` on."""
    profile = json.loads(path.read_text(encoding="utf-8"))
    provenance, reuse = profile["provenance"], profile["reuse"]
    distances = {}
    for lowest, number in profile["histograms"]["reuse_distances"]:
        distances[bin_of(lowest)] = distances.get(bin_of(lowest), 0) + number
    sizes = ["x".join(map(str, provenance[key][:provenance["work_dim"]]))
             for key in ("global_size", "local_size")]
    histogram = " ".join(f"{lowest}:{number}" for lowest, number in sorted(distances.items()))
    metrics = lambda keys: [cell(profile["metrics"].get(key)) for key in keys]
    private = profile.get("targets", {}).get("nvptx", {})
    return (sizes + [reuse["line_bytes"], reuse["cold_accesses"], histogram] + metrics(DEMAND) +
            [cell(private.get(key.removesuffix("_nvptx"))) for key in TARGETS] + metrics(FEATURES))


def main():
    folder, target = map(pathlib.Path, sys.argv[1:3])
    found = rows_of(folder, TABLES + IN_ORDER)
    if not found:
        sys.exit(f"{folder}: no profiles: expected what the scripts beside this one write")
    rows = {key: [[*key, launches, *launch(path)] for launches, path in paths] for key, paths in found.items()}
    if target.exists():
        with open(target, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                key = tuple(row[column] for column in COLUMNS[:4])
                if key not in found:
                    rows.setdefault(key, []).append([row.get(column, "") for column in COLUMNS])
    with open(target, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for key in sorted(rows):
            writer.writerows(rows[key])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: collect.py OUT FILE")
    main()
