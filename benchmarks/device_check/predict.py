#!/usr/bin/env python3
"""Predicts the times of device_check.cu on GPUs before anybody measures them, and compares them with what is known.

    benchmarks/device_check/predict.py BIN OUT.csv [DEVICE...]

BIN holds the programs aiwc and oclgrind. The program's kernels run once in the simulator, as on an H200 (three minutes); their
profiles are predicted on each device (default: one of each generation). A row of OUT.csv is a kernel on a device: its time from start
to end and the interval in microseconds, what bounds it, and the least and the most that its definition and the device's data sheet
allow (`known`, below; empty where they say nothing). The last line printed is how many rows are between the two.
"""
import csv
import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DEVICES = ["k40m", "gtx1080", "v100-sxm2", "rtx2080ti", "a100-sxm4-80gb", "rtx3080", "rtx4090", "h200-sxm", "rtx5090",
           "fiji-furyx", "mi100", "mi250x", "mi300x", "rx6900xt", "rx7900xtx"]
LAUNCH_US = 8  # most that a kernel of nothing takes, from start to end


class Device:
    def __init__(self, name):
        data = json.loads((ROOT / "devices" / f"{name}.json").read_text())
        value = {key: entry["value"] for part in ("machine", "properties") for key, entry in data[part].items()}
        self.units = value["compute_units"]
        self.ghz = value["clock_ghz"]
        self.bytes_per_us = 1e3 * value["dram_bandwidth_gb_per_s"]
        self.flops_per_us = 1e3 * value["cores"] * value["fp32_rate_gflops"]
        self.doubles_per_us = 1e3 * value["cores"] * value.get("fp64_rate_gflops", value["fp32_rate_gflops"])
        self.cache = value.get("l3_bytes", value.get("l2_bytes", 0))


def known(kernel, p, grid, block, device):
    """The least and the most microseconds that a row may take; none where nothing is known.

    p: the numbers of `params`. Times have a lower bound by operations over the peak, or bytes over the bandwidth, and an upper one by
    the share of it that such kernels reach on any GPU, or by the slowest latency that is known.
    """
    def stream(least, most, share=0.7):  # bytes that have to, and may, move
        if least < 4 * device.cache:
            return None
        return least / device.bytes_per_us, most / device.bytes_per_us / share + LAUNCH_US

    def compute(operations, rate, share, groups):
        used = min(1, groups / device.units)
        return operations / rate / used, operations / rate / used / share + LAUNCH_US

    items, n = grid * block, p.get("n", 0)
    cycles = 1e3 * device.ghz  # of a microsecond
    if kernel == "empty":
        return 0.5, LAUNCH_US
    if kernel == "copy_float":
        return stream(8 * n, 8 * n)
    if kernel == "triad_double":
        return stream(24 * n, 24 * n)
    if kernel == "fma_float_1_one_warp":
        return 3 * n / cycles, 14 * n / cycles + LAUNCH_US  # of a chain: 4 to 9 cycles each
    if kernel == "fma_float_8_one_block":
        return compute(16 * n * items, device.flops_per_us, 0.3, grid)
    if kernel == "fma_float_1":
        return compute(2 * n * items, device.flops_per_us, 0.3, grid)
    if kernel in ("fma_float_8", "fma_double_8"):
        return compute(16 * n * items, device.flops_per_us if "float" in kernel else device.doubles_per_us, 0.6, grid)
    if kernel == "strided":
        return stream(n * (4 + min(4 * p["stride"], 32)), n * (4 + min(4 * p["stride"], 128)))
    if kernel == "gather":
        return stream(n * (8 + 32), n * (8 + 128)) if p["table"] * 4 >= 8 * device.cache else None
    if kernel == "pointer_chase":
        return 0.012 * p["loads"], 1.2 * p["loads"]
    if kernel.startswith("transpose"):
        return stream(8 * n * n, 8 * n * n, {"naive": 0.1, "tiled": 0.3, "padded": 0.55}[kernel.split("_")[1]])
    if kernel.startswith("matmul"):
        share = {"naive": 0.03, "tiled": 0.06, "register": 0.15}[kernel.split("_")[1]]
        return compute(2 * n ** 3, device.flops_per_us, share, grid)
    if kernel.startswith("reduce"):
        return stream(4 * n, 4 * n, 0.6)
    if kernel == "nbody":
        return compute(20 * n * n, device.flops_per_us, 0.12, grid)
    if kernel == "softmax_rows":
        return stream(8 * p["rows"] * n, 16 * p["rows"] * n)
    if kernel == "stencil2d":
        return stream(8 * n * n, 8 * n * n, 0.5)
    if kernel == "stencil3d":
        return stream(8 * n ** 3, 16 * n ** 3, 0.5)
    if kernel == "convolution_15x15":
        return compute(450 * n * n, device.flops_per_us, 0.06, grid)
    if kernel == "histogram_shared":
        return stream(4 * n, 4 * n, 0.2)
    if kernel == "histogram_global" and p["bins"] == 1:
        return n / 32 / cycles, 4 * n / cycles + LAUNCH_US  # a warp's together in a cycle, or four cycles for each
    if kernel == "spmv_scalar":
        return stream(8 * p["nonzeros"], 136 * p["nonzeros"])
    if kernel == "options":
        return stream(8 * n, 8 * n, 0.4)
    if kernel == "divergent":  # lanes that idle take as long
        return compute(2 * n * items, device.flops_per_us, 0.3, grid)
    return None


