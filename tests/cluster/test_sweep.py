"""test_sweep.py SWEEP BIN: sweeps over lists of commands, as docs/comparing.md describes them, and what is
made of real runs: tables, reports, and schedules (docs/scheduling.md)."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SWEEP, BIN = (pathlib.Path(word).resolve() for word in sys.argv[1:3])

# In place of `aiwc`, for what needs no kernels: `aiwc run --quiet --output DIR OPTION... -- COMMAND...`.
# Adds a line to the file `calls`, and runs the command.
MADE_UP = """#!/bin/bash
printf '%s\\n' "$*" >> "$CALLS"
[ "$1 $2 $3" = "run --quiet --output" ] || exit 99
folder=$4
while [ "$1" != -- ]; do shift; done
shift
echo '{"begun": true}' > "$folder/run.json"
"$@"
"""


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="aiwc sweep "))
        self.addCleanup(shutil.rmtree, self.folder)
        made_up = self.folder / "bin" / "aiwc"
        made_up.parent.mkdir()
        made_up.write_text(MADE_UP)
        made_up.chmod(0o755)
        self.out = self.folder / "out tree"
        self.environment = {**os.environ, "PATH": f"{made_up.parent}:{os.environ['PATH']}",
                            "CALLS": str(self.folder / "calls")}
        self.environment.pop("SLURM_ARRAY_TASK_ID", None)

    def list(self, *lines):
        (self.folder / "the list").write_text("".join(f"{line}\n" for line in lines))

    def arguments(self, *more, mode=()):
        return [SWEEP, *mode, "the list", "out tree", *more]

    def sweep(self, *more, mode=(), **environment):
        return subprocess.run(self.arguments(*more, mode=mode), cwd=self.folder, capture_output=True, text=True,
                              env={**self.environment, **environment}, check=False)

    def calls(self):
        file = self.folder / "calls"
        return file.read_text().splitlines() if file.exists() else []

    def text(self, name):
        return (self.out / name).read_text()


class Sweeps(Folder):
    def test_each_line_has_a_folder_with_its_status_and_log(self):
        self.list("# a comment", "echo 'two  words' $HOME", "", "cat < 'a file'")
        (self.folder / "a file").write_text("content\n")
        result = self.sweep("--", "--invocations", "a b")
        self.assertEqual((result.returncode, result.stdout), (0, "2 of 2 lines are done\n"))
        self.assertEqual(sorted(path.name for path in self.out.iterdir() if path.name[0] != "."), ["2", "4"])
        self.assertEqual(self.text("2/log"), f"two  words {os.environ['HOME']}\n")
        self.assertEqual(self.text("2/exit_status"), "0\n")
        self.assertEqual(self.text("2/command"), "echo 'two  words' $HOME\n")
        self.assertEqual(self.text("4/log"), "content\n")
        self.assertIn("--invocations a b -- echo two  words", self.calls()[0])

    def test_a_failing_line_stops_no_other_and_is_told_at_the_end(self):
        self.list("true", "bash -c 'echo why; exit 7'", "true")
        result = self.sweep()
        self.assertEqual(result.returncode, 1)
        self.assertIn("line 2 failed with status 7, see out tree/2/log: bash -c", result.stdout)
        self.assertIn("2 of 3 lines are done", result.stdout)
        self.assertEqual(self.text("2/log"), "why\n")
        self.assertEqual(self.sweep(mode=["--todo"]).stdout, "2\n")

    def test_what_is_done_is_not_run_again_and_what_failed_is(self):
        self.list("true", "test -e 'it exists'", "true")
        self.sweep()
        (self.folder / "it exists").touch()
        result = self.sweep()
        self.assertEqual(result.returncode, 0)
        self.assertEqual([call.split("-- ")[1] for call in self.calls()],
                         ["true", "test -e it exists", "true", "test -e it exists"])

    def test_a_killed_sweep_goes_on_where_it_was(self):
        self.list("true", "bash -c 'test -e go || sleep 60'", "true")
        with subprocess.Popen(self.arguments(), cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL,
                              start_new_session=True) as sweep:
            while len(self.calls()) < 2:
                time.sleep(0.02)
            os.killpg(sweep.pid, signal.SIGKILL)
        self.assertFalse((self.out / "2").exists())  # what is cut short has no name that a reader looks at
        result = self.sweep(mode=["--summary"])
        self.assertIn("line 2 is missing", result.stdout)
        self.assertIn("1 of 3 lines are done", result.stdout)
        (self.folder / "go").touch()
        self.assertEqual(self.sweep().returncode, 0)
        self.assertEqual(len(self.calls()), 4)  # the first line was not run again
        self.assertEqual(self.sweep().returncode, 0)
        self.assertEqual(len(self.calls()), 4)

    def test_a_line_is_run_by_one_process_at_a_time(self):
        self.list("bash -c 'until test -e go; do sleep 0.05; done'", "true")
        with subprocess.Popen(self.arguments("1"), cwd=self.folder, env=self.environment) as first:
            while not self.calls():
                time.sleep(0.02)
            second = self.sweep()
            self.assertEqual(second.returncode, 1)
            self.assertIn("line 1 is being characterised by another process", second.stderr)
            self.assertEqual(self.text("2/exit_status"), "0\n")
            (self.folder / "go").touch()
        self.assertEqual(first.returncode, 0)
        self.assertEqual(len(self.calls()), 2)
        self.assertEqual(self.sweep(mode=["--summary"]).returncode, 0)

    def test_an_array_of_slurm_runs_one_line_each(self):
        self.list("true", "# none", "false", "true")
        statuses = [self.sweep(SLURM_ARRAY_TASK_ID=str(index)).returncode for index in (1, 2, 3)]
        self.assertEqual(statuses, [0, 0, 1])
        self.assertEqual(self.sweep(mode=["--todo"]).stdout, "3\n4\n")
        beyond = self.sweep(SLURM_ARRAY_TASK_ID="9")
        self.assertEqual(beyond.returncode, 2)
        self.assertIn("line 9: the list has fewer lines", beyond.stderr)

    @unittest.skipUnless(shutil.which("parallel"), "needs GNU parallel")
    def test_gnu_parallel_runs_what_is_not_done(self):
        self.list("true", "false", "true", "echo 'one two'")
        self.sweep("3")
        command = f"'{SWEEP}' --todo 'the list' 'out tree' | parallel -j 3 '{SWEEP}' 'the list' \"'out tree'\" {{}}"
        command = command.replace("'the list' \"", "\"'the list'\" \"")
        result = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, check=False,
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 1, result.stderr)  # as many as failed
        self.assertEqual(len(self.calls()), 4)
        self.assertIn("3 of 4 lines are done", self.sweep(mode=["--summary"]).stdout)

    def test_a_tree_of_another_list_is_left_as_it_is(self):
        self.list("true")
        self.sweep()
        self.list("echo other")
        result = self.sweep()
        self.assertEqual(result.returncode, 1)
        self.assertIn("out tree/1 is of another command", result.stderr)
        self.assertEqual(self.text("1/command"), "true\n")

    def test_wrong_usage_is_refused_with_a_line(self):
        self.list("true")
        for words in (["nowhere", "out"], ["the list", "out", "x"], ["the list", "out", "7"]):
            result = subprocess.run([SWEEP, *words], cwd=self.folder, env=self.environment, capture_output=True,
                                    text=True, check=False)
            self.assertEqual(result.returncode, 2)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            self.assertIn("expected" if "7" not in words else "fewer lines", result.stderr)


# Two halves that do not need each other, and what joins them. The host writes one input, and reads one result.
DIAMOND = """
import numpy, pyopencl as cl
context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
program = cl.Program(context, '''
kernel void half_of(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  float x = in[i];
  for (int k = 0; k < 1000; ++k) x = x * 0.5f + 1;
  out[i] = x;
}
kernel void join(global const float *a, global const float *b, global float *c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}''').build()
n = 256
given = numpy.ones(n, numpy.float32)
source, a, b, c = (cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * n) for _ in range(4))
cl.enqueue_copy(queue, source, given)
half_of, join = program.half_of, program.join
half_of(queue, (n,), (64,), source, a)
half_of(queue, (n,), (64,), source, b)
join(queue, (n,), (64,), a, b, c)
cl.enqueue_copy(queue, given, c)
"""
PYTHON = "/usr/bin/python3"  # the one that has Debian's pyopencl
HAS_OPENCL = pathlib.Path(PYTHON).exists() and subprocess.run(
    [PYTHON, "-c", "import pyopencl"], capture_output=True, check=False).returncode == 0


@unittest.skipUnless((BIN / "oclgrind").exists() and (BIN / "eod-lud").exists(), "needs the plugin and the suite")
class RealRuns(Folder):
    """From OpenCL C through the simulator to what reads the tree."""

    def test_from_a_list_to_tables(self):
        self.environment["PATH"] = f"{BIN}:{os.environ['PATH']}"
        self.list("eod-lud --size tiny", "eod-nothing", "eod-lud --size tiny --seed 3 --json 'a file.json'")
        result = self.sweep("--", "--quiet")
        self.assertEqual(result.returncode, 1)
        self.assertIn("line 2 failed", result.stdout)
        self.assertIn("2 of 3 lines are done", result.stdout)

        def aiwc(*words):
            done = subprocess.run([BIN / "aiwc", *words], cwd=self.folder, capture_output=True, text=True, check=True)
            return done.stdout

        files = {row.split(",")[0] for row in aiwc("show", "--csv", "--wide", "out tree").splitlines()[1:]}
        self.assertEqual({file.split("/")[1] for file in files}, {"1", "3"})
        aiwc("report", "--many", "out tree", "-o", "suite.html")
        self.assertGreater((self.folder / "suite.html").stat().st_size, 100000)
        # lud's launches share one matrix: a chain, which no second device makes shorter.
        schedule = json.loads(aiwc("split", "--schedule", "out tree/1", "--devices", "i7-6700k,i7-6700k", "--json"))
        makespans = {round(one["makespan_us"], 6) for one in schedule["schedules"]}
        self.assertEqual(makespans, {round(schedule["critical_path_us"], 6)})

    @unittest.skipUnless(HAS_OPENCL, "needs pyopencl")
    def test_launches_run_beside_each_other_unless_memory_connects_them(self):
        (self.folder / "diamond.py").write_text(DIAMOND)
        subprocess.run([BIN / "aiwc", "run", "--quiet", "--output", "diamond", "--", PYTHON, "diamond.py"], cwd=self.folder, check=True, capture_output=True)
        done = subprocess.run([BIN / "aiwc", "split", "--schedule", "diamond", "--devices", "i7-6700k,i7-6700k", "--json"],
                              cwd=self.folder, capture_output=True, text=True, check=True)
        report = json.loads(done.stdout)
        self.assertEqual((report["launches"], report["host_reads"]), (3, 1))
        for schedule in report["schedules"]:
            task = {one["task"]: one for one in schedule["tasks"]}
            first, second, join = task["half_of[0]"], task["half_of[1]"], task["join[0]"]
            self.assertAlmostEqual(join["begin_us"], max(first["end_us"], second["end_us"]), places=6)
            self.assertAlmostEqual(task["host reads"]["begin_us"], join["end_us"], places=6)
            if schedule["policy"] == "single":
                self.assertAlmostEqual(second["begin_us"], first["end_us"], places=6)
            else:
                self.assertEqual((first["begin_us"], second["begin_us"]), (0, 0))
                self.assertNotEqual(first["worker"], second["worker"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
