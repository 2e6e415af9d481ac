"""in_browser.py CHROMIUM BIN OCLGRIND_KERNEL HERE: what a user sees of `aiwc report`.

Profiles a program of the suite and a kernel whose source attacks the page, writes their reports and
opens them in a headless Chromium: no complaint, every chart drawn, usable by keyboard, numbers as
those of `aiwc predict --json` and `aiwc split --json`.
"""

import json
import pathlib
import shutil
import sys
import tempfile
import time
import urllib.parse
import xml.etree.ElementTree

from browser import Browser
from checking import check, check_named, check_whole, close, compare_entries, compare_split, failures, run, ROUNDED

CHROMIUM, BIN, OCLGRIND_KERNEL, HERE = sys.argv[1:5]
HOSTILE = f"{HERE}/hostile"
DEVICES = "i7-6700k,gtx1080,k40m,fiji-furyx,knl,i5-3550,gtx970"
WHAT_IF = "dram_bandwidth=3x,cores=640"


def aiwc(*words, folder="."):
    return run(f"{BIN}/aiwc", *words, folder=folder)


def compare_numbers(browser, profiles):
    for fragment, options in (
            ("", []),
            ("r=1", ["--transfers", "1"]),
            ("w=cache_size=0.5x&r=1", ["--what-if", "cache_size=0.5x", "--transfers", "1"]),
            # A many-core CPU with a slower clock is of another class.
            ("w=clock=0.5x", ["--what-if", "clock=0.5x"]),
            (f"w={WHAT_IF}&r=1", ["--what-if", WHAT_IF, "--transfers", "1"])):
        browser.visit(f"d={DEVICES}&{fragment}")
        shown = browser.value("aiwcReport.shownNumbers()")
        predicted = json.loads(aiwc("predict", profiles, "--json", "--devices", DEVICES, *options))
        changed = "--what-if" in options
        compare_entries(f"{fragment or 'as it is'}: application", shown["application"], predicted["application"], changed)
        expected = {kernel["kernel"]: kernel for kernel in predicted["kernels"]}
        check("kernels", {kernel["kernel"] for kernel in shown["kernels"]} == set(expected))
        for kernel in shown["kernels"]:
            compare_entries(f"{fragment or 'as it is'}: {kernel['kernel']}", kernel, expected[kernel["kernel"]], changed)


def check_split(browser, profile, kernel, devices):
    """Any of the first five devices that the report is for can divide a launch; what the page shows of it."""
    browser.visit(f"d={devices}&f={kernel}&r=1")
    shown = browser.value("aiwcReport.shownNumbers().split")
    split = json.loads(aiwc("split", profile, "--json", "--transfers", "1", "--devices", devices))["splits"][0]
    compare_split(f"split of {profile} among {devices}", shown, split)
    busy = sum(share["work_groups"] > 0 for share in shown["shares"])
    figures = browser.value("document.querySelectorAll('#split figure').length")
    check("split: a chart where dividing gains, else a sentence", (figures > 0) == (busy > 1), f"{figures} figures, {busy} devices")


def check_unknown(browser, page):
    """Devices that the report was not written for: no split and no what-if, and the page says so."""
    browser.open(page, "d=i7-6700k,rtx4090&w=cores=2x")
    shown = browser.value("aiwcReport.shownNumbers()")
    check("unknown: no split", shown["split"] is None, shown["split"])
    check("unknown: but what to do", "aiwc split RUN" in shown_text(browser, "#split"), shown_text(browser, "#split"))
    check("unknown: no what-if", [row["device"] for row in shown["application"]["devices"]] == ["i7-6700k"], shown["application"])
    check("unknown: a caveat", "What-ifs are not known of rtx4090" in shown_text(browser, ".doubts"), shown_text(browser, ".doubts"))


