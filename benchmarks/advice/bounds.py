#!/usr/bin/python3
"""bounds.py BIN OUT DEVICE: holds the gains of `aiwc advise` against times measured with OpenCL.

For each kernel of tests/advice/faults.cl with a fault that a CPU has, and the repaired kernel without the fault: measures both on
the first OpenCL device, asks `aiwc advise` in which range the gain of repairing the first lies on that device, and prints a CSV
row: both factors by which the repaired kernel is faster, the range, and where in it the measured one lies. A finding that is not
costed has no range; where the rule has none, the range is that of gains too small for one. BIN is the folder of aiwc; OUT keeps
the profiles, and what it has already is not simulated again; DEVICE is the profile of the measured device, the path of a JSON
file named after its id.

A launch's time is the least of many, from before it is enqueued until the queue is empty; the two take turns. It is CPU
time of all threads where both kernels keep all cores busy, so that other work on the machine does little, and elapsed time
where the fault is that they do not.

bounds.py --launch KERNEL ITEMS GROUP launches one kernel once: what `aiwc run` characterises.
"""

import csv
import datetime
import json
import os
import pathlib
import subprocess
import sys
import time

os.environ["PYOPENCL_NO_CACHE"] = "1"
import numpy
import pyopencl as cl

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "tests/advice/faults.cl"
ELEMENTS = 64 * 65600  # of the buffers; `columns` reads 64 for each of 65600 work-items
SECONDS = 4  # for each pair
# A rule, the kernel with the fault and the repaired kernel: name, work-items, work-group size.
PAIRS = [
    ("uncoalesced-access", ("rows", 65536, 64), ("columns", 65536, 64)),
    ("uncoalesced-access", ("firsts_of_rows", 65536, 64), ("firsts_of_array", 65536, 64)),
    ("power-of-two-strides", ("columns", 65536, 64), ("columns", 65600, 64)),
    ("idle-lanes", ("some_long", 65536, 64), ("all_alike", 65536, 64)),
    ("partial-lane-groups", ("all_alike", 65536, 8), ("all_alike", 65536, 64)),
    ("few-work-items", ("shares", 64, 64), ("shares", 4096, 64)),
    ("serial-loop", ("serial", 1, 1), ("shares", 65536, 64)),
    ("uneven-work-groups", ("one_group_long", 65536, 1024), ("groups_alike", 65536, 1024)),
    ("contended-atomics", ("count_each", 65536, 128), ("count_groups", 65536, 128)),
    ("double-precision", ("doubles", 65536, 64), ("floats", 65536, 64)),
    ("unpredictable-branches", ("coins", 65536, 64), ("selected_coins", 65536, 64)),
    ("private-arrays", ("private_array", 65536, 64), ("no_array", 65536, 64)),
    ("accidental-double", ("softened", 65536, 64), ("softened_floats", 65536, 64)),
    ("repeated-work", ("same_weights", 65536, 64), ("table_of_weights", 65536, 64)),
    ("memory-sums", ("sum_in_memory", 65536, 64), ("columns", 65536, 64)),
    ("idle-work-items", ("every_eighth", 65536, 64), ("all_of_them", 8192, 64)),
    ("integer-division", ("taken_apart", 65536, 64), ("taken_apart_at_64", 65536, 64)),
    ("redundant-barriers", ("idle_barrier", 65536, 64), ("no_barrier", 65536, 64)),
]
ELAPSED = {"few-work-items", "serial-loop", "uneven-work-groups"}  # the others are measured in CPU time
LEAST_GAIN = 1.05  # of a finding


class Device:
    def __init__(self):
        self.context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
        self.queue = cl.CommandQueue(self.context)
        self.program = cl.Program(self.context, SOURCE.read_text()).build()
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        values = numpy.arange(1, ELEMENTS + 1, dtype=numpy.float32)
        self.input = cl.Buffer(self.context, flags, hostbuf=values)
        self.output = cl.Buffer(self.context, flags, hostbuf=numpy.zeros(ELEMENTS, dtype=numpy.float32))

    def launcher(self, name, items, group):
        """A function that launches the kernel and waits for its end."""
        kernel = getattr(self.program, name)
        arguments = (self.output, self.input, numpy.uint32(64))[: kernel.num_args]
        kernel.set_args(*arguments)

        def launch():
            cl.enqueue_nd_range_kernel(self.queue, kernel, (items,), (group,))
            self.queue.finish()

        return launch


def measured(device, pair, clock):
    """The least seconds of a launch of either kernel, by `clock`."""
    launchers = [device.launcher(*kernel) for kernel in pair]
    least = [float("inf")] * 2
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        for i, launch in enumerate(launchers):
            begin = clock()
            launch()
            least[i] = min(least[i], clock() - begin)
    return least


def aiwc(binary, *arguments):
    return subprocess.run([binary, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout


def profile(binary, out, kernel):
    """The profile of one launch of the kernel."""
    folder = out / "_".join(map(str, kernel))
    if not list(folder.glob("aiwc_*.json")):
        folder.mkdir(parents=True, exist_ok=True)
        aiwc(binary, "run", "--quiet", "--output", folder, "--", __file__, "--launch", *kernel)
    return next(folder.glob("aiwc_*.json"))


def study(binary, out, device_file):
    def predicted(file):
        return json.loads(aiwc(binary, "--device-dir", device_file.parent, "predict", file, "--devices", device_file.stem,
                               "--json"))["kernels"][0]["devices"][0]["time_us"]

    profiles = [[profile(binary, out, kernel) for kernel in pair] for _, *pair in PAIRS]
    device = Device()
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=SOURCE.parent, check=True, stdout=subprocess.PIPE,
                            text=True).stdout.strip()
    model = next(line for line in open("/proc/cpuinfo") if line.startswith("model name")).split(":")[1].strip()
    machine = f"{os.cpu_count()} virtual cores of {model}; {cl.get_platforms()[0].version.split('  ')[0]}"
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["date", "commit", "machine", "command", "rule", "faulty", "repaired", "clock", "measured_faulty_us",
                    "measured_repaired_us", "measured_factor", "predicted_factor", "range_low", "range_high", "place"])
    for (rule, *pair), files in zip(PAIRS, profiles):
        clock = "elapsed" if rule in ELAPSED else "cpu"
        faulty, repaired = measured(device, pair, time.perf_counter if rule in ELAPSED else time.process_time)
        found = [
            finding
            for kernel in json.loads(aiwc(binary, "advise", files[0], *options))
            for finding in kernel["findings"]
            if finding["rule"] == rule
        ]
        stated = (1, LEAST_GAIN)
        if found:
            stated = found[0]["gains"][0]["range"] if found[0]["gains"] else None
        gained = faulty / repaired
        place = ""
        if stated:
            place = "below" if gained < stated[0] else "above" if gained > stated[1] else "within"
        table.writerow([datetime.date.today().isoformat(), commit, machine, "benchmarks/advice/bounds.py BIN OUT DEVICE", rule,
                        *("{} {}/{}".format(*kernel) for kernel in pair), clock, f"{1e6 * faulty:.1f}",
                        f"{1e6 * repaired:.1f}", f"{gained:.2f}", f"{predicted(files[0]) / predicted(files[1]):.2f}",
                        *(format(end, ".2f") for end in stated or ()), *([] if stated else ["", ""]), place])
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--launch"] and len(sys.argv) == 5:
        Device().launcher(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))()
    elif len(sys.argv) == 4:
        study(pathlib.Path(sys.argv[1]) / "aiwc", pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve())
    else:
        sys.exit(__doc__)
