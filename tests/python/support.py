"""What the tests of the Python package share: runs of real programs, made once per test program, and the
command aiwc, whose output the package is compared with.

Environment: AIWC_BIN, the folder of the built programs; AIWC_HOSTILE, a kernel whose text attacks its reader;
AIWC_OCLGRIND_KERNEL, the program that runs it.
"""

import atexit
import functools
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

BIN = pathlib.Path(os.environ["AIWC_BIN"])
WORK = pathlib.Path(tempfile.mkdtemp(prefix="aiwc-python-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

DEVICES = "i7-6700k,gtx1080,k40m,fiji-furyx"


def output(*words, folder=WORK):
    """What a program prints; the test program ends if it fails."""
    done = subprocess.run([os.fspath(word) for word in words], cwd=folder, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{words}: status {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done.stdout.decode()


def aiwc(*words, folder=WORK):
    return output(BIN / "aiwc", *words, folder=folder)


def aiwc_json(*words):
    return json.loads(aiwc(*words))


@functools.lru_cache(maxsize=None)
def run_of(application, size="tiny", *options):
    """The folder of a run of a program of the suite."""
    folder = WORK / "-".join((application, size, *options))
    output(BIN / "oclgrind", "--aiwc", "--aiwc-output", folder, *options, BIN / f"eod-{application}", "--size", size)
    return str(folder)


@functools.lru_cache(maxsize=None)
def hostile():
    """The folder of a run of the hostile kernel."""
    folder = WORK / "attack"
    output(BIN / "oclgrind", "--aiwc", "--aiwc-output", folder, os.environ["AIWC_OCLGRIND_KERNEL"], "hostile.sim",
           folder=os.environ["AIWC_HOSTILE"])
    return str(folder)


def close(a, b, tolerance=1e-9):
    """Whether two numbers agree, or are both missing."""
    missing = [value is None or value != value for value in (a, b)]
    if any(missing):
        return all(missing)
    return a == b or math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-300)