def check_divisions(browser, work):
    """Half a launch has half of its integer divisions."""
    aiwc("report", "divisions", "-o", "divisions.html", "--devices", "i7-6700k,gtx1080,k40m", folder=work)
    browser.open(str(work / "divisions.html"), "")
    profile = str(work / "divisions" / "aiwc_divided_0.json")
    shown = browser.value("aiwcReport.shownNumbers().split")
    check("divisions: the launch is divided", sum(share["work_groups"] > 0 for share in shown["shares"]) > 1, shown)
    check_split(browser, profile, 0, "i7-6700k,gtx1080,k40m")


def check_matrices(browser, work):
    """Kernels that multiply matrices have a roof of their own, on devices with units for that."""
    profile = (work / "divisions" / "aiwc_divided_0.json").read_text(encoding="utf-8")
    for key in ("matrix_ops", "matrix_ops_f16"):
        profile = profile.replace(f'"{key}": 0', f'"{key}": 4096')
    (work / "matrices.json").write_text(profile, encoding="utf-8")
    aiwc("report", "matrices.json", "-o", "matrices.html", "--devices", "rtx4090,gtx1080", folder=work)
    browser.open(str(work / "matrices.html"), "")
    text = shown_text(browser, "#roofline")
    check("matrices: a roof where there are units", "rtx4090, 16-bit matrices" in text, text)
    check("matrices: none where there are not", "gtx1080, 16-bit matrices" not in text, text)


def check_keyboard(browser, page):
    browser.open(page, "")
    reached = []
    for _ in range(200):
        browser.key("Tab")
        at = browser.value("(() => { const e = document.activeElement; return e === document.body ? null : "
                           "(e.closest('section') ? e.closest('section').id + '/' : '') + "
                           "(e.id || e.getAttribute('aria-label') || e.textContent).trim().slice(0, 40); })()")
        if at is None:
            break
        reached.append(at)
        if at == "theme":
            browser.key("Enter")
            check("the theme changes by a key", browser.value("document.documentElement.dataset.theme") == "dark")
            check("and keeps the focus", browser.value("document.activeElement.id") == "theme")
        elif at == "What if the devices were different?":
            browser.key("Enter")
        elif at == "w-none":
            before = browser.value("aiwcReport.shownNumbers().application.devices[0].time_us")
            browser.key("ArrowDown")
            check("a what-if changes the numbers", browser.value("aiwcReport.shownNumbers().application.devices[0].time_us") > before)
            check("and the link", "w=cores=0.5x" in browser.value("location.hash"), browser.value("location.hash"))
            check("and keeps the focus", browser.value("document.activeElement.id") == "w-cores=0.5x")
        elif at == "source/heat":
            browser.key("ArrowDown")
            check("the source is shaded by another measure", "heat=misses" in browser.value("location.hash"))
        elif at == "metrics/query":
            for letter in "entropy":
                browser.key(letter)
            rows = browser.value("document.querySelectorAll('#metrics tbody tr:not([hidden])').length")
            check("the search leaves what matches", 3 <= rows < 40, rows)
    for wanted in ("theme", "print", "add-device", "focus", "What if the devices were different?", "w-none", "ranking/transfers",
                   "source/heat", "source/source lines", "metrics/query", "Ranking"):
        check(f"{wanted} is reached by the Tab key", wanted in reached, reached)
    check_named(browser)
    state = browser.value("location.hash")
    numbers = browser.value("JSON.stringify(aiwcReport.shownNumbers())")
    browser.open(page, state[1:])
    check("a link brings the same page", browser.value("JSON.stringify(aiwcReport.shownNumbers())") == numbers and
          browser.value("document.querySelector('#query').value") == "entropy", state)


