"""applications_in_browser.py CHROMIUM BIN OCLGRIND_KERNEL HERE: the numbers of `aiwc report` for every
application of the suite.

Characterises the suite at its tiny size, writes the report of each application and opens it in a
headless Chromium: times, intervals, ranks and parts on all devices, splits and what-ifs are those of
`aiwc predict --json` and `aiwc split --json`.
"""

import json
import pathlib
import sys
import tempfile
import time

from browser import Browser
from checking import check, close, compare_entries, compare_split, failures, run, ROUNDED

CHROMIUM, BIN = sys.argv[1:3]
DATA = "JSON.parse(document.getElementById('data').textContent)"
DEVICES = "i7-6700k,gtx1080,knl"
WHAT_IF = "dram_bandwidth=3x,cores=640"


def aiwc(*words, folder="."):
    return run(f"{BIN}/aiwc", *words, folder=folder)


def predicted(application, work, devices, *options):
    return json.loads(aiwc("predict", application, "--json", "--devices", devices, *options, folder=work))


def compare_all(where, shown, expected, changed=False):
    compare_entries(where, shown["application"], expected["application"], changed)
    kernels = {kernel["kernel"]: kernel for kernel in expected["kernels"]}
    check(f"{where}: kernels", [kernel["kernel"] for kernel in shown["kernels"]] == list(kernels), shown["kernels"])
    for kernel in shown["kernels"]:
        compare_entries(f"{where}, {kernel['kernel']}", kernel, kernels[kernel["kernel"]], changed)


def check_what_ifs(browser, application, work, number):
    """One change with all that it changes, another of them for each application, and the one that was asked for."""
    whatIfs = browser.value(f"{DATA}.whatIfs.map((one) => one.text)")
    for text in (whatIfs[number % (len(whatIfs) - 1)], WHAT_IF):
        browser.visit(f"w={text}")
        where = f"{application}, {text}"
        shown = browser.value("aiwcReport.shownNumbers()")
        expected = predicted(application, work, DEVICES, "--what-if", text)
        compare_all(where, shown, expected, changed=True)
        times = {row["device"]: row["time_us"] for row in expected["application"]["devices"] if row["what_if"]}
        table = next(one["devices"] for one in shown["what_ifs"] if one["what_if"] == text)
        check(f"{where}: the table", len(table) == len(times) and
              all(close(row["time_us"], times[row["device"]], ROUNDED) for row in table), table)


def check_splits(browser, application, work, transfers):
    """The longest launch of each kernel."""
    kernels = browser.value(f"{DATA}.kernels.map((one) => [one.kernel, one.main.invocation])")
    splits = json.loads(aiwc("split", application, "--json", "--devices", DEVICES, "--transfers", str(transfers), folder=work))["splits"]
    for i, (kernel, invocation) in enumerate(kernels):
        browser.visit(f"f={i}&r={transfers}&q=split")
        split = next(one for one in splits if one["kernel"] == kernel and one["invocation"] == invocation)
        compare_split(f"{application}, split of {kernel} with {transfers} of the transfers", browser.value("aiwcReport.shownNumbers().split"), split)


def check_application(browser, application, work, number):
    aiwc("report", application, "-o", "page.html", "--devices", DEVICES, "--what-if", WHAT_IF, folder=work)
    browser.open(str(work / "page.html"))
    everything = ",".join(browser.value(f"{DATA}.devices.map((one) => one.id)"))
    for fragment, options in (("", []), ("&r=1", ["--transfers", "1"])):
        browser.visit(f"d={everything}{fragment}")
        shown = browser.value("aiwcReport.shownNumbers()")
        compare_all(f"{application}{fragment}", shown, predicted(application, work, everything, *options))
    check_what_ifs(browser, application, work, number)
    for transfers in (0, 1):
        check_splits(browser, application, work, transfers)
    check(f"{application}: no error", browser.value("aiwcReport.errors") == [], browser.value("aiwcReport.errors"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        run(f"{BIN}/eod", "characterise", "--sizes", "tiny", "--out", str(work / "suite"))
        applications = sorted(one.parent for one in (work / "suite").glob("*/run.json"))
        programs = [one for one in pathlib.Path(BIN).glob("eod-*") if "." not in one.name]
        check("all applications", len(applications) == len(programs), [one.name for one in applications])
        with Browser(CHROMIUM, deadline=250) as browser:
            for number, application in enumerate(applications):
                check_application(browser, str(application.relative_to(work)), work, number)
            check("nothing is complained about", not browser.problems, browser.problems)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


start = time.monotonic()
status = main()
print(f"{time.monotonic() - start:.1f} s")
sys.exit(status)
