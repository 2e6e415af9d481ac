"""test_action.py REPOSITORY: what action.yml and examples/ci/gitlab.yml run, step by step, with the variables that a
runner sets: on a program of its own whose kernel becomes slower, stays the same, or breaks. No container is started:
AIWC_IMAGE=none runs the programs of PATH.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(sys.argv[1]).resolve()
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())

# Each work-item adds up a row, or a column, of a square of floats: neighbours read the same cache line, or not.
PROGRAM = r"""
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
static const char *source =
#include "kernel.h"
    ;
int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  clGetPlatformIDs(1, &platform, NULL);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  if (clBuildProgram(program, 1, &device, NULL, NULL, NULL) != CL_SUCCESS) {
    fprintf(stderr, "program: the kernel does not compile\n");
    return 3;
  }
  cl_kernel kernel = clCreateKernel(program, "sums", NULL);
  size_t n = 256;
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_WRITE, n * n * sizeof(float), NULL, NULL);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(float), NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof in, &in);
  clSetKernelArg(kernel, 1, sizeof out, &out);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
  return clFinish(queue) == CL_SUCCESS ? 0 : 4;
}
"""
KERNEL = """kernel void sums(global const float *in, global float *out) {
  float sum = 0;
  for (int i = 0; i < 256; i++)
    sum += in[%s];
  out[get_global_id(0)] = sum;
}
"""
FAST = KERNEL % "i * 256 + get_global_id(0)"
SLOW = KERNEL % "get_global_id(0) * 256 + i"
MAKEFILE = """program: program.c kernel.cl
\tsed 's/.*/"&\\\\n"/' kernel.cl >kernel.h
\tcc -std=c99 -DCL_TARGET_OPENCL_VERSION=120 program.c -lOpenCL -o program
"""


def value(text, context):
    """A string of the action with its ${{ }} replaced: paths into `context`, alternatives by ||, and equality."""

    def operand(path):
        if path.startswith("'"):
            return path.strip("'")
        found = context
        for name in path.split("."):
            found = found.get(name, "") if isinstance(found, dict) else ""
        return found

    def expression(match):
        return next((found for path in match[1].split("||") if (found := operand(path.strip()))), "")

    return re.sub(r"\$\{\{ *(.*?) *\}\}", expression, text)


def holds(condition, context):
    """Whether a step runs: comparisons of paths and texts, joined by &&."""
    for comparison in condition.split(" && "):
        left, operator, right = comparison.split(" ")
        same = value("${{ " + left + " }}", context) == value("${{ " + right + " }}", context)
        if same != (operator == "=="):
            return False
    return True


class Repository(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="aiwc action "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.work = self.folder / "work tree"
        self.origin = self.folder / "origin"
        self.origin.mkdir()
        self.git("init", "-q", "-b", "main", ".")
        self.git("config", "uploadpack.allowAnySHA1InWant", "true")
        self.write("program.c", PROGRAM)
        self.write("Makefile", MAKEFILE)
        self.write("kernel.cl", FAST)

    def git(self, *arguments, cwd=None):
        return subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments], cwd=cwd or self.origin, check=True,
            capture_output=True, text=True).stdout.strip()

    def write(self, name, text):
        file = self.origin / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change")
        return self.git("rev-parse", "HEAD")

    def checkout(self):
        """As actions/checkout: the last commit alone."""
        shutil.rmtree(self.work, ignore_errors=True)
        self.git("clone", "-q", "--depth=1", f"file://{self.origin}", str(self.work), cwd=self.folder)

    def run_action(self, event, inputs, **environment):
        """Runs the steps of action.yml that are scripts; the cache is a folder's. The outputs of the action."""
        declared = {name: of.get("default", "") for name, of in ACTION["inputs"].items()}
        self.assertLessEqual(set(inputs), set(declared))
        context = {"inputs": {**declared, **inputs}, "github": {"event": event},
                   "runner": {"temp": str(self.folder)}, "steps": {}}
        summary = self.folder / "summary"
        summary.write_text("")
        self.log, self.steps, status = "", [], 0
        for step in ACTION["runs"]["steps"]:
            if "always()" in step.get("if", "") or not holds(step.get("if", "'' == ''"), context):
                continue
            outputs = {}
            if "uses" in step:
                copy = pathlib.Path(value(step["with"]["path"], context))
                key = value(step["with"]["key"], context)
                kept = self.folder / "cache" / key
                if step["uses"].startswith("actions/cache/save@"):
                    kept.parent.mkdir(exist_ok=True)
                    shutil.copy(copy, kept)
                else:
                    self.assertTrue(step["uses"].startswith("actions/cache/restore@"))
                    copy.unlink(missing_ok=True)
                    if kept.exists():
                        shutil.copy(kept, copy)
                        outputs["cache-hit"] = "true"
            else:
                output = self.folder / "output"
                output.write_text("")
                ran = subprocess.run(
                    ["bash", "-e", "-o", "pipefail", "-c", step["run"]], cwd=self.work, text=True, check=False,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                    env={**os.environ, **{name: value(text, context) for name, text in step.get("env", {}).items()},
                         "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(ROOT), "GITHUB_OUTPUT": str(output),
                         "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_WORKSPACE": str(self.work), **environment})
                self.log += ran.stdout
                self.steps.append((step.get("id") or step["run"].split()[-1], ran.returncode))
                outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
                status = ran.returncode
            if "id" in step:
                context["steps"][step["id"]] = {"outputs": outputs}
            if status != 0:
                break
        self.summary = summary.read_text()
        return status, {name: value(of["value"], context) for name, of in ACTION["outputs"].items()}

    def compare(self, event=None, image="any", **inputs):
        self.checkout()
        inputs = {"run": "./program", "build": "make", "image": image, **inputs}
        return self.run_action(event or {}, {name.replace("_", "-"): of for name, of in inputs.items()}, AIWC_IMAGE="none")


