"""suite_in_browser.py CHROMIUM BIN OCLGRIND_KERNEL HERE: what a user sees of `aiwc report --many`.

Profiles programs of the suite and a kernel whose source attacks the page, and opens their page in a
headless Chromium: clusters, silhouettes, distances and times by their definitions, every chart drawn,
usable by keyboard.
"""

import json
import math
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

from browser import Browser
from checking import check, check_named, check_principal, check_whole, close, failures, run, ROUNDED

CHROMIUM, BIN, OCLGRIND_KERNEL, HERE = sys.argv[1:5]
HOSTILE = f"{HERE}/hostile"
DATA = "JSON.parse(document.getElementById('data').textContent)"


def aiwc(*words, folder="."):
    return run(f"{BIN}/aiwc", *words, folder=folder)


def of(browser, function, *arguments):
    """What a function of the page returns."""
    return browser.value(f"aiwcReport.{function}({', '.join(json.dumps(one) for one in arguments)})")


def points_at_random(count, columns, seed):
    source = random.Random(seed)
    return [[source.gauss(0, 1) for _ in range(columns)] for _ in range(count)]


def mean_of(points):
    return [sum(column) / len(points) for column in zip(*points)]


def spread(points):
    """The sum of the squared distances to their mean."""
    return sum(math.dist(point, mean_of(points)) ** 2 for point in points)


def ward_reference(points):
    """Ward's joins from the definition: of all pairs of clusters, the one whose union adds least to the spread."""
    clusters = [(i,) for i in range(len(points))]
    joins = []
    while len(clusters) > 1:
        added, one, other = min(
            (spread([points[i] for i in a + b]) - spread([points[i] for i in a]) - spread([points[i] for i in b]), a, b)
            for k, a in enumerate(clusters) for b in clusters[k + 1:])
        clusters = [cluster for cluster in clusters if cluster not in (one, other)] + [one + other]
        joins.append((frozenset(one + other), math.sqrt(2 * max(0, added))))
    return joins


def joins_of(browser, points):
    """The page's joins in the form of the reference's."""
    members = [frozenset([i]) for i in range(len(points))]
    joins = []
    for join in of(browser, "wardTree", points):
        members.append(members[join["a"]] | members[join["b"]])
        check("ward: the size of a cluster", join["size"] == len(members[-1]))
        joins.append((members[-1], join["height"]))
    return joins


def same_joins(joins, others):
    return len(joins) == len(others) and all(a[0] == b[0] and abs(a[1] - b[1]) < 1e-9 for a, b in zip(joins, others))


def partition(labels):
    return {frozenset(i for i, label in enumerate(labels) if label == one) for one in set(labels)}


def labels_of(browser, points, count):
    joins = of(browser, "wardTree", points)
    return of(browser, "cutTree", joins, of(browser, "leafOrder", joins, len(points)), count)


def check_ward(browser):
    # On a line: 0 and 1, then 3, whose distance to their mean is 2.5, then 7, 17/3 from the mean of the others.
    line = of(browser, "wardTree", [[0], [1], [3], [7]])
    expected = [1, math.sqrt(2 * 2 / 3) * 2.5, math.sqrt(2 * 3 / 4) * 17 / 3]
    check("ward: points on a line", all(abs(join["height"] - h) < 1e-12 for join, h in zip(line, expected)), line)
    for seed in range(3):
        points = points_at_random(18, 3, seed)
        joins = joins_of(browser, points)
        check(f"ward: the definition, seed {seed}", same_joins(joins, ward_reference(points)), joins)
        check("ward: heights never decrease", all(a[1] <= b[1] + 1e-12 for a, b in zip(joins, joins[1:])))
        order = list(range(18))
        random.Random(seed).shuffle(order)
        shuffled = joins_of(browser, [points[i] for i in order])
        check("ward: the order of points changes nothing", same_joins(joins, [(frozenset(order[i] for i in a), h) for a, h in shuffled]))
        tree = of(browser, "wardTree", points)
        leaves = of(browser, "leafOrder", tree, 18)
        check("ward: every point is a leaf once", sorted(leaves) == list(range(18)), leaves)
        places = {point: place for place, point in enumerate(leaves)}
        check("ward: no branches cross", all(max(places[i] for i in a) - min(places[i] for i in a) == len(a) - 1 for a, _ in joins))
        for count in range(1, 19):
            found = partition(of(browser, "cutTree", tree, leaves, count))
            clusters = {frozenset([i]) for i in range(18)}
            for union, _ in joins[:18 - count]:
                clusters = {one for one in clusters if not one <= union} | {union}
            check(f"ward: cut into {count}", found == clusters, found)
        check("ward: clusters are numbered from the tree's top", list(dict.fromkeys(
            of(browser, "cutTree", tree, leaves, 5)[i] for i in leaves)) == [0, 1, 2, 3, 4])
        # The unit of a metric changes nothing: columns are standardised first.
        scaled = [[row[0] * 1000, row[1] * 1e-6 + 4, row[2]] for row in points]
        one, other = (joins_of(browser, of(browser, "principal", rows)["points"]) for rows in (points, scaled))
        check("ward: the unit of a metric changes nothing", same_joins(one, other))


