#!/usr/bin/env python3
"""How long the report of a suite takes to write, and to open in a browser.

    report.py AIWC SUITE

SUITE is a folder of runs, as `eod characterise` makes it. Prints a row of benchmarks/results/report.csv for each
of the two pages: `aiwc report SUITE` and `aiwc report --many SUITE`. Times are medians of five, in
seconds: of writing until the command has ended, of opening until headless Chromium has run the
page's program and laid the page out.
"""
import datetime
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests" / "report"))
from browser import Browser  # noqa: E402

ROUNDS = 5


def writing(words, page):
    start = time.monotonic()
    subprocess.run([*words, "-o", page], check=True)
    return time.monotonic() - start


def opening(page):
    with Browser(shutil.which("chromium")) as browser:
        browser.size(1400)
        browser.open(page)  # the browser's own start
        times = []
        for _ in range(ROUNDS):
            times.append(browser.open(page) / 1000)
            browser.value("document.body.offsetHeight")
        return statistics.median(times)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    aiwc, suite = sys.argv[1:]
    commit = subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "rev-parse", "--short", "HEAD"],
                            check=True, capture_output=True, text=True).stdout.strip()
    profiles = len(list(pathlib.Path(suite).glob("**/aiwc_*.json")))
    print("date,commit,machine,command,page,profiles,bytes,write_s,open_s")
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        for name, options in (("report", []), ("many", ["--many"])):
            written = statistics.median(writing([aiwc, "report", *options, suite], page) for _ in range(ROUNDS))
            print(f"{datetime.date.today()},{commit},{os.cpu_count()} cores,benchmarks/runs/report.py AIWC SUITE,{name},"
                  f"{profiles},{os.path.getsize(page)},{written:.2f},{opening(page):.2f}")


main()
