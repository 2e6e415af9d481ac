"""test_container.py SCRIPT: the command lines that scripts/aiwc-container hands to docker and podman, by a program that
stands in for them, and that the status, signals and the terminal of the caller reach the container."""

import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv[1]).resolve()

# Answers as docker does, and notes the arguments of `run` and `build`, one a line.
ENGINE = """#!/bin/sh
case $1 in
--version) echo "${ENGINE_VERSION:-Docker version 28.2.2}" ;;
info) [ -z "${ENGINE_STOPPED:-}" ] && echo "[name=seccomp${ENGINE_ROOTLESS:+ name=rootless}]" ;;
image) [ -z "${ENGINE_EMPTY:-}${ENGINE_STOPPED:-}" ] ;;
*)
  printf '%s\\n' "$@" >"$ENGINE_CALLS/$1"
  [ -z "${ENGINE_WAITS:-}" ] || { trap 'exit 9' TERM; echo waits; while :; do sleep 0.05; done; }
  [ "$1" = build ] || exit "${ENGINE_STATUS:-0}"
  exit "${ENGINE_BUILD_STATUS:-0}"
  ;;
esac
"""


class Container(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="aiwc container "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.here = self.folder / "a project"
        self.here.mkdir()
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.engine("docker")
        for tool in ("env", "sed", "id", "mkdir", "dirname", "readlink", "sh", "sleep"):
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.environment = {"PATH": str(self.bin), "HOME": str(self.folder / "home"), "ENGINE_CALLS": str(self.folder)}

    def engine(self, name):
        file = self.bin / name
        file.write_text(ENGINE)
        file.chmod(0o755)

    def run_script(self, *arguments, script=SCRIPT, cwd=None, **environment):
        return subprocess.run([script, *arguments], cwd=cwd or self.here, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env={**self.environment, **environment}, check=False)

    def words(self, *arguments, **environment):
        """The arguments of `docker run`."""
        ran = self.run_script(*arguments, **environment)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        return (self.folder / "run").read_text().splitlines()

    def program(self, words, image="aiwc"):
        return words[words.index(image) + 1:]

    def mounts(self, words):
        """What is mounted under its own name."""
        values = [words[i + 1] for i, word in enumerate(words) if word == "--mount"]
        folders = [dict(part.split("=", 1) for part in value.split(",")) for value in values]
        self.assertTrue(all(folder["type"] == "bind" for folder in folders))
        return [folder["source"] for folder in folders if folder["source"] == folder["target"]]

    def test_a_command_runs_in_the_present_folder_as_the_present_user(self):
        words = self.words("run", "--output", "profiles", "--", "./app", "two  words", "")
        self.assertEqual(self.program(words), ["aiwc", "run", "--output", "profiles", "--", "./app", "two  words", ""])
        self.assertEqual(words[:7], ["run", "--rm", "--interactive", "--security-opt", "label=disable", "--workdir",
                                     str(self.here)])
        self.assertEqual(self.mounts(words), [str(self.here)])
        self.assertEqual(words[words.index("--user") + 1], f"{os.getuid()}:{os.getgid()}")
        self.assertNotIn("--tty", words)

    def test_without_arguments_the_help_is_shown(self):
        self.assertEqual(self.program(self.words()), ["aiwc", "--help"])

    def test_two_dashes_run_another_program(self):
        self.assertEqual(self.program(self.words("--", "make", "-j2")), ["make", "-j2"])
        ran = self.run_script("--")
        self.assertEqual((ran.returncode, ran.stderr),
                         (125, "aiwc-container: nothing follows '--': expected a program\n"))

    def test_folders_of_arguments_outside_are_mounted_once(self):
        outside = self.folder / "other files"
        (outside / "deep").mkdir(parents=True)
        (outside / "k.cl").write_text("")
        near = self.folder / "near"
        near.mkdir()
        words = self.words("kernel", f"{outside}/k.cl", f"{outside}/deep", f"--output={self.folder}/near/new", "../near",
                           f"{self.here}/inside", "/usr/bin/env", "/dev/null", "/no/such/folder", "a/../b", "-I../near/x")
        self.assertEqual(sorted(self.mounts(words)), sorted([str(self.here), str(outside), str(near)]))

    def test_a_larger_folder_can_be_mounted(self):
        words = self.words("show", "..", AIWC_MOUNT=str(self.folder))
        self.assertEqual(self.mounts(words), [str(self.folder)])
        self.assertEqual(words[words.index("--workdir") + 1], str(self.here))
        ran = self.run_script("show", AIWC_MOUNT="/var/tmp")
        self.assertEqual(ran.returncode, 125)
        self.assertIn("AIWC_MOUNT: '/var/tmp' does not hold the present folder", ran.stderr)

    def test_folders_that_the_image_has_are_refused(self):
        for folder in ("/", "/usr/share"):
            ran = self.run_script("show", cwd=folder)
            self.assertEqual((ran.returncode, ran.stderr), (
                125, f"aiwc-container: '{folder}' is a folder of the image: expected to be started in another one\n"))

    def test_commas_in_folders_are_refused(self):
        comma = self.folder / "a,b"
        comma.mkdir()
        ran = self.run_script("show", cwd=comma)
        self.assertEqual((ran.returncode, ran.stderr.count("\n")), (125, 1))
        self.assertIn("has a comma in its name", ran.stderr)

    def test_machine_code_is_kept_for_later_runs(self):
        words = self.words("run", XDG_CACHE_HOME=str(self.folder / "c"))
        self.assertIn(f"type=bind,source={self.folder}/c/aiwc-container,target=/cache", words)
        self.assertTrue((self.folder / "c/aiwc-container").is_dir())
        self.assertIn("XDG_CACHE_HOME=/cache", words)
        # A home that cannot be written: without.
        self.assertNotIn("XDG_CACHE_HOME=/cache", self.words("run", HOME="/proc/none"))

    def test_variables_of_aiwc_and_oclgrind_reach_the_program(self):
        words = self.words("run", AIWC_THREADS="3", OCLGRIND_UNIFORM_WRITES="1", MINE="x", AIWC_CONTAINER_ENGINE="docker")
        passed = [words[i + 1] for i, word in enumerate(words) if word == "--env"]
        self.assertEqual(sorted(passed),
                         ["AIWC_THREADS", "HOME=/tmp", "OCLGRIND_UNIFORM_WRITES", "XDG_CACHE_HOME=/cache"])

    def test_files_belong_to_the_user_with_each_engine(self):
        self.assertNotIn("--user", self.words("show", ENGINE_ROOTLESS="1"))
        self.engine("podman")
        words = self.words("show", AIWC_CONTAINER_ENGINE="podman", ENGINE_VERSION="podman version 4.3.1")
        self.assertNotIn("--user", words)
        self.assertEqual("--userns" in words, os.getuid() != 0)

    def test_podman_serves_where_docker_is_missing(self):
        (self.bin / "docker").unlink()
        ran = self.run_script("show")
        self.assertEqual((ran.returncode, ran.stderr), (
            125, "aiwc-container: neither docker nor podman is in PATH: expected one of them\n"))
        self.engine("podman")
        self.assertEqual(self.program(self.words("show")), ["aiwc", "show"])
        ran = self.run_script("show", AIWC_CONTAINER_ENGINE="nix")
        self.assertEqual(ran.returncode, 125)
        self.assertIn("AIWC_CONTAINER_ENGINE: 'nix' does not run: expected docker or podman", ran.stderr)

    def test_an_image_that_is_missing_is_built_first(self):
        ran = self.run_script("show", ENGINE_EMPTY="1")
        self.assertEqual((ran.returncode, ran.stderr), (0, "aiwc-container: building the image 'aiwc', once\n"))
        built = (self.folder / "build").read_text().splitlines()
        self.assertEqual(built[:3], ["build", "-t", "aiwc"])
        self.assertTrue(pathlib.Path(built[3], "Dockerfile").is_file())
        (self.folder / "run").unlink()
        ran = self.run_script("show", ENGINE_EMPTY="1", ENGINE_BUILD_STATUS="1")
        self.assertEqual(ran.returncode, 125)
        self.assertIn("the image 'aiwc' could not be built", ran.stderr)
        self.assertFalse((self.folder / "run").exists())
        alone = self.folder / "aiwc-container"
        shutil.copy(SCRIPT, alone)
        ran = self.run_script("show", script=alone, ENGINE_EMPTY="1")
        self.assertEqual((ran.returncode, ran.stderr.count("\n")), (125, 1))
        # Another image is docker's to find.
        words = self.words("show", ENGINE_EMPTY="1", AIWC_IMAGE="registry/aiwc:1")
        self.assertEqual(self.program(words, "registry/aiwc:1"), ["aiwc", "show"])

    def test_a_daemon_that_does_not_answer_is_one_line(self):
        ran = self.run_script("show", ENGINE_STOPPED="1")
        self.assertEqual((ran.returncode, ran.stderr), (
            125, "aiwc-container: 'docker info' fails: expected its daemon to run, and you to be allowed to use it\n"))

    def test_no_image_runs_the_program_itself(self):
        ran = self.run_script("--", "sh", "-c", 'echo "$1"; exit 3', "sh", "a  b", AIWC_IMAGE="none")
        self.assertEqual((ran.returncode, ran.stdout), (3, "a  b\n"))
        self.assertFalse((self.folder / "run").exists())

    def test_the_status_is_that_of_the_program(self):
        self.assertEqual(self.run_script("diff", "a", "b", ENGINE_STATUS="1").returncode, 1)
        self.assertEqual(self.run_script("run", "--", "./app", ENGINE_STATUS="139").returncode, 139)

    def test_signals_reach_docker(self):
        with subprocess.Popen([SCRIPT, "run"], cwd=self.here, env={**self.environment, "ENGINE_WAITS": "1"},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "waits\n")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=60), 9)

    def test_a_terminal_is_passed_on_if_the_caller_has_one(self):
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        self.addCleanup(os.close, theirs)
        for stdin, stdout, expected in ((theirs, theirs, True), (theirs, subprocess.DEVNULL, False),
                                        (subprocess.DEVNULL, theirs, False)):
            subprocess.run([SCRIPT, "show"], cwd=self.here, env={**self.environment, "TERM": "vt100"}, stdin=stdin,
                           stdout=stdout, check=True)
            words = (self.folder / "run").read_text().splitlines()
            self.assertEqual(("--tty" in words, "TERM=vt100" in words), (expected, expected))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