class Comparison(Repository):
    def test_a_slower_kernel_fails_a_pull_request(self):
        base = self.commit()
        self.write("kernel.cl", SLOW)
        self.commit()
        status, outputs = self.compare({"pull_request": {"base": {"sha": base}}})
        self.assertEqual((status, outputs["result"]), (1, "beyond-limits"), self.log)
        self.assertRegex(outputs["sentence"], r"^\d changes are beyond the limits; predicted time of now against base: .* "
                                              r"times slower on rtx5090, ")
        self.assertTrue(self.summary.startswith("### GPU performance: " + outputs["sentence"] + "\n\n```\nbase -> now\n"))
        self.assertRegex(self.summary, r"aiwc diff: sums: time@h200-sxm grew by .*: the limit is 10 %\n")
        self.assertTrue(self.summary.endswith("```\n"))
        self.assertIn("::error title=GPU performance::" + outputs["sentence"].replace("%", "%25") + "\n", self.log)
        results = pathlib.Path(outputs["folder"])
        self.assertEqual(results, self.work / "aiwc-performance")
        self.assertFalse(json.loads((results / "diff.json").read_text())["same"])
        self.assertTrue((results / "now" / "run.json").is_file() and (results / "base" / "run.json").is_file())
        self.assertEqual((results / "summary.md").read_text(), self.summary)
        # Nothing of it is in the way of git.
        self.assertFalse((results / "base-source").exists())
        self.assertEqual(self.git("worktree", "list", cwd=self.work).count("\n"), 0)
        self.assertEqual(self.git("status", "--short", "--", "aiwc-performance", cwd=self.work), "")

    def test_the_same_kernel_passes(self):
        base = self.commit()
        self.write("README", "text")
        self.commit()
        status, outputs = self.compare({"before": base})
        self.assertEqual((status, outputs["result"]), (0, "same"), self.log)
        self.assertEqual(outputs["sentence"], "no difference: 1 kernel, 1 launch")
        self.assertIn("### GPU performance: no difference: 1 kernel, 1 launch\n", self.summary)

    def test_a_change_within_the_limits_passes(self):
        base = self.commit()
        self.write("kernel.cl", SLOW)
        self.commit()
        for inputs in ({"base": base}, {"base": "main~1"}):
            self.checkout()
            self.git("fetch", "-q", "--unshallow", cwd=self.work)
            status, outputs = self.run_action(
                {}, {"run": "./program", "build": "make", "image": "any", "fail-on": "launches>0", **inputs},
                AIWC_IMAGE="none")
            self.assertEqual((status, outputs["result"]), (0, "within-limits"), self.log)
            self.assertTrue(outputs["sentence"].startswith("all changes are within the limits; predicted time of now "))

    def test_a_kernel_that_became_faster_passes(self):
        self.write("kernel.cl", SLOW)
        base = self.commit()
        self.write("kernel.cl", FAST)
        self.commit()
        status, outputs = self.compare(base=base)
        self.assertEqual((status, outputs["result"]), (0, "within-limits"), self.log)
        self.assertIn("times faster on rtx5090", outputs["sentence"])

    def test_a_committed_run_serves_as_baseline(self):
        self.commit()
        self.checkout()
        subprocess.run("make && aiwc run --quiet --output sums-baseline -- ./program", shell=True, cwd=self.work, check=True,
                       capture_output=True)
        shutil.copytree(self.work / "sums-baseline", self.origin / "sums-baseline")
        self.commit()
        status, outputs = self.compare(baseline="sums-baseline")
        self.assertEqual((status, outputs["result"]), (0, "same"), self.log)
        self.write("kernel.cl", SLOW)
        self.commit()
        status, outputs = self.compare(baseline="sums-baseline")
        self.assertEqual((status, outputs["result"]), (1, "beyond-limits"), self.log)
        status, outputs = self.compare(baseline="none")
        self.assertEqual((status, outputs["result"]), (2, "error"), self.log)
        self.assertEqual(outputs["sentence"], "the baseline 'none' is no run: expected a folder that aiwc run --output "
                                              "wrote, committed")

    def test_a_folder_of_the_repository_and_options(self):
        for name in ("program.c", "Makefile", "kernel.cl"):
            (self.origin / "a folder").mkdir(exist_ok=True)
            (self.origin / name).rename(self.origin / "a folder" / name)
        base = self.commit()
        self.write("a folder/kernel.cl", SLOW)
        self.commit()
        status, outputs = self.compare({"before": base}, folder="a folder", options="--kernel 'su*' --line-size 128",
                                       devices="a100-sxm4-40gb", fail_on="time@a100-sxm4-40gb>10%")
        self.assertEqual((status, outputs["result"]), (1, "beyond-limits"), self.log)
        self.assertIn("a100-sxm4-40gb", outputs["sentence"])
        self.assertNotIn("rtx5090", outputs["sentence"])
        status, outputs = self.compare({"before": base}, folder="nowhere")
        self.assertEqual((status, outputs["result"], outputs["sentence"]), (2, "error", "there is no folder 'nowhere'"))

    def test_findings_name_files_of_the_repository(self):
        self.write("kernels/sums.cl", SLOW)
        self.write("Makefile", MAKEFILE.replace("kernel.cl", "kernels/sums.cl"))
        self.commit()
        status, outputs = self.compare()
        self.assertEqual((status, outputs["result"]), (0, "no-base"), self.log)
        sarif = json.loads((pathlib.Path(outputs["folder"]) / "findings.sarif").read_text())
        results = sarif["runs"][0]["results"]
        self.assertTrue(any(result["ruleId"] == "uncoalesced-access" for result in results))
        for result in results: # GitHub refuses files with results that have no place
            self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "kernels/sums.cl")

    def test_a_broken_program_is_one_clear_line(self):
        base = self.commit()
        for broken, expected in (
                ({"kernel.cl": "kernel void sums("}, "the program ended with status 3: program: the kernel does not compile"),
                ({"program.c": "int main(void) { return 0; }"}, "the program ended with status 4: aiwc: nothing was "
                                                                "characterised: "),
                ({"Makefile": "program:\n\t@echo no compiler; false\n"}, "the build ended with status 2: make: *** ")):
            for name, text in broken.items():
                self.write(name, text)
            self.commit()
            status, outputs = self.compare({"before": base})
            self.assertEqual((status, outputs["result"]), (2, "error"), self.log)
            self.assertTrue(outputs["sentence"].startswith(expected), outputs["sentence"])
            self.assertEqual(self.log.count("::error title=GPU performance::"), 1)
            self.assertIn("### GPU performance: " + expected.replace("<", "&lt;"), self.summary)
            self.git("reset", "-q", "--hard", base)
        status, outputs = self.compare({"before": base}, run="")
        self.assertEqual((status, outputs["sentence"]),
                         (2, "the input 'run' is empty: expected the command of a program"))

    def test_a_broken_base_is_no_reason_to_fail(self):
        self.write("kernel.cl", "kernel void sums(")
        base = self.commit()
        self.write("kernel.cl", FAST)
        self.commit()
        status, outputs = self.compare({"before": base})
        self.assertEqual((status, outputs["result"]), (0, "no-base"), self.log)
        self.assertEqual(outputs["sentence"], "nothing to compare with, in the base the program ended with status 3: "
                                              "program: the kernel does not compile")
        self.assertIn("::warning title=GPU performance::", self.log)
        self.assertIn("ryzen9-9950x  ", self.summary)  # the predicted times of the present program

    def test_without_a_base_there_is_a_warning(self):
        self.commit()
        for event in ({}, {"before": "0" * 40}):
            status, outputs = self.compare(event)
            self.assertEqual((status, outputs["result"], outputs["sentence"]),
                             (0, "no-base", "there is no commit to compare with"), self.log)
        status, outputs = self.compare({"before": "12" * 20})
        self.assertEqual((status, outputs["result"]), (0, "no-base"), self.log)
        status, outputs = self.compare(base="mian")
        self.assertEqual((status, outputs["sentence"]),
                         (2, "the base 'mian' was not found: expected a commit or a branch"), self.log)

    def test_the_base_may_be_a_branch(self):
        self.commit()
        self.git("checkout", "-q", "-b", "change")
        self.write("kernel.cl", SLOW)
        self.commit()
        status, outputs = self.compare(base="main")
        self.assertEqual((status, outputs["result"]), (1, "beyond-limits"), self.log)


