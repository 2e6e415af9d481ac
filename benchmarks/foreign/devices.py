#!/usr/bin/env python3
"""What programs that were not written for aiwc launch on each device that `aiwc run --as` shows them,
and on the OpenCL of this machine, such as PoCL.

    devices.py LIST BIN OUT DEVICES [--only REGEX] [--limit SECONDS]

LIST, BIN, OUT and REGEX are as in sampling.py. DEVICES are ids, separated by commas; default is aiwc's
device without --as, native this machine's OpenCL. The table OUT/foreign_as.csv gets a row per program,
device and kind of launch. A launch without local size has `open` in its column.
"""
import argparse
import collections
import csv
import datetime
import os
import pathlib
import shutil
import subprocess
import sys

import sampling

HEADER = ["date", "commit", "command", "suite", "program", "device", "status", "kernel", "global_size",
          "local_size", "launches"]
COMMAND = "benchmarks/foreign/devices.py LIST BIN OUT DEVICES"


def native(simulator, program, command, to):
    """Runs the command in a copy of the program's folder, without the simulator."""
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    place = to / "place"
    shutil.copytree(program, place, symlinks=True)
    environment = dict(os.environ, OPENCL_CALLS=str(to / "calls"), HOME=str(to),
                       LD_PRELOAD=f"{simulator.library}:libOpenCL.so.1")
    with open(to / "output", "wb") as output:
        status = subprocess.run(["timeout", "-k", "5", str(simulator.limit), "sh", "-c", command],
                                cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                stderr=subprocess.STDOUT).returncode
    shutil.rmtree(place)
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("list", "bin", "out", "devices"):
        parser.add_argument(name)
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float, default=300)
    options = parser.parse_args()
    root = os.environ.get("AIWC_FOREIGN")
    if not root:
        sys.exit("devices.py: AIWC_FOREIGN must name the folder of the programs")
    out = pathlib.Path(options.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    simulator = sampling.Simulator(options.bin, out, options.limit)
    for suite, name, folder, command in sampling.configurations(options.list, options.only):
        for device in options.devices.split(","):
            to = out / suite / name / device
            if device == "native":
                status = native(simulator, pathlib.Path(root) / folder, command, to)
            else:
                words = [] if device == "default" else ["--as", device]
                simulator.run(pathlib.Path(root) / folder, command, to,
                              ["--sample-groups", "1", *words])
                status = sampling.figures(to)["status"]
            kinds = collections.Counter()
            if (to / "calls").exists():
                for line in (to / "calls").read_text().splitlines():
                    _, what, *rest = line.split(" ")
                    if what == "launch":
                        kinds[tuple(rest)] += 1
            print(f"{suite}/{name}: {device}: status {status}, {sum(kinds.values())} launches", flush=True)
            for kind, count in sorted(kinds.items()) or [(("", "", ""), 0)]:
                sampling.append(out / "foreign_as.csv", HEADER, [
                    datetime.date.today().isoformat(), sampling.commit(), COMMAND, suite, name, device,
                    status, *kind, count])


if __name__ == "__main__":
    main()