def product(text):
    result = 1
    for number in text.split("x"):
        result *= int(number)
    return result


def rows_of(text):
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def main():
    if len(sys.argv) < 3:
        sys.exit("predict.py: expected BIN OUT.csv [DEVICE...]")
    binaries, out, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:] or DEVICES
    aiwc = str(binaries / "aiwc")
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="device-check-") as folder:
        def run(*words):
            return subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stdout

        run(aiwc, "build", "--", "nvcc", "-O3", "-std=c++17", str(HERE / "device_check.cu"), "-o", "device_check")
        rows = rows_of(run(aiwc, "run", "--quiet", "--output", "run", "--budget", "0", "--invocations", "0-", "--targets", "--as",
                           "h200-sxm", "--", "./device_check", "once"))
        launches = json.loads(pathlib.Path(folder, "run/run.json").read_text())["launches"]
        if len(rows) != len(launches):
            sys.exit(f"predict.py: {len(rows)} rows of {len(launches)} launches: expected one of each")
        predicted = [json.loads(run(aiwc, "predict", "run/" + launch["profile"], "--devices", ",".join(names), "--time",
                                    "kernel", "--json"))["kernels"][0]["devices"] for launch in launches]
    devices = {name: Device(name) for name in names}
    inside = judged = 0
    with open(out, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["date", "commit", "command", "device", "kernel", "params", "grid", "block", "predicted_us", "low_us", "high_us",
                        "bound_by", "least_known_us", "most_known_us", "between"])
        for name in names:
            for row, of in zip(rows, predicted):
                one = next(entry for entry in of if entry["device"] == name)
                numbers = {key: float(value) for key, value in re.findall(r"(\w+)=(\d+)", row["params"])}
                bounds = known(row["kernel"], numbers, product(row["grid"]), product(row["block"]), devices[name])
                between = ""
                if bounds:
                    between = bounds[0] <= one["time_us"] <= bounds[1]
                    judged += 1
                    inside += between
                table.writerow([datetime.date.today(), commit, "benchmarks/device_check/predict.py BIN OUT.csv", name, row["kernel"],
                                row["params"], row["grid"], row["block"], *(f"{one[key]:.4g}" for key in ("time_us", "low_us", "high_us")),
                                one["bound_by"], *(f"{bound:.4g}" for bound in bounds or ()), *([] if bounds else ["", ""]),
                                {True: "yes", False: "no", "": ""}[between]])
    print(f"{inside} of {judged} predictions are between the least and the most that is known")


if __name__ == "__main__":
    main()
