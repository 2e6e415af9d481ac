#!/usr/bin/env python3
"""Builds and runs the programs of a CUDA suite in the simulator.

    suite.py SOURCES LIST.csv OUT [--programs NAME,...] [--seconds N] [--cpu-seconds N] [--jobs N] [--few-repeats]
             [--budget TIME] [--arguments FILE.csv]

SOURCES has a folder per program, with a Makefile that calls nvcc; programs are built there. LIST.csv has the columns `program`
(the folder) and `arguments`. Each program is built with `aiwc build -- make program`, and run with `aiwc run` in its folder, at
most N seconds (60) or seconds of processor time, which other load does not change. With `--budget`, `aiwc run` gets that budget:
programs that take long end, and their results are wrong. inputs.py makes inputs that the suite does not have. OUT gets the profiles
and outputs. Prints a CSV row for each program: what became of the build and of the run, and the first line that says why not.

FILE.csv has other arguments for some programs, in the same columns: small_arguments.csv has those of programs that take longer.
They follow the program's usage: the fewest repeats, and the sizes of the problem divided until about 10^8 operations are left.
Programs without arguments keep the problem that is in their source.
"""
import argparse
import concurrent.futures
import csv
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys

MOST_BYTES = 10 << 30  # of memory, for each process
COLUMNS = ["program", "arguments", "build", "run", "self_check", "reason"]


def command(words, folder, seconds, output, cpu_seconds=resource.RLIM_INFINITY):
    """Status (None after `seconds`), and what it printed."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))

    with open(output, "w+b") as file:
        process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                                   start_new_session=True, preexec_fn=limit)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            subprocess.run(["kill", "-KILL", "--", f"-{process.pid}"], check=False)
            process.wait()
            status = None
        if status in (-signal.SIGXCPU, -signal.SIGKILL, 128 + signal.SIGXCPU, 128 + signal.SIGKILL):
            status = None
        file.seek(0)
        return status, file.read(2_000_000).decode(errors="replace")


def reason_in(text):
    """The line that says what went wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for pattern in (r"error:|undefined reference|cannot find", r"[Ee]rror", r"aiwc"):
        for line in lines:
            if re.search(pattern, line):
                return line[:200]
    return lines[-1][:200] if lines else ""


def self_check(text):
    """What the program says of its own result."""
    if re.search(r"\b(FAIL(ED)?|Fail(ed)?|failed|mismatch|Mismatch|ERROR|INCORRECT|incorrect)\b", text):
        return "fail"
    if re.search(r"\b(PASS(ED)?|Pass(ed)?|passed|Success|SUCCESS|success|correct|Correct|verified|OK)\b", text):
        return "pass"
    return ""


def with_few_repeats(arguments):
    """The last number, which is the number of repeats in most of these programs, is 2 at most."""
    words = arguments.split()
    for i in reversed(range(len(words))):
        if words[i].isdigit():
            words[i] = str(min(int(words[i]), 2))
            break
    return " ".join(words)


def program_in(work, name):
    """The program that the makefile builds, or runs."""
    for path in (work / "main", work / name.removesuffix("-cuda")):
        if path.is_file():
            return path
    recipe = subprocess.run(["make", "-n", "run"], cwd=work, capture_output=True, text=True, check=False).stdout
    for word in reversed(recipe.split()):
        if word.startswith("./") and (work / word).is_file() and (work / word).read_bytes()[:4] == b"\x7fELF":
            return work / word
    programs = [path for path in work.iterdir() if path.is_file() and path.stat().st_mode & 0o111
                and path.read_bytes()[:4] == b"\x7fELF" and path.suffix not in (".o", ".so")]
    return programs[0] if len(programs) == 1 else None


def tried(name, arguments, options):
    if options.few_repeats:
        arguments = with_few_repeats(arguments)
    out = options.out / name
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    work = options.sources.resolve() / name
    row = dict(program=name, arguments=arguments, build="", run="", self_check="", reason="")
    status, text = command(["aiwc", "build", "--", "make", "-B"], work, 300, out / "build.txt")
    row["build"] = "time" if status is None else "ok" if status == 0 else "fail"
    if status != 0:
        row["reason"] = reason_in(text)
        return row
    program = program_in(work, name)
    if program is None:
        row["build"], row["reason"] = "fail", "no program was made"
        return row
    budget = ["--budget", options.budget] if options.budget else []
    status, text = command(["aiwc", "run", *budget, "--output", str(out / "profiles"), "--", str(program), *arguments.split()], work,
                           options.seconds, out / "run.txt", options.cpu_seconds)
    row["run"] = "time" if status is None else "ok" if status == 0 else f"status {status}"
    row["self_check"] = self_check(text)
    if status not in (0, None):
        row["reason"] = reason_in(text)
    return row


def print_rows(items, tried, jobs):
    """A CSV row for each item, as soon as those before it are there; so many are tried at once."""
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for row in pool.map(tried, items):
            writer.writerow(row)
            sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--programs", default="")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--cpu-seconds", type=int, default=resource.RLIM_INFINITY)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--few-repeats", action="store_true", help="run with the last number of the arguments at most 2")
    parser.add_argument("--budget", metavar="TIME", help="of `aiwc run`")
    parser.add_argument("--arguments", type=pathlib.Path, metavar="FILE.csv")
    options = parser.parse_args()
    options.out = options.out.resolve()
    wanted = set(filter(None, options.programs.split(",")))
    arguments = {}
    for row in csv.DictReader(options.list.open()):
        arguments.setdefault(row["program"], row["arguments"])
    if options.arguments:
        arguments.update((row["program"], row["arguments"]) for row in csv.DictReader(options.arguments.open()))
    chosen = [name for name in arguments if not wanted or name in wanted]
    print_rows(chosen, lambda name: tried(name, arguments[name], options), options.jobs)


if __name__ == "__main__":
    main()