def check_pictures(browser, work, page):
    """Each chart of the page by itself, and as files that `aiwc report` writes."""
    browser.open(page, "")
    drawn = browser.value("[...document.querySelectorAll('section')].filter((one) => one.querySelector('.chart svg')).map((one) => one.id)")
    listed = [line.split()[0] for line in aiwc("report", "lud", "--chart", "list", folder=work).splitlines()]
    # A launch that one device does first is not drawn divided.
    check("pictures: the list has the charts of the page", [name for name in listed if name != "split"] == [name for name in drawn if name != "split"],
          f"{listed}, expected {drawn}")
    pictures = {}
    for name in drawn:
        browser.open(page, f"chart={name}")
        text = urllib.parse.unquote(browser.value("document.querySelector('#picture').textContent"))
        pictures[name] = text
        tags = [one.tag.rpartition("}")[2] for one in xml.etree.ElementTree.fromstring(text).iter()]
        # The background is a rectangle.
        marks = sum(tags.count(tag) for tag in ("rect", "polyline", "polygon", "circle", "path"))
        check(f"picture {name}: is drawn", marks > 1 and tags.count("text") > 2, tags)
        check(f"picture {name}: needs no page", "var(" not in text and "prefers-color-scheme: dark" in text)
        check(f"picture {name}: numbers only", "NaN" not in text and "undefined" not in text)
    for ending, begin in (("svg", b"<svg"), ("png", b"\x89PNG\r\n"), ("pdf", b"%PDF")):
        file = work / f"roofline.{ending}"
        aiwc("report", "lud", "-o", file.name, "--chart", "roofline", folder=work)
        content = file.read_bytes()
        check(f"pictures: {ending}", content.startswith(begin), content[:20])
        if ending == "svg":
            check("pictures: the file is what the page draws", content.decode() == pictures["roofline"] + "\n")
        if ending == "png":
            width = int.from_bytes(content[16:20], "big")
            check("pictures: two pixels per unit", width == 2 * float(pictures["roofline"].split(' width="')[1].split('"')[0]), width)


def shown_text(browser, selector):
    return browser.value(f"document.querySelector({json.dumps(selector)}).textContent")


def check_first_screen(browser, page, work):
    """What the page says before anybody scrolls: a best guess with its interval, and findings over all kernels."""
    browser.open(page, f"d={DEVICES}")
    verdict = shown_text(browser, ".verdict")
    best = browser.value("aiwcReport.shownNumbers().application.devices[0]")
    check("verdict: names the best guess", best["device"] in verdict and " to " in verdict, verdict)
    # By the definition of the shares: of all kernels, the seconds of the chosen devices as advise has them.
    shown = browser.value("document.querySelector('#findings ol').children.length")
    check("findings: at most three are open", 0 < shown <= 3, shown)
    advised = json.loads(aiwc("advise", "lud", "--json", folder=work))
    predicted = json.loads(aiwc("predict", "lud", "--json", "--devices", "rtx5090,h200-sxm,rx9070xt,ryzen9-9950x", folder=work))
    seconds = {row["device"]: row["time_us"] / 1e6 for row in predicted["application"]["devices"]}
    saved = [(gain["saved_s"] / seconds[gain["device"]], kernel["kernel"]) for kernel in advised if kernel["kernel"]
             for finding in kernel["findings"] for gain in finding["gains"]]
    first = shown_text(browser, "#findings li strong")
    check("findings: the first saves most", saved and first.endswith(f" in {max(saved)[1]}"), f"{first}, expected of {max(saved)}")
    browser.value("document.querySelector('#findings li a').click()")
    check("findings: the link shades the source", browser.value("document.querySelector('#source h3').textContent") in first,
          browser.value("location.hash"))


def check_transfers(browser, page):
    browser.open(page, "")
    check("transfers: off at first", not browser.value("document.querySelector('#transfers').checked"))
    before = browser.value("aiwcReport.shownNumbers().application.devices")
    browser.value("document.querySelector('#transfers').click()")
    after = browser.value("aiwcReport.shownNumbers().application.devices")
    check("transfers: the switch adds them", sum(row["time_us"] for row in after) > sum(row["time_us"] for row in before))
    check("transfers: hatched", browser.value("document.querySelectorAll('#ranking .hatched').length") == len(after))
    check("transfers: in the link", "r=1" in browser.value("location.hash"))


