#!/usr/bin/env python3
"""Builds and runs a program of this folder in the simulator: check.py AIWC PROGRAM.cu

The program prints `right`. A first line `// refused: TEXT` says that it is refused instead, at build
or by a call, with that text; `// prints: TEXT` that TEXT is among what it prints, `// build: OPTION` that
`aiwc build` gets the option.
"""
import pathlib
import subprocess
import sys
import tempfile

aiwc, source = sys.argv[1], pathlib.Path(sys.argv[2])
kind, _, text = source.read_text().splitlines()[0].removeprefix("// ").partition(": ")
other = source.with_name(source.stem + "_2.cu")
with tempfile.TemporaryDirectory() as folder:
    program = pathlib.Path(folder) / source.stem

    def said_by(*words):
        done = subprocess.run([aiwc, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=120, check=False)
        return done.stdout

    files = ["-rdc=true", str(source), str(other)] if other.exists() else [str(source)]
    options = [text] if kind == "build" else []
    said = said_by("build", *options, "--", "nvcc", "-std=c++17", *files, "-o", str(program))
    if program.exists():
        said += said_by("run", "--quiet", "--allow-empty", "--", str(program))
    wanted = [text] if kind == "refused" else ["right\n"] + ([text] if kind == "prints" else [])
    missing = [part for part in wanted if part not in said]
    if missing or (kind == "refused" and "right\n" in said):
        sys.exit(f"{source.name}: expected {missing or 'a refusal'} in:\n{said}")