class Image(Repository):
    """The steps that make the image, with a program in place of docker whose images are files."""

    DOCKER = """#!/bin/bash
echo "$@" >>"$CALLS"
case $1 in
build) [ -z "${BROKEN-}" ] ;;
save) echo the image "$4" >"$3" ;;
load) grep -q '^the image aiwc:' "$3" ;;
esac
"""

    def test_the_image_is_built_once_and_then_restored(self):
        docker = self.folder / "docker"
        docker.write_text(self.DOCKER)
        docker.chmod(0o755)
        calls = self.folder / "calls"
        stand_in = self.folder / "container"
        stand_in.write_text('#!/bin/bash\necho "$AIWC_IMAGE" >"$CALLS.image"\nexit 9\n')
        stand_in.chmod(0o755)
        self.commit()
        self.checkout()
        environment = {"AIWC_CONTAINER_ENGINE": str(docker), "CALLS": str(calls), "AIWC_CONTAINER": str(stand_in)}
        inputs = {"run": "./program", "packages": "cmake libpng-dev"}

        def steps_and_calls(**more):
            calls.write_text("")
            self.run_action({}, inputs, **environment, **more)
            return self.steps, calls.read_text().splitlines()

        steps, called = steps_and_calls(BROKEN="1")
        self.assertEqual(steps, [("key", 0), ("build", 1)])
        self.assertIn("::error title=aiwc::the container image could not be built", self.log)
        steps, called = steps_and_calls()
        self.assertEqual(steps, [("key", 0), ("build", 0), ("compare", 2)])
        self.assertRegex(called[0], rf"^build --tag aiwc:[0-9a-f]{{32}} --build-arg PACKAGES=cmake libpng-dev {ROOT}$")
        image = called[0].split()[2]
        self.assertEqual(called[1], f"save --output {self.folder}/aiwc-image.tar {image}")
        self.assertEqual(pathlib.Path(f"{calls}.image").read_text(), image + "\n")
        # A failing comparison does not keep the image from the cache.
        steps, called = steps_and_calls()
        self.assertEqual(steps, [("key", 0), ("load", 0), ("compare", 2)])
        self.assertEqual(called, [f"load --input {self.folder}/aiwc-image.tar"])
        # Other packages are another image.
        inputs["packages"] = "cmake"
        self.assertEqual(steps_and_calls()[0], [("key", 0), ("build", 0), ("compare", 2)])


