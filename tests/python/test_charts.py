"""Every chart is drawn of real runs: SVG that parses, with as many series as it is of, in the report's look."""

import os
import pathlib
import re
import shutil
import unittest
import warnings
from xml.etree import ElementTree

import numpy
from support import DEVICES, WORK, close, hostile, run_of

import aiwc
from aiwc import charts
from aiwc.charts import look, shapes, text

SVG = "{http://www.w3.org/2000/svg}"
#: CPUs and GPUs whose parameters are all known, as many as there are looks.
MANY = "i7-6700k,gtx1080,k40m,fiji-furyx,knl,gtx970,i5-3550,titanx"


def parsed(chart):
    """The root of the chart as SVG, and the number of its series."""
    root = ElementTree.fromstring(chart.bytes("svg"))
    series = {element.get("id") for element in root.iter() if re.fullmatch("series-[0-9]+", element.get("id") or "")}
    return root, len(series)


def texts(root):
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


class Drawn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = WORK / "several"
        folder.mkdir()
        for application in ("lud", "csr", "kmeans"):
            shutil.copytree(run_of(application), folder / application)
        cls.run_of_all = aiwc.read_run(folder)
        cls.before = aiwc.read_run(run_of("lud"))
        cls.kernels = len(cls.run_of_all.kernels)

    def test_each_has_a_series_for_each_thing_that_it_compares(self):
        kernels = self.kernels
        with_levels = sum(bool(kernel.heaviest["fp_ops"]) for kernel in self.run_of_all.kernels)
        self.assertGreater(kernels, 4)
        expected = {"ranking": 4, "kernels": 4, "why": 4, "lines": 4, "split": 4, "roofline": 4, "caches": kernels,
                    "parallelism": with_levels, "profile": min(6, kernels), "likeness": kernels + 3, "compare": 2}
        drawn = dict(charts.draw_all(self.run_of_all, DEVICES, compare=self.before))
        self.assertEqual(list(drawn), list(charts.CHARTS))
        for name, chart in drawn.items():
            with self.subTest(name):
                root, series = parsed(chart)
                self.assertEqual(series, expected[name])
                self.assertGreater(len(chart.meaning), 60)
                self.assertNotRegex(chart.meaning + " ".join(texts(root)), "nan|inf\\b|None")
                self.assertNotIn("\n", chart.meaning)

    def test_widths_and_themes_keep_what_is_drawn(self):
        for width, dark in ((300, False), (1400, True)):
            drawn = charts.draw_all(self.run_of_all, MANY, compare=self.before, width=width, dark=dark)
            for name, chart in drawn:
                with self.subTest(name, width=width, dark=dark):
                    root, series = parsed(chart)
                    self.assertGreaterEqual(series, 2)
                    self.assertEqual(float(root.get("width")[:-2]) * 96 / 72, width)
                    paper = (look.DARK if dark else look.LIGHT).paper
                    self.assertIn(f"fill: {paper}", ElementTree.tostring(root, "unicode"))

    def test_the_same_chart_gives_the_same_bytes(self):
        for form in charts.FORMATS:
            first, again = (charts.draw("roofline", self.before, DEVICES).bytes(form) for _ in range(2))
            self.assertEqual(first, again)
            self.assertTrue(first.startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[form]))
            self.assertNotRegex(first, rb"20[0-9][0-9]-[0-9][0-9]-|/CreationDate")

    def test_settings_of_the_user_change_nothing(self):
        import matplotlib

        expected = charts.draw("ranking", self.before, DEVICES).bytes()
        with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.facecolor": "red"}):
            self.assertEqual(charts.draw("ranking", self.before, DEVICES).bytes(), expected)
            self.assertEqual(matplotlib.rcParams["font.size"], 30)

    def test_the_ranking_shows_the_predicted_times(self):
        chart = charts.draw("ranking", self.before, DEVICES)
        frame = aiwc.rank(self.before, DEVICES)
        axes = chart.figure.axes[0]
        bars = [line for line in axes.lines if (line.get_gid() or "").startswith("series-")]
        for (_, row), bar, name in zip(frame.iterrows(), bars, axes.get_yticklabels(), strict=True):
            self.assertEqual(name.get_text(), row["device"])
            self.assertTrue(close(bar.get_xdata()[0], row["low"]))
            self.assertTrue(close(bar.get_xdata()[1], row["high"]))
        shown = texts(parsed(chart)[0])
        for seconds, tie in zip(frame["seconds"], frame["tie"], strict=True):
            self.assertIn(text.duration(seconds) + (" tie" if tie else ""), shown)

    def test_bars_of_kernels_and_comparison_are_the_predicted_times(self):
        frame = aiwc.predict(self.before, DEVICES)
        best = aiwc.rank(self.before, DEVICES)["device"][0]
        kernels = charts.draw("kernels", self.before, DEVICES).figure.axes[0]
        widths = sorted(bar.get_width() for bar in kernels.patches)
        for found, expected in zip(widths, sorted(frame["seconds"]), strict=True):
            self.assertTrue(close(found, expected))
        compared = charts.draw("compare", self.before, DEVICES, compare=self.before).figure.axes[0]
        of_best = sorted(list(frame[frame["device"] == best]["seconds"]) * 2)
        for found, expected in zip(sorted(bar.get_width() for bar in compared.patches), of_best, strict=True):
            self.assertTrue(close(found, expected))

    def test_labels_of_times_are_what_they_stand_for(self):
        size = {"0": 1, "s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
        for name in ("ranking", "kernels", "split"):
            for width in (400, 900, 1400):
                axes = charts.draw(name, self.before, DEVICES, width=width).figure.axes[0]
                axes.figure.draw_without_rendering()
                ticks = [(place, label.get_text()) for place, label in zip(axes.get_xticks(), axes.get_xticklabels())]
                self.assertGreaterEqual(len(ticks), 2)
                for place, shown in ticks:
                    number, _, unit = shown.partition(" ")
                    self.assertAlmostEqual(float(number.replace(",", "")) * size[unit or "0"] / (place or 1),
                                           1 if place else 0, places=9, msg=f"{name}: {shown} at {place}")

    def test_shares_of_why_are_those_of_the_terms(self):
        frame = aiwc.rank(self.before, DEVICES)
        figure = charts.draw("why", self.before, DEVICES).figure
        for axes, (_, row) in zip(figure.axes, frame.iterrows(), strict=True):
            shares = [row[key] / row["seconds"] for key in row.index if key.endswith("_s")]
            for bar in axes.patches:
                self.assertTrue(any(close(bar.get_width(), share) or bar.get_width() == share for share in shares))
            self.assertGreater(sum(bar.get_width() for bar in axes.patches), 0.9)

    def test_the_curve_of_caches_is_the_miss_ratio(self):
        axes = charts.draw("caches", run_of("csr"), DEVICES).figure.axes[0]
        curve, = [line for line in axes.lines if line.get_gid() == "series-0"]
        profile, = aiwc.read_run(run_of("csr")).profiles
        for size, ratio in zip(curve.get_xdata(), curve.get_ydata(), strict=True):
            misses, accesses = profile.misses([int(size)])
            self.assertTrue(close(ratio, misses[0] / accesses))
        gone = [gid for line in axes.lines if (gid := line.get_gid() or "").startswith("vertical-")]
        caches = [f"vertical-{device.id} {symbol.upper()}" for device in aiwc.devices(DEVICES)
                  for symbol in ("l1", "l2", "l3") if device.parameters[symbol] is not None]
        self.assertEqual(sorted(gone), sorted(caches))

    def test_the_curve_of_parallelism_is_the_share_of_operations_in_levels_as_wide(self):
        profile, = aiwc.read_run(run_of("csr")).profiles
        levels = profile.histogram("asap_fp_levels")
        total = sum(width * count for width, count in levels)
        self.assertEqual(total, profile["fp_ops"])
        axes = charts.draw("parallelism", run_of("csr"), DEVICES).figure.axes[0]
        curve, = [line for line in axes.lines if line.get_gid() == "series-0"]
        points = list(zip(curve.get_xdata(), curve.get_ydata(), strict=True))
        for width, _ in levels:
            expected = sum(other * count for other, count in levels if other >= width) / total
            self.assertIn(True, [x == width and close(y, expected) for x, y in points])

    def test_one_kernel_is_drawn_by_itself(self):
        for name, chart in charts.draw_all(self.run_of_all, DEVICES, kernel="lud_internal"):
            if isinstance(chart, charts.Chart):
                self.assertIn("lud_internal", chart.meaning + " ".join(texts(parsed(chart)[0])), name)
        axes = charts.draw("kernels", self.run_of_all, DEVICES, kernel="lud_internal").figure.axes[0]
        self.assertEqual(len(axes.patches), 4)

    def test_what_cannot_be_drawn_is_said(self):
        with self.assertRaisesRegex(charts.NothingToDraw, "no run to compare with"):
            charts.draw("compare", self.before, DEVICES)
        with self.assertRaisesRegex(charts.NothingToDraw, "two devices or more"):
            charts.draw("split", self.before, "gtx1080")
        with self.assertRaisesRegex(aiwc.NotFound, "'pie': expected one of ranking, "):
            charts.draw("pie", self.before)
        with self.assertRaisesRegex(aiwc.NotFound, "has no kernel none: expected one of lud_"):
            charts.draw("ranking", self.before, kernel="none")
        with self.assertRaisesRegex(aiwc.BadArgument, "expected one of svg, png, pdf"):
            charts.draw("ranking", self.before, DEVICES).save(WORK / "x.gif")
        with self.assertRaisesRegex(aiwc.BadFile, "cannot be written: No such file"):
            charts.draw("ranking", self.before, DEVICES).save(WORK / "none" / "x.svg")


class Hostile(unittest.TestCase):
    def test_names_and_sources_are_text(self):
        """Markup, mathematics, control characters and bytes that are not UTF-8, in names and sources."""
        folder = WORK / "names"
        shutil.copytree(hostile(), folder)
        name = "</script><b>&amp;\\n$x^2$\\u0001\\u202e$\\ud83d\\ude00"
        for file in sorted(folder.glob("*.json")):
            file.write_text(file.read_text().replace('"__proto__"', f'"{name}"'))
        run = aiwc.read_run(folder)
        self.assertIn("\n", run.kernels[0].kernel)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for name, chart in charts.draw_all(run, DEVICES, compare=run):
                if isinstance(chart, charts.NothingToDraw):
                    self.assertEqual(name, "likeness")  # of one kernel, twice
                    continue
                root, _ = parsed(chart)
                allowed = {f"{SVG}{tag}" for tag in ("svg", "g", "path", "use", "text", "tspan", "defs", "style",
                                                     "clipPath", "rect", "metadata", "title")}
                foreign = [element.tag for element in root.iter() if element.tag.startswith(SVG)
                           and element.tag not in allowed]
                self.assertEqual(foreign, [], name)
                self.assertTrue(all(c.isprintable() for c in chart.meaning), name)
                chart.bytes("png")
                chart.bytes("pdf")
        self.assertEqual([str(one.message) for one in caught], [])
        shown = texts(parsed(charts.draw("kernels", run, DEVICES))[0])
        self.assertTrue(any(one.startswith("</script><b>&amp;\\x0a$x^2$\\x01") for one in shown), shown)


class Look(unittest.TestCase):
    def test_colours_and_dashes_are_those_of_the_report(self):
        page = pathlib.Path(os.environ["AIWC_SOURCES"], "src/report/page")
        css = (page / "page.css").read_text()
        blocks = {"light": css[:css.index('[data-theme="dark"]')],
                  "dark": css[css.index('[data-theme="dark"]'):css.index("@media")]}
        for name, theme in (("light", look.LIGHT), ("dark", look.DARK)):
            variables = dict(re.findall(r"--([a-z0-9]+): (#[0-9a-f]+)", blocks[name]))
            self.assertEqual([variables[key] for key in ("paper", "ink", "quiet", "rule", "hot")], list(theme[:5]))
            self.assertEqual([variables[f"c{place}"] for place in range(8)], list(theme.colours))
        script = (page / "charts.js").read_text()
        self.assertEqual(look.DASHES, re.findall('"([^"]*)"', re.search(r"const dashes = \[(.*?)\];", script)[1]))
        self.assertEqual(look.LOOKS, len(re.findall(r"^  \(x, y, r\) =>", script, re.MULTILINE)))

    def test_the_radar_has_the_axes_of_the_report(self):
        script = pathlib.Path(os.environ["AIWC_SOURCES"], "src/report/page/metrics.js").read_text()
        rows = re.findall(r'\["([a-z0-9_]+)", "([^"]+)"\]', re.search(r"radarAxes = \[(.*?)\]\.filter", script, re.DOTALL)[1])
        self.assertEqual(rows, shapes._AXES)
        self.assertEqual([key for key, *_ in shapes._axes()], [key for key, _ in rows])

    def test_numbers_for_people(self):
        for value, expected in ((0, "0"), (0.0123, "12 ms"), (2.5e-6, "2.5 µs"), (3e-9, "3 ns"), (0.99999, "1 s"),
                                (1234, "1,200 s")):
            self.assertEqual(text.duration(value), expected)
        self.assertEqual([text.size(64), text.size(1536), text.size(2**40)], ["64 B", "1.5 KiB", "1 TiB"])
        self.assertEqual([text.percent(0.004), text.percent(0.126), text.percent(0)], ["<1 %", "13 %", "0 %"])
        self.assertEqual(text.printable("a\nb\udcff"), "a\\x0ab\\xed\\xb3\\xbf")
        self.assertEqual(text.printable("abcdef", 4), "abc…")
        self.assertEqual(text.listed(["a", "b", "c"]), "a, b and c")


class Principal(unittest.TestCase):
    def test_components_are_eigenvectors_of_the_correlations(self):
        """Scores are uncorrelated, their variances the shares of the whole, and a rotation keeps distances."""
        table = numpy.random.default_rng(1).normal(size=(9, 5)) @ numpy.diag([1, 10, 3, 1, 2])
        table[:, 3] = 4.0  # does not vary: left out
        scores, shares, weights, kept, points = shapes.principal(table)
        self.assertEqual(list(kept), [0, 1, 2, 4])
        variances = scores.T @ scores / len(table)
        self.assertTrue(numpy.allclose(variances, numpy.diag(shares * 4), atol=1e-12))
        self.assertTrue(numpy.allclose(weights @ weights.T, numpy.eye(4)))
        self.assertTrue(numpy.allclose(points.mean(axis=0), 0) and numpy.allclose(points.std(axis=0), 1))
        self.assertEqual(list(shares), sorted(shares, reverse=True))
        far = [[numpy.linalg.norm(a - b) for a in rows for b in rows] for rows in (scores, points)]
        self.assertTrue(numpy.allclose(*far))
        self.assertTrue(all(weight[abs(weight).argmax()] > 0 for weight in weights))


if __name__ == "__main__":
    unittest.main()