def check_measured(browser, work):
    """A run whose launches were measured on a device: it is shown, with a ring and a column that has the sum."""
    shutil.copytree(work / "lud", work / "measured")
    run_file = work / "measured" / "run.json"
    made = json.loads(run_file.read_text())
    for launch in made["launches"]:
        launch["measured"] = {"device": "GeForce GTX 970", "nanos": 2000000, "queued_nanos": 3000000}
    run_file.write_text(json.dumps(made))
    aiwc("report", "measured", "-o", "measured.html", "--measured-on", "gtx970", folder=work)
    browser.open(str(work / "measured.html"), "")
    rows = browser.value("[...document.querySelectorAll('#ranking tbody tr')].map((row) => "
                         "[...row.children].map((cell) => cell.textContent))")
    heads = browser.value("[...document.querySelectorAll('#ranking thead th')].map((cell) => cell.textContent)")
    check("measured: a column", "measured" in heads, heads)
    column = heads.index("measured")
    shown = {row[0]: row[column] for row in rows}
    check("measured: only on that device", [name for name, time in shown.items() if time] == ["gtx970"], shown)
    expected = f"{2 * len(made['launches'])} ms"
    check("measured: the sum of all launches", shown.get("gtx970") == expected, f"{shown}, expected {expected}")
    check("measured: one ring", browser.value("document.querySelectorAll('#ranking circle.before').length") == 1)
    check("measured: what the times follow from", f"From {len(made['launches'])} times measured on gtx970" in
          shown_text(browser, "#ranking"), shown_text(browser, "#ranking"))
    aiwc("report", "measured", "-o", "conditioned.html", "--measured-on", "gtx970", "--devices", DEVICES, folder=work)
    for fragment, options in (("", []), ("r=1", ["--transfers", "1"]), ("w=clock=0.5x", ["--what-if", "clock=0.5x"])):
        browser.open(str(work / "conditioned.html"), f"d={DEVICES}&{fragment}")
        shown = browser.value("aiwcReport.shownNumbers()")
        predicted = json.loads(aiwc("predict", "measured", "--json", "--measured-on", "gtx970", "--devices", DEVICES, *options,
                                    folder=work))
        check("measured: conditions all kernels", all(kernel["measured_on"] for kernel in predicted["kernels"]))
        compare_entries(f"measured, {fragment or 'as it is'}", shown["application"], predicted["application"], bool("--what-if" in options))
    browser.open(str(work / "lud.html"), "")
    check("measured: no column without", "measured" not in shown_text(browser, "#ranking thead"))


def check_other_type(browser, work):
    """The application saw a GPU and asked for its type: a CPU is doubted, a GPU is not. With a run for each type, none is."""
    seen = {"gpu": "generic-gpu", "cpu": "i7-6700k"}
    for name in seen:
        shutil.copytree(work / "lud", work / "typed" / name)
        file = work / "typed" / name / "run.json"
        text = file.read_text(encoding="utf-8").replace('"asked": [', '"asked": ["CL_DEVICE_TYPE", ')
        text = text.replace('{"device": "generic-gpu", "class": "gpu"}', f'{{"device": "{seen[name]}", "class": "{name}"}}')
        check("other type: the run has one", f'"class": "{name}"' in text)
        file.write_text(text, encoding="utf-8")
    devices = ["--devices", "gtx1080,i7-6700k"]
    aiwc("report", "typed/gpu", "-o", "typed.html", *devices, folder=work)
    browser.open(str(work / "typed.html"), "")
    doubts = browser.value("[...document.querySelectorAll('.doubts li')].map((one) => one.textContent)")
    said = [text for text in doubts if "saw a GPU" in text]
    check("other type: the CPU is doubted", len(said) == 1 and "i7-6700k" in said[0] and "gtx1080" not in said[0], doubts)
    aiwc("report", "typed", "-o", "both.html", *devices, folder=work)
    browser.open(str(work / "both.html"), "")
    check("other type: not with a run for each", "saw a" not in browser.value("document.querySelector('header').textContent"))
    predicted = json.loads(aiwc("predict", "typed", "--json", *devices, folder=work))
    expected = {row["device"]: row["time_us"] for row in predicted["application"]["devices"]}
    for row in browser.value("aiwcReport.shownNumbers().application.devices"):
        check(f"other type: {row['device']} has its own launches", close(row["time_us"], expected[row["device"]], ROUNDED), row["time_us"])