class GitLab(Repository):
    """examples/ci/gitlab.yml: inputs and variables replaced as GitLab does it, and the scripts run."""

    INPUTS = {"run": "./program", "build": "make", "repository": "https://host/aiwc.git"}

    def jobs(self, **inputs):
        spec, jobs = yaml.safe_load_all((ROOT / "examples/ci/gitlab.yml").read_text())
        declared = spec["spec"]["inputs"]
        self.assertLessEqual(set(inputs), set(declared))
        values = {name: inputs[name] if "default" not in of else inputs.get(name, of["default"])
                  for name, of in declared.items()}

        def replaced(node):
            if isinstance(node, dict):
                return {key: replaced(of) for key, of in node.items()}
            if isinstance(node, list):
                return [replaced(of) for of in node]
            return re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", lambda match: values[match[1]], node)

        return replaced(jobs)

    def run_job(self, job, variables, path=""):
        def expanded(text):
            return re.sub(r"\$(CI_\w+)", lambda match: variables.get(match[1], ""), text)

        script = "\n".join(job["script"]).replace("/opt/aiwc/", f"{ROOT}/scripts/")
        return subprocess.run(
            ["sh", "-ec", script], cwd=self.work, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, **variables, **{name: expanded(text) for name, text in job["variables"].items()},
                 "AIWC_IMAGE": "none", "PATH": path + os.environ["PATH"]})

    def test_a_slower_kernel_fails_the_job(self):
        base = self.commit()
        self.write("kernel.cl", SLOW)
        self.commit()
        job = self.jobs(**self.INPUTS)["performance"]
        for variables in ({"CI_MERGE_REQUEST_DIFF_BASE_SHA": base}, {"CI_COMMIT_BEFORE_SHA": base}):
            self.checkout()
            ran = self.run_job(job, variables)
            self.assertEqual(ran.returncode, 1, ran.stdout)
            self.assertRegex(ran.stdout, r"\nerror: \d changes are beyond the limits; predicted time of now ")
            for folder in job["artifacts"]["paths"]:
                self.assertTrue((self.work / folder / "summary.md").is_file())
        self.checkout()
        ran = self.run_job(job, {"CI_COMMIT_BEFORE_SHA": "0" * 40})
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertTrue(ran.stdout.endswith("\nwarning: there is no commit to compare with\n"), ran.stdout)
        ran = self.run_job(self.jobs(**{**self.INPUTS, "base": "HEAD"})["performance"], {})
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertTrue(ran.stdout.endswith("\nno difference: 1 kernel, 1 launch\n"), ran.stdout)

    def test_the_image_is_built_unless_the_registry_has_it(self):
        self.commit()
        self.checkout()
        docker = self.folder / "bin" / "docker"
        docker.parent.mkdir()
        calls = self.folder / "calls"
        docker.write_text(f"""#!/bin/sh
echo "$@" >>'{calls}'
case $1 in
pull) [ -n "$HAS" ] ;;
image) echo "$HAS" ;;
esac
""")
        docker.chmod(0o755)
        jobs = self.jobs(**self.INPUTS, ref="v1", packages="cmake")
        image = "registry/group/aiwc:v1"
        self.assertEqual(jobs["performance"]["image"]["name"].replace("$CI_REGISTRY_IMAGE", "registry/group"), image)
        for has, built in (("", True), ("git", True), ("git ca-certificates cmake", False)):
            calls.write_text("")
            ran = self.run_job(jobs["performance-image"], {
                "CI_REGISTRY": "registry", "CI_REGISTRY_USER": "user", "CI_REGISTRY_PASSWORD": "word",
                "CI_REGISTRY_IMAGE": "registry/group", "HAS": has}, path=f"{docker.parent}:")
            self.assertEqual(ran.returncode, 0, ran.stdout)
            called = calls.read_text().splitlines()
            self.assertEqual(called[:2], ["login --username user --password-stdin registry", f"pull {image}"])
            made = [f"build --tag {image} --build-arg PACKAGES=git ca-certificates cmake https://host/aiwc.git#v1", f"push {image}"]
            self.assertEqual(called[-2:] == made, built)
            self.assertEqual(any(call.startswith(("build", "push")) for call in called), built)