def silhouettes_reference(points, labels):
    result = []
    for i, own in enumerate(labels):
        near = {}
        for label in set(labels):
            distances = [math.dist(points[i], points[k]) for k in range(len(points)) if labels[k] == label and k != i]
            near[label] = sum(distances) / len(distances) if distances else None
        a = near.pop(own)
        b = min(near.values(), default=0)
        result.append(0 if a is None or not near else (b - a) / max(a, b))
    return result


def check_silhouettes(browser):
    pairs = [[0], [1], [10], [11]]
    found = of(browser, "silhouettes", of(browser, "distancesOf", pairs), [0, 0, 1, 1])
    expected = [(10.5 - 1) / 10.5, (9.5 - 1) / 9.5, (9.5 - 1) / 9.5, (10.5 - 1) / 10.5]
    check("silhouettes: two pairs", all(abs(a - b) < 1e-12 for a, b in zip(found, expected)), found)
    for seed in range(3):
        points = points_at_random(20, 2, seed)
        for count in (1, 2, 5, 20):
            labels = labels_of(browser, points, count)
            found = of(browser, "silhouettes", of(browser, "distancesOf", points), labels)
            check(f"silhouettes: the definition, {count} clusters", all(abs(a - b) < 1e-9 for a, b in zip(found, silhouettes_reference(points, labels))), found)
    # Groups that are far apart are found, however many points each has.
    for groups in (2, 3, 5):
        points = [[100 * math.cos(g) + x, 100 * math.sin(g) + y] for g in range(groups) for x, y in points_at_random(4 + g, 2, g)]
        quality = []
        for count in range(2, 8):
            labels = labels_of(browser, points, count)
            values = of(browser, "silhouettes", of(browser, "distancesOf", points), labels)
            quality.append({"count": count, "silhouette": sum(values) / len(values)})
        check(f"silhouettes: {groups} far groups", of(browser, "suggestedOf", quality)["count"] == groups, quality)
    values = [0.1, 0.5, 0.46, 0.52, 0.3]
    quality = [{"count": i + 2, "silhouette": value} for i, value in enumerate(values)]
    check("suggested: the first that is worse than the best by a tenth at most", of(browser, "suggestedOf", quality)["count"] == 3)
    worst = [{"count": i + 2, "silhouette": -value} for i, value in enumerate(values)]
    check("suggested: of numbers below 0", of(browser, "suggestedOf", worst)["count"] == 2)
    points = points_at_random(9, 2, 5)
    sums = [sum(math.dist(a, b) for b in points) for a in points]
    check("the medoid is nearest to all others", of(browser, "medoidOf", list(range(9)), of(browser, "distancesOf", points)) == sums.index(min(sums)))
    for n in (1, 2, 19, 20, 21, 40):
        values = list(range(1, n + 1))
        found = of(browser, "quantile", values[::-1], 0.95)
        check(f"quantile of {n}", sum(v <= found for v in values) >= 0.95 * n - 1e-9 and sum(v < found for v in values) < 0.95 * n, found)


def comparable(data, kernel, key):
    place = next(i for i, row in enumerate(data["catalogue"]) if row["key"] == key)
    value = kernel["metrics"][place]
    if value is None or data["catalogue"][place]["fraction"] or "entropy" in key:
        return value
    return math.log1p(value)


