#!/usr/bin/env python3
"""run_workflow.py EXAMPLE PROGRAM: the workflow of examples/ci tells a change that costs time from one that does not.

Runs the commands of EXAMPLE/performance.yml, except those that install packages, in a new folder with the files of both
folders, the way a service does: with the baseline that performance.sh makes, then with a worse kernel, then after the
baseline was updated. The worse kernel does the same work with its two indices exchanged.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

example, program = map(pathlib.Path, sys.argv[1:])
commands = re.findall(r"^ +run: (.+)$", (example / "performance.yml").read_text(), flags=re.M)
commands = [command for command in commands if not command.startswith("apt-get")]
if len(commands) != 2 or "|" in commands:
    sys.exit(f"performance.yml: expected two commands besides the installation, found {commands}")


def require(condition, what, ran=None):
    if not condition:
        sys.exit(f"{what}\n" + (f"exit status {ran.returncode}\n{ran.stdout}{ran.stderr}" if ran else ""))


with tempfile.TemporaryDirectory() as work:
    for folder in (example, program):
        shutil.copytree(folder, work, dirs_exist_ok=True)
    kernel = pathlib.Path(work, "blur.cl")
    worse = kernel.read_text()

    def run(command):
        return subprocess.run(["bash", "-c", command], cwd=work, text=True, capture_output=True)

    def workflow():
        for command in commands[:-1]:
            ran = run(command)
            require(ran.returncode == 0, command, ran)
        return run(commands[-1])

    shutil.copy(pathlib.Path(work, "blur_faster.cl"), kernel)
    ran = workflow()
    require(ran.returncode == 2, "without a baseline the workflow must fail", ran)
    ran = run("./performance.sh --update")
    require(ran.returncode == 0, "the baseline cannot be made", ran)
    ran = workflow()
    require(ran.returncode == 0, "nothing changed, but the workflow failed", ran)
    require("no difference: 1 kernel, 1 launch" in ran.stdout, "expected no difference", ran)

    kernel.write_text(worse)
    ran = workflow()
    require(ran.returncode == 1, "the kernel is worse, but the workflow passed", ran)
    for part in ("blur: dram_bytes@32KiB grew by ", "blur: time@h200-sxm grew by ", ": the limit is 10 %"):
        require(part in ran.stderr, f"expected: {part}", ran)
    require(pathlib.Path(work, "performance-now").is_dir(), "expected the profiles of the failure", ran)

    ran = run("./performance.sh --update")
    require(ran.returncode == 0, "the baseline cannot be updated", ran)
    ran = workflow()
    require(ran.returncode == 0, "the baseline is new, but the workflow failed", ran)

    # A comment is no regression.
    kernel.write_text("// the same kernel\n" + worse)
    ran = workflow()
    require(ran.returncode == 0, "a comment failed the workflow", ran)
    require("no difference: 1 kernel, 1 launch" in ran.stdout, "expected no difference", ran)
print("the workflow fails where it must, and only there")
