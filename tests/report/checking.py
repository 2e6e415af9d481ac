"""What the tests of pages have in common. Failures are collected."""

import json
import math
import subprocess
import sys

failures = []


def check(what, condition, found=""):
    if not condition:
        failures.append(f"{what}: {found}" if found != "" else what)


def run(*words, folder="."):
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done.stdout.decode()


def close(a, b, tolerance=1e-9):
    return a == b or (a is not None and b is not None and abs(a - b) <= tolerance * max(abs(a), abs(b)))


ROUNDED = 1e-5  # of a page that has six digits of each number
EQUAL = 1e-5  # kEqualTimes of predict/prediction.h


def compare_entries(where, shown, predicted, changed=False):
    """Entries of a page of a run with those of `aiwc predict --json`. `changed`: those of --what-if, whose ranks are among the unchanged ones."""
    expected = {row["device"]: row for row in predicted["devices"] if (row["what_if"] is not None) == changed}
    check(f"{where}: devices", {row["device"] for row in shown["devices"]} == set(expected))
    for row in shown["devices"]:
        other = expected[row["device"]]
        here = f"{where}, {row['device']}"
        for key in ("time_us", "low_us", "high_us"):
            check(f"{here}, {key}", close(row[key], other[key], ROUNDED), f"{row[key]}, expected {other[key]}")
        check(f"{here}: terms", row["terms"].keys() == other["terms"].keys())
        for key, value in row["terms"].items():
            check(f"{here}, {key}", abs(value - other["terms"][key]) <= ROUNDED * other["time_us"], f"{value}, expected {other['terms'][key]}")
        for key in ["known_device", "bound_by"] + ([] if changed else ["tie"]):
            check(f"{here}, {key}", row[key] == other[key], f"{row[key]}, expected {other[key]}")
        if not changed:
            least, most = (1 + sum(one["time_us"] < limit * other["time_us"] for one in expected.values()) for limit in (1 - EQUAL - ROUNDED, 1 - EQUAL + ROUNDED))
            check(f"{here}, rank", least <= row["rank"] <= most, f"{row['rank']}, expected {other['rank']}")
            check(f"{here}, relative_time", close(row["relative_time"], other["relative_time"], 2 * ROUNDED), row)
            check(f"{here}, chance", (row["probability"] is None) == (other["chance"] is None) and
                  abs((row["probability"] or 0) - (other["chance"] or 0)) < 1e-4, f"{row['probability']}, expected {other['chance']}")


def compare_split(where, shown, split):
    """The division of a launch with one of `aiwc split --json`."""
    check(f"{where}: makespan", close(shown["makespan_us"], split["makespan_us"], ROUNDED), f"{shown}, expected {split['makespan_us']}")
    check(f"{where}: alone", close(shown["single_us"], split["best_single"]["makespan_us"], ROUNDED), f"{shown}, expected {split['best_single']}")
    check(f"{where}: devices", len(shown["shares"]) == len(split["shares"]), shown)
    for share, expected in zip(shown["shares"], split["shares"]):
        check(f"{where}: {share['device']}", share["device"] == expected["device"] and
              share["work_groups"] == expected["work_groups"] and close(share["finish_us"], expected["finish_us"], ROUNDED),
              f"{share}, expected {expected}")