def check_suite(browser, work):
    """Clusters and likeness on the page, from its data."""
    data = browser.value(DATA)
    for fragment in ("", "set=few", "c=memory,control", "set=few&c=parallelism&n=3"):
        browser.visit(fragment + "&f=0")
        shown = browser.value("aiwcReport.shownNumbers()")
        suite = [kernel for kernel in data["kernels"] if not data["programs"][kernel["program"]]["isNew"]]
        name = lambda kernel: f"{data['programs'][kernel['program']]['name']}: {kernel['name']}"
        columns = []
        for key in shown["metrics"]:
            known = [value for kernel in suite if (value := comparable(data, kernel, key)) is not None]
            mean = sum(known) / len(known)
            columns.append((key, mean, math.sqrt(sum((value - mean) ** 2 for value in known) / len(known))))
        def point(kernel):
            values = [(comparable(data, kernel, key), mean, deviation) for key, mean, deviation in columns]
            return [0 if value is None else (value - mean) / deviation for value, mean, deviation in values]
        points = {name(kernel): point(kernel) for kernel in suite}
        names = list(points)
        nearest = sorted(min(math.dist(points[a], points[b]) for b in names if b != a) for a in names)
        limit = next(d for i, d in enumerate(nearest) if (i + 1) >= 0.95 * len(nearest))
        check(f"{fragment}: the limit", close(shown["limit"], limit), f"{shown['limit']}, expected {limit}")
        joins = ward_reference(list(points.values()))
        clusters = {frozenset([i]) for i in range(len(names))}
        for union, _ in joins[:len(names) - len(shown["clusters"])]:
            clusters = {one for one in clusters if not one <= union} | {union}
        found = {frozenset(names.index(kernel) for kernel in cluster["kernels"]) for cluster in shown["clusters"]}
        check(f"{fragment}: clusters", found == clusters, found)
        for cluster in shown["clusters"]:
            check(f"{fragment}: a representative is of its cluster", cluster["representative"] in cluster["kernels"])
            programs = {kernel.split(": ")[0] for kernel in cluster["kernels"]}
            check(f"{fragment}: a few programs have a kernel of each cluster", programs & set(shown["cover"]), shown["cover"])
        check(f"{fragment}: new kernels are placed", len(shown["like"]) == len(data["kernels"]) - len(suite) and shown["like"])
        for like in shown["like"]:
            kernel = next(kernel for kernel in data["kernels"] if name(kernel) == like["kernel"])
            expected = sorted((math.dist(point(kernel), points[one]), one) for one in names)
            check(f"{fragment}: nearest to {like['kernel']}", all(close(a["distance"], b[0]) for a, b in zip(like["nearest"], expected)), like)
            check(f"{fragment}: {like['kernel']} is outside or not", like["outside"] == (expected[0][0] > limit or bool(like["newValues"])))
            text = browser.value("document.querySelector('#similarity').textContent")
            check(f"{fragment}: the page says where {like['kernel']} is", ("outside of the suite" in text) or not like["outside"])
    browser.visit("d=i7-6700k,gtx1080,k40m")
    for row in browser.value("aiwcReport.shownNumbers().devices"):
        folder = work / "suite" / row["program"] if (work / "suite" / row["program"]).exists() else work / row["program"]
        predicted = {one["device"]: one for one in json.loads(aiwc("predict", str(folder), "--json", "--devices", "i7-6700k,gtx1080,k40m"))["application"]["devices"]}
        check(f"{row['program']}: devices", {one["id"] for one in row["ranked"]} == set(predicted))
        for one in row["ranked"]:
            other = predicted[one["id"]]
            check(f"{row['program']} on {one['id']}", close(one["micros"], other["time_us"], ROUNDED) and close(one["low"], other["low_us"], ROUNDED) and
                  close(one["high"], other["high_us"], ROUNDED) and one["tie"] == other["tie"], f"{one}, expected {other}")


