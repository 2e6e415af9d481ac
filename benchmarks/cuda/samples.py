#!/usr/bin/env python3
"""Builds and runs NVIDIA's CUDA samples in the simulator.

    samples.py SOURCES OUT [--samples NAME,...] [--kinds KIND,...] [--seconds N] [--jobs N]

SOURCES is a checkout of the samples, with their folders `Common` and `Samples`. What a sample is built of and needs is read from its
CMakeLists.txt; it is built by one command of nvcc, after one for each module of the driver API, in its folder. KIND is `plain`, `module` (of the
driver API), `library` (NVIDIA's others, and compilation at run time), `mpi` or `graphics`; the first two are tried unless others are named. OUT
gets programs, profiles and outputs, and a CSV row for each sample is printed: what became of the build and of the run of at most N seconds
(45) with the arguments of the samples' own test, what the sample says of its result, and the first line that says why not.
"""
import argparse
import json
import pathlib
import re

from suite import command, print_rows, reason_in, self_check

KINDS = (  # by the first whose pattern is in what a sample finds and links
    ("graphics", r"OpenGL|GLUT|Vulkan|\bEGL\b|d3d1|NVSCI"),
    ("library", r"cublas|cufft|cusparse|cusolver|npp|nvjpeg|nvrtc|nvjitlink|nvvm|cudla|FreeImage"),
    ("mpi", r"MPI"),
)


def samples_in(sources):
    """(name, kind, folder, its sources, whether it uses OpenMP, the compute capabilities that it is built for)"""
    for path in sorted(sources.glob("Samples/*/**/CMakeLists.txt")):
        text = re.sub(r"#.*", "", path.read_text())
        target = re.search(r"add_executable\(\s*(\S+)\s+([^)]*)\)", text)
        if not target:
            continue
        needs = " ".join(re.findall(r"(?:target_link_libraries|find_package)\([^)]*\)", text)).replace("CUDAToolkit", "")
        kind = next((kind for kind, pattern in KINDS if re.search(pattern, needs, re.IGNORECASE)), None)
        kind = kind or ("module" if re.search(r"\b(fatbin|ptx)\b", text, re.IGNORECASE) else "plain")
        words = [word for word in target[2].split() if word != "WIN32"]
        capabilities = re.search(r"CMAKE_CUDA_ARCHITECTURES ([\d ]+)", text)
        yield target[1], kind, path.parent, words, "OpenMP" in needs, capabilities[1].split() if capabilities else []


def arguments_of(sources, name):
    test = json.loads((sources / "test_args.json").read_text()).get(name, {})
    return test.get("args") or (test.get("runs") or [{}])[0].get("args", [])


def tried(sample, options):
    name, kind, folder, sources, has_openmp, capabilities = sample
    arguments = arguments_of(options.sources, name)
    out = options.out / name
    out.mkdir(parents=True, exist_ok=True)
    row = dict(program=name, arguments=" ".join(arguments), build="", run="", self_check="", reason="")
    nvcc = ["aiwc", "build", "--", "nvcc", "-std=c++17", f"-I{options.sources / 'Common'}", "-Iinc", "-I."]
    nvcc += [f"-gencode=arch=compute_{capability},code=sm_{capability}" for capability in capabilities]
    if kind == "module":
        for module in sorted(folder.glob("*kernel*.cu")):
            command([*nvcc, "-fatbin", module.name, "-o", f"{module.stem}64.fatbin"], folder, 100, out / "module.txt")
        nvcc.append("-lcuda")
    if has_openmp:
        nvcc += ["-Xcompiler", "-fopenmp"]
    status, text = command([*nvcc, *sources, "-o", str(out / name)], folder, 100, out / "build.txt")
    row["build"] = "time" if status is None else "ok" if status == 0 else "fail"
    if status != 0:
        absent = re.findall(r"the simulator has no .*", text)
        row["reason"] = absent[-1] if absent else reason_in(text)
        return row
    status, text = command(["aiwc", "run", "--quiet", "--allow-empty", "--output", str(out / "profiles"), "--append", "--",
                            str(out / name), *arguments], folder, options.seconds, out / "run.txt")
    row["run"] = "time" if status is None else "ok" if status == 0 else f"status {status}"
    row["self_check"] = self_check(text) if status is not None else ""
    if status not in (0, None):
        row["reason"] = reason_in(text)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--samples", default="")
    parser.add_argument("--kinds", default="plain,module")
    parser.add_argument("--seconds", type=int, default=45)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    options.out, options.sources = options.out.resolve(), options.sources.resolve()
    wanted = set(filter(None, options.samples.split(",")))
    kinds = options.kinds.split(",")
    chosen = [sample for sample in samples_in(options.sources) if (sample[0] in wanted if wanted else sample[1] in kinds)]
    print_rows(chosen, lambda sample: tried(sample, options), options.jobs)


if __name__ == "__main__":
    main()