class Example(Repository):
    """examples/ci as a repository: green, red with slower.patch, green again."""

    def test_its_workflow_fails_for_the_slower_kernel_only(self):
        for file in self.origin.iterdir():
            if file.name != ".git":
                file.unlink()
        shutil.copytree(ROOT / "examples/ci", self.origin, dirs_exist_ok=True)
        (self.origin / "gitlab.yml").unlink()
        workflow = yaml.safe_load((self.origin / ".github/workflows/performance.yml").read_text())
        steps = workflow["jobs"]["kernels"]["steps"]
        inputs = next(step["with"] for step in steps if "/aiwc@" in step.get("uses", ""))
        gitlab = yaml.safe_load((self.origin / ".gitlab-ci.yml").read_text())["include"][0]
        self.assertTrue(gitlab["remote"].endswith("/examples/ci/gitlab.yml"))
        self.assertEqual({name: gitlab["inputs"][name] for name in inputs}, inputs)
        base = self.commit()
        self.assertEqual(self.git("status", "--short", "--ignored"), "")
        self.git("apply", "slower.patch")
        slower = self.commit()
        self.assertEqual(self.compare({"before": base}, **inputs)[1]["result"], "beyond-limits", self.log)
        self.commit()
        self.assertEqual(self.compare({"before": slower}, **inputs)[1]["result"], "same", self.log)
        self.git("apply", "-R", "slower.patch")
        self.commit()
        self.assertEqual(self.compare({"before": slower}, **inputs)[1]["result"], "within-limits", self.log)
        self.assertEqual(self.git("status", "--short", cwd=self.work), "")


