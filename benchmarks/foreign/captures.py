#!/usr/bin/env python3
"""Profiles of captures against those of the whole application.

    captures.py BIN APPLICATIONS CAPTURES OUT SUITE COMMAND [NAME...]

APPLICATIONS has a folder per program, in which COMMAND runs it; CAPTURES has, under the same names, the folders that the
OpenCL Intercept Layer wrote for the same command on another implementation of OpenCL (CLI_CaptureReplay=1). Each program
runs under `aiwc run`, and its captures under `aiwc kernel`; the n-th launch of a kernel is compared with its n-th capture.
Prints a table with a row per kernel. OUT takes the runs. Profiles are equal if all but the host's transfers (UNLIKE) is."""

import csv
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

# The application's transfers, which a replay does not make.
UNLIKE = {"host_to_device_bytes", "host_to_device_transfers", "device_to_host_bytes", "device_to_host_transfers"}


def cleaned(value):
    """Without what tells of the host."""
    if isinstance(value, dict):
        return {key: cleaned(item) for key, item in value.items() if key not in UNLIKE}
    return [cleaned(item) for item in value] if isinstance(value, list) else value


def differing(first, second, path=""):
    """The keys whose values differ, with those that they are in."""
    if isinstance(first, dict) and isinstance(second, dict):
        return [key for name in sorted(first.keys() | second.keys())
                for key in differing(first.get(name), second.get(name), f"{path}.{name}".lstrip("."))]
    return [] if first == second else [path]


def characterise(folder, words, where):
    """Runs the command, which leaves a run in `folder`. Returns its exit status and standard error."""
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run(words, cwd=where, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                          errors="replace")
    return done.returncode, done.stderr


def launches(folder):
    """The profiles of a run by kernel, in the order of their launches."""
    run = json.loads((folder / "run.json").read_text())
    by_kernel = {}
    for launch in sorted(run["launches"], key=lambda one: one["number"]):
        profile = json.loads((folder / launch["profile"]).read_text())
        by_kernel.setdefault(launch["kernel"], []).append(cleaned(profile))
    return by_kernel


def order(capture):
    return int(capture.name.split("_")[1])


def main():
    if len(sys.argv) < 7:
        sys.exit(__doc__)
    binaries, applications, captures, out = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
    suite, command = sys.argv[5:7]
    names = sys.argv[7:] or sorted(folder.name for folder in captures.iterdir() if (folder / "Replay").is_dir())
    os.environ["OCLGRIND_NUM_THREADS"] = "1"
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["suite", "program", "kernel", "launches", "captures", "profiles_equal", "replays_equal", "differing"])
    for name in names:
        scratch = out / name / "files"
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.copytree(applications / name, scratch)
        whole, replayed = out / name / "application", out / name / "captures"
        options = ["--quiet", "--accuracy", "exact", "--output"]
        aiwc = str(binaries / "aiwc")
        status, said = characterise(whole, [aiwc, "run", "--invocations", "0-", *options, str(whole), "--", *shlex.split(command)], scratch)
        if not (whole / "run.json").exists():
            print(f"captures.py: {name}: aiwc run ended with status {status}: {said}", file=sys.stderr)
            continue
        _, said = characterise(replayed, [aiwc, "kernel", str(captures / name), *options, str(replayed)], scratch)
        different = {line.split(": ")[1] for line in said.splitlines() if line.startswith("aiwc kernel: Enqueue_")}
        folders = sorted((captures / name / "Replay").iterdir(), key=order)
        of_application, of_captures = launches(whole), launches(replayed)
        for kernel, profiles in of_application.items():
            counterparts = of_captures.get(kernel, [])
            pairs = list(zip(profiles, counterparts))
            keys = sorted({key for pair in pairs for key in differing(*pair)})
            own = [folder.name for folder in folders if (folder / "kernelName.txt").read_text().strip("\0\n ") == kernel]
            table.writerow([suite, name, kernel, len(profiles), len(counterparts),
                            sum(not differing(*pair) for pair in pairs),
                            sum(folder not in different for folder in own) if counterparts else 0, " ".join(keys)])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
