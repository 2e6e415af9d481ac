#!/usr/bin/env python3
"""How long `aiwc build` takes for a file, against clang's two passes over it.

    compile_time.py FILE.cu...

Prints a CSV row for each file: the seconds of `aiwc build -- nvcc -O3 -c FILE.cu`, those of the calls of clang in it, for the host
and for the device, by themselves, and their ratio. Each is the shortest of three.
"""
import csv
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time


def shortest(words, folder):
    times = []
    for _ in range(3):
        begun = time.monotonic()
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
        times.append(time.monotonic() - begun)
    return min(times)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["file", "aiwc_build_s", "clang_s", "ratio"])
    with tempfile.TemporaryDirectory() as made:
        for name in sys.argv[1:]:
            file = pathlib.Path(name).resolve()
            build = ["aiwc", "build", "--", "nvcc", "-v", "-O3", "-c", str(file), "-o", f"{made}/object.o"]
            said = subprocess.run(build, cwd=file.parent, check=True, capture_output=True, text=True).stderr
            clang = 0
            for line in said.splitlines():
                if line.startswith("#$ clang"):
                    words = shlex.split(line[3:])
                    if "-fcuda-include-gpubinary" in words:  # the device code, which is gone
                        at = words.index("-fcuda-include-gpubinary")
                        del words[at - 1:at + 3]
                    words[words.index("-o") + 1] = f"{made}/of_clang"
                    clang += shortest(words, file.parent)
            whole = shortest(build, file.parent)
            writer.writerow([f"{file.parent.name}/{file.name}", f"{whole:.2f}", f"{clang:.2f}", f"{whole / clang:.2f}"])


if __name__ == "__main__":
    main()