def check_hostile(browser, page):
    text = pathlib.Path(page).read_text(encoding="utf-8")  # refuses what is not UTF-8
    check("hostile: no element of the source", text.count("</script") == 2, text.count("</script"))
    for fragment in ("", "k=9&f=-1&d=nosuch,,&w=constructor&r=7&heat=x&cache=99&lanes=-1&q=%3Cb%3E&theme=x", "%%%&k=0,0,x"):
        browser.open(page, fragment)
        check(f"hostile, {fragment}: the title", browser.value("document.title").startswith("attack: "), browser.value("document.title"))
        check(f"hostile, {fragment}: the source is text", "</script><script>document.title" in browser.value("document.querySelector('.heat').textContent"))
        check(f"hostile, {fragment}: the kernel's name", "__proto__" in browser.value("document.querySelector('#source h3').textContent"))
        check(f"hostile, {fragment}: no element of the source", browser.value("document.querySelectorAll('img, textarea').length") == 0)
        numbers = browser.value("JSON.stringify(aiwcReport.shownNumbers())")
        check(f"hostile, {fragment}: numbers", "null" not in numbers.replace('"probability":null', ""), numbers[:300])
        check(f"hostile, {fragment}: errors", browser.value("aiwcReport.errors") == [])


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        aiwc("run", "--quiet", "--output", str(work / "lud"), "--", f"{BIN}/eod-lud", "--size", "tiny")
        run(f"{BIN}/oclgrind", "--aiwc", "--aiwc-output", str(work / "attack"), OCLGRIND_KERNEL, "hostile.sim", folder=HOSTILE)
        run(f"{BIN}/oclgrind", "--aiwc", "--aiwc-output", str(work / "divisions"), OCLGRIND_KERNEL, "divisions.sim", folder=f"{HERE}/divisions")
        aiwc("report", "lud", "-o", "lud.html", folder=work)
        aiwc("report", "lud", "-o", "many.html", "--devices", DEVICES, "--what-if", WHAT_IF, folder=work)
        aiwc("report", "attack", "-o", "attack.html", "--source", f"{HOSTILE}/hostile.cl", folder=work)
        page, attack = str(work / "lud.html"), str(work / "attack.html")
        with Browser(CHROMIUM, deadline=250) as browser:
            browser.size(1400)
            browser.open(str(work / "many.html"))
            compare_numbers(browser, str(work / "lud"))
            kernels = browser.value("JSON.parse(document.getElementById('data').textContent).kernels.map((k) => [k.kernel, k.main.invocation])")
            for i, (kernel, invocation) in enumerate(kernels):
                for devices in (DEVICES, "gtx1080,k40m", "i7-6700k,k40m,knl"):
                    check_split(browser, str(work / "lud" / f"aiwc_{kernel}_{invocation}.json"), i, devices)
            check_unknown(browser, str(work / "many.html"))
            check_divisions(browser, work)
            check_matrices(browser, work)
            browser.open(page, "")
            check_whole(browser, "lud", 7)
            check_keyboard(browser, page)
            check_first_screen(browser, page, work)
            check_transfers(browser, page)
            check_measured(browser, work)
            check_other_type(browser, work)
            browser.open(page, "")
            check("a printed page", browser.pdf().startswith(b"%PDF"))
            check_pictures(browser, work, page)
            browser.open(page, "")
            check("the source that the run kept is shown", "lud_internal" in browser.value("document.querySelector('.heat').textContent"))
            check("no error", browser.value("aiwcReport.errors") == [], browser.value("aiwcReport.errors"))
            check_hostile(browser, attack)
            browser.open(attack, "")
            check_whole(browser, "attack", 6)  # no split: one device does the launch first
            check("nothing is complained about", not browser.problems, browser.problems)
            strangers = [url for url in browser.requests if not url.startswith(("file:", "about:", "data:"))]
            check("nothing is loaded", not strangers, strangers)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


start = time.monotonic()
status = main()
print(f"{time.monotonic() - start:.1f} s")
sys.exit(status)
