"""The command aiwc-charts: its files, its messages, its status; and the package without its library."""

import os
import shutil
import subprocess
import sys
import unittest

from support import BIN, DEVICES, WORK, command, run_of


class Command(unittest.TestCase):
    def refused(self, status, text, *words, **options):
        found, out, lines = command(*words, **options)
        self.assertEqual((found, out), (status, ""), lines)
        self.assertIn(text, lines[-1])
        if status == 1:
            self.assertEqual(len(lines), 1, lines)
            self.assertTrue(lines[0].startswith("aiwc-charts: "), lines)

    def test_every_chart_is_written_with_its_meaning(self):
        folder = WORK / "charts"
        status, out, lines = command(run_of("lud"), "-o", folder, "--compare", run_of("lud"))
        self.assertEqual((status, lines), (0, []))
        names = ["ranking", "kernels", "why", "lines", "split", "roofline", "caches", "parallelism", "profile",
                 "likeness", "compare"]
        self.assertEqual([line.split(": ")[0] for line in out.splitlines()], [f"{folder}/{name}.svg" for name in names])
        self.assertEqual(sorted(os.listdir(folder)), sorted(f"{name}.svg" for name in names))
        for name in names:
            self.assertGreater((folder / f"{name}.svg").stat().st_size, 2000, name)

    def test_chosen_charts_in_a_format(self):
        for form in ("png", "pdf"):
            folder = WORK / form
            status, out, _ = command(run_of("csr"), "-o", folder, "--format", form, "--chart", "caches", "--chart", "why",
                                     "--dark", "--width", "500", "--devices", DEVICES, "--kernel", "csr")
            self.assertEqual((status, len(out.splitlines())), (0, 2))
            self.assertEqual(sorted(os.listdir(folder)), [f"caches.{form}", f"why.{form}"])

    def test_what_has_no_data_is_left_out(self):
        status, out, lines = command(run_of("csr"), "-o", WORK / "some")
        self.assertEqual(status, 0)
        self.assertEqual(len(out.splitlines()), 9)
        self.assertEqual(lines, ["aiwc-charts: likeness: left out: there are fewer than three kernels"])
        self.refused(1, "compare: left out: there is no run", run_of("csr"), "-o", WORK / "none", "--chart", "compare")
        self.assertFalse((WORK / "none").exists())

    def test_a_wrong_command_line_has_status_2(self):
        self.refused(2, "the following arguments are required: RUN")
        self.refused(2, "invalid choice: 'pie'", run_of("csr"), "--chart", "pie")
        self.refused(2, "invalid choice: 'gif'", run_of("csr"), "--format", "gif")
        self.refused(2, "unrecognized arguments: --light", run_of("csr"), "--light")
        self.refused(2, "invalid int value: 'wide'", run_of("csr"), "--width", "wide")

    def test_what_cannot_be_read_or_written_is_one_line(self):
        (WORK / "empty").mkdir(exist_ok=True)
        (WORK / "file").write_text("{")
        self.refused(1, "empty: has no profiles: expected the folder of a run", WORK / "empty")
        self.refused(1, "file:1:2: ", WORK / "file")
        self.refused(1, "missing: cannot be read: No such file", WORK / "missing")
        self.refused(1, "no device", run_of("csr"), "--devices", "gtx")
        self.refused(1, "has no kernel none", run_of("csr"), "--kernel", "none")
        self.refused(1, "--width 20: expected 300 to 4000", run_of("csr"), "--width", "20")
        self.refused(1, "--model automatch: expected published", run_of("csr"), "--model", "automatch")
        self.refused(1, "none.json", run_of("csr"), "--model", "none.json")
        self.refused(1, "cannot be made: ", run_of("csr"), "-o", WORK / "file" / "x")
        self.refused(1, "file: cannot be made: File exists", run_of("csr"), "-o", WORK / "file")
        name = os.fsencode(WORK) + b"/not \xff\n utf8"
        self.refused(1, " utf8: cannot be read", os.fsdecode(name))

    def test_an_unreadable_profile_is_one_line(self):
        folder = WORK / "unreadable"
        shutil.copytree(run_of("csr"), folder)
        profile = folder / "aiwc_csr_0.json"
        profile.unlink()
        profile.mkdir()  # unreadable for root, too
        self.refused(1, "aiwc_csr_0.json: is not a regular file", folder)

    def test_a_missing_library_is_one_line(self):
        self.refused(1, "/nonexistent.so: cannot be loaded: ", run_of("csr"),
                     environment={"AIWC_LIBRARY": "/nonexistent.so"})
        self.refused(1, "has no function aiwc_version", run_of("csr"), environment={"AIWC_LIBRARY": "libc.so.6"})
        done = subprocess.run([sys.executable, "-c", "import aiwc; aiwc.devices()"], capture_output=True, check=False,
                              env={**os.environ, "AIWC_LIBRARY": "/nonexistent.so"})
        self.assertIn(b"aiwc._library.LibraryMissing: /nonexistent.so: cannot be loaded", done.stderr)

    def test_missing_matplotlib_is_one_line(self):
        folder = WORK / "shadow"
        folder.mkdir()
        (folder / "matplotlib.py").write_text("raise ImportError('No module named matplotlib')\n")
        self.refused(1, "expected the Debian packages python3-pandas and python3-matplotlib", run_of("csr"),
                     environment={"PYTHONPATH": f"{folder}:{os.environ['PYTHONPATH']}"})

    def test_nobody_reads_and_no_locale(self):
        reader, writer = os.pipe()
        os.close(reader)
        status, _, lines = command(run_of("csr"), "-o", WORK / "unread", "--chart", "caches", stdout=writer)
        os.close(writer)
        self.assertEqual(lines, [])
        self.assertIn(status, (0, 1))
        self.assertEqual(os.listdir(WORK / "unread"), ["caches.svg"])
        status, out, lines = command(run_of("csr"), "-o", WORK / "c", "--chart", "roofline",
                                     environment={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})
        self.assertEqual((status, lines), (0, []))

    def test_help_names_every_chart_and_the_manual_every_option(self):
        status, out, _ = command("--help")
        self.assertEqual(status, 0)
        with open(os.path.join(os.environ["AIWC_SOURCES"], "man", "aiwc-charts.1"), encoding="utf-8") as page:
            manual = page.read()
        from aiwc.charts import CHARTS

        for name in CHARTS:
            self.assertIn(name, out)
            self.assertIn(f".Cm {name} ", manual)
        options = {word.strip("[],") for word in out.split() if word.startswith(("--", "[--"))}
        self.assertGreater(len(options), 9)
        for option in options:
            self.assertIn(option.replace("--", "-"), manual)

    def test_the_program_finds_its_package_without_a_path(self):
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        link = WORK / "linked"
        link.symlink_to(BIN / "aiwc-charts")
        for program in (BIN / "aiwc-charts", link):
            done = subprocess.run([program, "--version"], env=environment, capture_output=True, check=False)
            self.assertRegex(done.stdout, rb"^aiwc-charts [0-9.]+\n$", done.stderr)


if __name__ == "__main__":
    unittest.main()
