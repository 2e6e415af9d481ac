#!/usr/bin/python3
"""steps.py BIN OUT: holds predicted gains of the steps of two tutorials against the published ones.

OUT is a folder that blind.py has filled. The steps are those of Harris, "Optimizing Parallel Reduction in CUDA" (4,194,304
integers on a GeForce 8800 GTX, ms) and of Harris, "An Efficient Matrix Transpose in CUDA C/C++" (1024 x 1024 floats on a Tesla
K20c, GB/s of 8 MiB; blocks of 32 x 8 threads, where NVIDIA's sample has 32 x 16). They are predicted for the Tesla K20m: the K20c's chip, and the oldest GPU of NVIDIA in devices/.
Prints a row per step: gains over the step before.
"""

import csv
import datetime
import json
import pathlib
import subprocess
import sys

DEVICE = "k20m"
SERIES = {
    "reduction": ("8800gtx", {"reduce0": 8.054, "reduce1": 3.456, "reduce2": 1.722, "reduce3": 0.965, "reduce4": 0.536,
                              "reduce5": 0.381, "reduce6": 0.268}),
    "transpose": ("k20c", {name: 8 * 1.048576 / rate for name, rate in
                           {"transposeNaive": 55.3, "transposeCoalesced": 97.6,
                            "transposeNoBankConflicts": 144.3}.items()}),
}


def predicted(tools, out, series, kernel):
    """ms of one launch"""
    folder = out / (f"oclReduction_kernel-{kernel}" if series == "reduction" else "transpose")
    text = subprocess.run([tools / "aiwc", "predict", folder, "--kernel", kernel, "--devices", DEVICE, "--json"], check=True,
                          capture_output=True, text=True).stdout
    of = json.loads(text)["kernels"][0]
    return of["devices"][0]["predicted_us"] / of["invocations"] / 1000


def main():
    tools, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=pathlib.Path(__file__).parent, capture_output=True,
                            text=True).stdout.strip()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["date", "commit", "machine", "command", "series", "step", "measured_on", "published_ms", "predicted_for",
                    "predicted_ms", "published_gain_factor", "predicted_gain_factor"])
    for series, (measured_on, steps) in SERIES.items():
        before = None
        for step, published in steps.items():
            now = published, predicted(tools, out, series, step)
            gains = [f"{a / b:.3f}" for a, b in zip(before, now)] if before else ["", ""]
            table.writerow([datetime.date.today().isoformat(), commit, "independent of the machine",
                            "benchmarks/advice/steps.py BIN OUT", series, step, measured_on, f"{now[0]:.4g}", DEVICE,
                            f"{now[1]:.4g}", *gains])
            before = now


if __name__ == "__main__":
    main()