def check_whole(browser, where, charts):
    """Every chart has what it is made of, at any width, in every medium."""
    for width, medium, scheme in ((1400, "screen", "light"), (700, "screen", "dark"), (794, "print", "light"), (320, "screen", "light")):
        browser.media(medium, scheme)
        browser.size(width)
        browser.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        here = f"{where}, {medium}, {width} pixels"
        found = browser.value("""[...document.querySelectorAll('figure')].map((figure) => ({
          section: figure.closest('section').id,
          meaning: figure.querySelector('figcaption').textContent.length,
          marks: [...figure.querySelectorAll('.bar, .marker, polyline, .heatbar span')]
            .filter((mark) => mark.getClientRects().length).length,
          wrong: /NaN|undefined|Infinity/.test(figure.innerHTML) }))""")
        check(f"{here}: charts", len(found) >= charts, found)
        for figure in found:
            check(f"{here}: {figure['section']} is drawn", figure["marks"] > 0)
            check(f"{here}: {figure['section']} says what it means", figure["meaning"] > 60)
            check(f"{here}: {figure['section']} has numbers only", not figure["wrong"])
        check(f"{here}: nothing is wider than the page", browser.value("document.documentElement.scrollWidth <= innerWidth"),
              browser.value("document.documentElement.scrollWidth"))
        overlaps = browser.value("""[...document.querySelectorAll('#split svg text')].flatMap((a, i, all) => all.slice(i + 1).filter((b) => {
          const [one, other] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
          return one.left < other.right && other.left < one.right && one.top < other.bottom - 2 && other.top < one.bottom - 2;
        }).map((b) => `${a.textContent} and ${b.textContent}`))""")
        check(f"{here}: texts of the split overlap", not overlaps, overlaps)
        ink = browser.value("getComputedStyle(document.body).color")
        paper = browser.value("getComputedStyle(document.body).backgroundColor")
        check(f"{here}: colours", (sum(map(int, paper[4:-1].split(","))) > 600) == (scheme == "light"), f"{ink} on {paper}")
    browser.media()
    browser.size(1400)


def check_named(browser):
    check("every control has a name", browser.value(
        "[...document.querySelectorAll('input, select, button')].filter((e) => !(e.labels && e.labels.length) && "
        "!e.getAttribute('aria-label') && !e.textContent.trim()).length") == 0)


def check_principal(browser):
    """Principal components by their definition, on random rows."""
    rows = [[math.sin(1 + 7 * i * i + 3 * k) * (1 + k) + (i if k == 2 else 0) for k in range(4)] + [5] for i in range(30)]
    found = browser.value(f"aiwcReport.principal({json.dumps(rows)})")
    check("principal: a constant column is left out", found["kept"] == [0, 1, 2, 3], found["kept"])
    count = len(rows)
    columns = []
    for k in range(4):
        column = [row[k] for row in rows]
        mean = sum(column) / count
        deviation = math.sqrt(sum((x - mean) ** 2 for x in column) / count)
        columns.append([(x - mean) / deviation for x in column])
    scores = [[row[c] for row in found["scores"]] for c in range(4)]
    variances = [sum(x * x for x in one) / count for one in scores]
    check("principal: the variance is kept", abs(sum(variances) - 4) < 1e-9, variances)
    check("principal: shares", all(abs(v / 4 - s) < 1e-9 for v, s in zip(variances, found["shares"])), found["shares"])
    for c in range(4):
        for d in range(c):
            check("principal: scores do not correlate", abs(sum(x * y for x, y in zip(scores[c], scores[d]))) < 1e-7 * count)
    for turn in range(50):  # no direction has more variance than the first
        weights = [math.cos(turn * (k + 1) + k) for k in range(4)]
        length = math.hypot(*weights)
        along = [sum(w * columns[k][i] for k, w in enumerate(weights)) / length for i in range(count)]
        check("principal: the first is the largest", sum(x * x for x in along) / count <= variances[0] + 1e-9)
    for i in range(5):  # distances stay
        for j in range(i):
            before = math.dist([column[i] for column in columns], [column[j] for column in columns])
            check("principal: distances", abs(before - math.dist(found["scores"][i], found["scores"][j])) < 1e-9)
    for i, row in enumerate(rows[:5]):
        again = browser.value(f"aiwcReport.principal({json.dumps(rows)}).scoresOf({json.dumps(row)})")
        check("principal: the scores of a row", math.dist(again, found["scores"][i]) < 1e-9)
    # A missing number counts as the mean of its column, which is 0 once it is standardised.
    holes = [row[:1] + [None] + row[2:] if i % 3 == 0 else row for i, row in enumerate(rows)]
    points = browser.value(f"aiwcReport.principal({json.dumps(holes)}).points")
    check("principal: missing numbers", all((points[i][1] == 0) == (i % 3 == 0) for i in range(count)))