def check_keyboard(browser, page):
    browser.open(page, "")
    reached = []
    for _ in range(200):
        browser.key("Tab")
        at = browser.value("(() => { const e = document.activeElement; return e === document.body ? null : "
                           "(e.id || e.getAttribute('aria-label') || e.textContent).trim().slice(0, 40); })()")
        if at is None:
            break
        reached.append(at)
        if at == "count":
            before = browser.value("aiwcReport.shownNumbers().clusters.length")
            browser.key("ArrowRight")
            check("a key moves the cut", browser.value("aiwcReport.shownNumbers().clusters.length") == before + 1)
            check("the cut is in the link", f"n={before + 1}" in browser.value("location.hash"), browser.value("location.hash"))
            check("the cut keeps the focus", browser.value("document.activeElement.id") == "count")
        elif at == "colour":
            browser.key("ArrowDown")
            check("the map is marked by cluster", "colour=cluster" in browser.value("location.hash"))
        elif at == "kiviat-1":
            browser.key("Enter")
            check("a Kiviat diagram is looked at", "f=1" in browser.value("location.hash"), browser.value("location.hash"))
            check("it keeps the focus", browser.value("document.activeElement.id") == "kiviat-1")
        elif at == "loadings" or at == "How much each metric counts in each comp":
            browser.key("Enter")
    for wanted in ("theme", "print", "set", "focus", "add-device", "x", "y", "colour", "count", "suggest", "kiviats", "kiviat-1", "Clusters"):
        check(f"{wanted} is reached by the Tab key", wanted in reached, reached)
    check("the loadings unfold by a key", browser.value("document.querySelectorAll('#loadings[open] td.share').length") > 50)
    check_named(browser)
    state = browser.value("location.hash")
    numbers = browser.value("JSON.stringify(aiwcReport.shownNumbers())")
    browser.open(page, state[1:])
    check("a link brings the same page", browser.value("JSON.stringify(aiwcReport.shownNumbers())") == numbers, state)


def check_hostile(browser, page):
    text = pathlib.Path(page).read_text(encoding="utf-8")  # refuses what is not UTF-8
    check("hostile: no element of a name", text.count("</script") == 2, text.count("</script"))
    for fragment in ("", "set=x&c=,,nosuch&n=999999999&f=-1&x=0&y=99&colour=%3Cb%3E&kiviats=x&d=nosuch&arrows=&theme=x", "%%%&n=1&x=12&y=12", "c=control&n=20&kiviats=program&colour=device&arrows=no"):
        browser.open(page, fragment)
        check(f"hostile, {fragment}: names are text", "<b>&" in browser.value("document.querySelector('#devices').textContent"))
        check(f"hostile, {fragment}: no element of a name", browser.value("document.querySelectorAll('img, textarea, b').length") == 0)
        check(f"hostile, {fragment}: every chart is drawn", browser.value("[...document.querySelectorAll('.chart')].every((one) => one.querySelector('svg'))"))
        check(f"hostile, {fragment}: numbers only", not browser.value("/NaN|undefined|Infinity/.test(document.getElementById('page').innerHTML)"))
        check(f"hostile, {fragment}: errors", browser.value("aiwcReport.errors") == [], browser.value("aiwcReport.errors"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for program in ("lud", "fft", "nw", "csr"):
            aiwc("run", "--quiet", "--output", str(work / "suite" / program), "--", f"{BIN}/eod-{program}", "--size", "tiny")
        run(f"{BIN}/oclgrind", "--aiwc", "--aiwc-output", str(work / "attack"), OCLGRIND_KERNEL, "hostile.sim", folder=HOSTILE)
        aiwc("report", "--many", "suite", "--like", "attack", "-o", "suite.html", folder=work)
        hostile = os.path.join(os.fsencode(work), b"<!--<script><b>&\xff")
        shutil.copytree(os.fsencode(work / "suite" / "lud"), hostile)
        aiwc("report", "--many", hostile, "suite/csr", "--like", "attack", "-o", "hostile.html", folder=work)
        for i in range(3):
            shutil.copytree(work / "suite" / "csr", work / "same" / str(i))
        aiwc("report", "--many", "same", "-o", "same.html", folder=work)
        page = str(work / "suite.html")
        with Browser(CHROMIUM, deadline=250) as browser:
            browser.size(1400)
            browser.open(page)
            check_principal(browser)
            check_ward(browser)
            check_silhouettes(browser)
            check_suite(browser, work)
            browser.open(page, "")
            check_whole(browser, "suite", 5)
            check_keyboard(browser, page)
            check("a printed page", browser.pdf().startswith(b"%PDF"))
            check("no error", browser.value("aiwcReport.errors") == [], browser.value("aiwcReport.errors"))
            check_hostile(browser, str(work / "hostile.html"))
            browser.open(str(work / "same.html"), "")
            check("equal kernels: the page says that nothing tells them apart", "tells them apart" in browser.value("document.querySelector('.verdict').textContent"))
            check("equal kernels: no error", browser.value("aiwcReport.errors") == [], browser.value("aiwcReport.errors"))
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