class Files(unittest.TestCase):
    def check_programs(self, names):
        self.assertTrue(names)
        for name in names:
            self.assertTrue(os.access(ROOT / name, os.X_OK), f"{name} is no program")

    def test_what_gitlab_and_the_image_name_is_there(self):
        dockerfile = (ROOT / "Dockerfile").read_text()
        gitlab = (ROOT / "examples/ci/gitlab.yml").read_text()
        self.assertIn("\nCOPY scripts/action /opt/aiwc/action\n", dockerfile)
        self.check_programs(["scripts/" + name for name in re.findall(r"/opt/aiwc/(\S+)", gitlab)])
        copied = re.findall(r"^COPY (scripts/.+) /opt/aiwc/\S*$", dockerfile, flags=re.M)
        self.check_programs([name for names in copied for name in names.split()])
        self.check_programs(re.findall(r"^RUN /source/(\S+)", dockerfile, flags=re.M))
        spec, jobs = yaml.safe_load_all(gitlab)
        self.assertEqual(set(re.findall(r"inputs\.([\w-]+)", str(jobs))), set(spec["spec"]["inputs"]))
        # Both services have the same inputs, with the same defaults.
        only = {"image", "code-scanning", "repository", "ref"}
        self.assertEqual({name: of.get("default") for name, of in spec["spec"]["inputs"].items() if name not in only},
                         {name: of.get("default") for name, of in ACTION["inputs"].items() if name not in only})

    def test_what_the_action_names_is_there(self):
        text = (ROOT / "action.yml").read_text()
        self.check_programs(re.findall(r"\$GITHUB_ACTION_PATH/([\w./-]+)", text))
        self.assertEqual(set(re.findall(r"inputs\.([\w-]+)", text)), set(ACTION["inputs"]))
        ids = {step.get("id") for step in ACTION["runs"]["steps"]}
        self.assertLessEqual(set(re.findall(r"steps\.(\w+)\.", text)), ids)

    def test_shell_scripts_have_no_known_faults(self):
        if not shutil.which("shellcheck"):
            self.skipTest("shellcheck is not installed")
        scripts = [ROOT / "scripts" / name for name in ("aiwc-container", "action/image", "action/compare",
                                                        "packaging/install-image")]
        ran = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
        self.assertEqual(ran.stdout, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
