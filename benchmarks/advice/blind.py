#!/usr/bin/python3
"""blind.py BIN OUT SUITE=FOLDER...: holds the findings of `aiwc advise` against those of an expert.

expert.csv has, for kernels of public suites, what somebody who read their sources before the rules ran on them would say
first (`none`: nothing; `algorithm`: what no rule can), and what else is right. Each FOLDER is a checkout of the suite, such as
polybench=PolyBench-ACC. Every kernel of OpenCL is launched once, in the simulator, with inputs made here; CUDA and HIP programs
run as they are. OUT keeps the profiles.
Prints a row per kernel: the place of the expert's first finding among those of the tool (0: missing), how many of the
tool's findings expert.csv has, and which it does not have.

blind.py --launch FILE KERNEL launches one kernel once: what `aiwc run` characterises.
"""

import csv
import datetime
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
N = 256  # of matrices
LONG = 1 << 20  # of vectors
DEVICES = "rtx4090,a100-sxm4-80gb,rx7900xtx"


def launches():
    """kernel -> global size, local size, arguments: see `arguments`."""
    matrix, vector, i, f = ("matrix",), ("vector",), lambda v: ("int", v), lambda v: ("float", v)
    square, row = ((N, N), (32, 8)), ((4 * N,), (256,))
    big, tall = ("floats", 16 * N * N), [i(4 * N), i(4 * N)]
    dims = [i(N), i(N)]
    beside = [("neighbours", 1024, step) for step in (-1, 1, 1, -1)]
    return {
        "mean_kernel": (*row, [vector, big, f(N), *tall]),
        "std_kernel": (*row, [vector, vector, big, f(N), f(0.005), *tall]),
        "reduce_kernel": (*square, [vector, vector, matrix, f(N), *dims]),
        "corr_kernel": ((N,), (256,), [matrix, matrix, *dims]),
        "covar_kernel": ((N,), (256,), [matrix, matrix, *dims]),
        "atax_kernel1": (*row, [big, vector, vector, *tall]),
        "atax_kernel2": (*row, [big, vector, vector, *tall]),
        "bicgKernel1": (*row, [big, vector, vector, *tall]),
        "bicgKernel2": (*row, [big, vector, vector, *tall]),
        "doitgen_kernel1": (*square, [i(1), *dims, matrix, matrix, matrix, i(0)]),
        "doitgen_kernel2": (*square, [i(1), *dims, matrix, matrix, matrix, i(0)]),
        "gemm": (*square, [matrix, matrix, matrix, f(2), f(3), *dims, i(N)]),
        "gesummv_kernel": (*row, [big, big, vector, vector, vector, f(2), f(3), i(4 * N)]),
        "mvt_kernel1": (*row, [big, vector, vector, i(4 * N)]),
        "mvt_kernel2": (*row, [big, vector, vector, i(4 * N)]),
        "syr2k_kernel": (*square, [matrix, matrix, matrix, f(2), f(3), *dims]),
        "syrk_kernel": (*square, [matrix, matrix, f(2), f(3), *dims]),
        "gramschmidt_kernel1": (*row, [big, big, big, i(0), *tall]),
        "gramschmidt_kernel2": (*row, [big, big, big, i(0), *tall]),
        "gramschmidt_kernel3": (*row, [big, big, big, i(0), *tall]),
        "adi_kernel1": (*row, [big, big, big, i(4 * N)]),
        "adi_kernel3": (*row, [big, big, big, i(4 * N)]),
        "fdtd_kernel1": ((1024, 1024), (32, 8), [vector, big, big, big, i(0), i(1024), i(1024)]),
        "fdtd_kernel2": ((1024, 1024), (32, 8), [big, big, big, i(1024), i(1024)]),
        "fdtd_kernel3": ((1024, 1024), (32, 8), [big, big, big, i(1024), i(1024)]),
        "Convolution2D_kernel": ((1024, 1024), (32, 8), [big, big, i(1024), i(1024)]),
        "runJacobi2D_kernel1": ((1024, 1024), (32, 8), [big, big, i(1024)]),
        "runJacobi2D_kernel2": ((1024, 1024), (32, 8), [big, big, i(1024)]),
        "BFS_1": ((LONG,), (256,), [("nodes", LONG), ("indices", 4 * LONG, LONG), ("bytes", LONG, 100),
                                    ("bytes", LONG, 0), ("bytes", LONG, 100), ("ints", LONG), i(LONG)]),
        "BFS_2": ((LONG,), (256,), [("bytes", LONG, 0), ("bytes", LONG, 100), ("bytes", LONG, 100),
                                    ("bytes", 1, 0), i(LONG)]),
        "Fan1": (*row, [big, big, vector, i(4 * N), i(0)]),
        "Fan2": ((1024, 1024), (16, 16), [big, big, vector, i(1024), i(0)]),
        "kmeans_kernel_c": ((LONG,), (256,), [("floats", 32 * LONG), ("floats", 32 * 5), ("ints", LONG), i(LONG),
                                              i(5), i(32), i(0), i(0)]),
        "kmeans_swap": ((LONG,), (256,), [("floats", 32 * LONG), ("floats", 32 * LONG), i(LONG), i(32)]),
        "NearestNeighbor": ((LONG,), (256,), [("floats", 2 * LONG), ("floats", LONG), i(LONG), f(30), f(90)]),
        "hotspotOpt1": ((256, 256), (64, 4), [("floats", LONG // 2), ("floats", LONG // 2), ("floats", LONG // 2), f(1),
                                              i(256), i(256), i(8), *[f(0.1)] * 7]),
        "lud_diagonal": ((16,), (16,), [matrix, ("local", 1024), i(N), i(0)]),
        "lud_perimeter": ((32 * 15,), (32,), [matrix, *[("local", 1024)] * 3, i(N), i(0)]),
        "lud_internal": ((15 * 16, 15 * 16), (16, 16), [matrix, *[("local", 1024)] * 2, i(N), i(0)]),
        "nw_kernel1": ((16 * 16,), (16,), [("ints", 257 * 257), ("ints", 257 * 257), ("ints", 257 * 257),
                                           ("local", 4 * 17 * 17), ("local", 1024), i(257), i(10), i(16), i(16), i(256),
                                           i(0), i(0)]),
        "particle_kernel": ((4096,), (128,), [*[("doubles", 4096)] * 2, ("sorted", 4096), *[("doubles", 4096)] * 3,
                                              i(4096)]),
        "pgain_kernel": ((LONG,), (256,), [("points", LONG), ("floats", 32 * LONG), ("floats", 6 * LONG),
                                           ("zeros", LONG), ("bytes", LONG, 0), ("local", 128), i(LONG), i(32),
                                           ("long", 0), i(5)]),
        "compute_flux": ((LONG,), (128,),
                         [("indices", 4 * LONG, LONG), ("floats", 12 * LONG), ("floats", 5 * LONG), vector,
                          ("floats", 5 * LONG), vector, vector, vector, vector, i(LONG)]),
        "compute_step_factor": ((LONG,), (128,), [("floats", 5 * LONG), ("floats", LONG), ("floats", LONG), i(LONG)]),
        "time_step": ((LONG,), (128,), [i(1), i(LONG), *[("floats", 5 * LONG)] * 2, ("floats", LONG),
                                        ("floats", 5 * LONG)]),
        "initialize_variables": ((LONG,), (128,), [("floats", 5 * LONG), vector, i(LONG)]),
        "bpnn_layerforward_ocl": ((16, 65536), (16, 16), [("floats", 65537), vector, ("floats", 17 * 66000),
                                                         ("floats", 16 * 65536), ("local", 64), ("local", 1024),
                                                         i(65536), i(16)]),
        "bpnn_adjust_weights_ocl": ((16, 65536), (16, 16), [vector, i(16), ("floats", 65537), i(65536),
                                                           *[("floats", 17 * 66000)] * 2]),
        "mysgemmNT": (*square, [matrix, i(N), matrix, i(N), matrix, i(N), i(N), f(2), f(3)]),
        "naive_kernel": ((256, 126, 30), (64, 2, 1), [f(0.1), f(0.2), ("floats", LONG), ("floats", LONG),
                                                      i(256), i(128), i(32)]),
        "ComputePhiMag_GPU": ((LONG,), (256,), [*[("floats", LONG)] * 3, i(LONG)]),
        "ComputeQ_GPU": ((65536,), (256,), [i(1024), i(0), *[("floats", 65536)] * 5, ("floats", 4096)]),
        "spmv_jds_naive": ((65536,), (256,), [("floats", 65536), ("floats", LONG), ("indices", LONG, 65536),
                                              ("indices", 65536, 65536), ("floats", 65536), i(65536),
                                              ("steps", 16, 65536), ("constant", 2048, 16)]),
        "gen_hists": ((256 * 41,), (256,), [("ints", 20 * 41), ("floats", 3 * 512 * 21), ("floats", 32), i(20),
                                            i(512)]),
        "mb_sad_calc": ((61 * 32, 32), (61, 1), [("ints", 8 * 8 * 1096 * 25), ("ints", 8192), i(8), i(8),
                                                 ("ints", 8192)]),
        "extract_kernel": ((LONG,), (256,), [("long", LONG), ("floats", LONG)]),
        "prepare_kernel": ((LONG,), (256,), [("long", LONG), *[("floats", LONG)] * 3]),
        "kernel_gpu_opencl/reduce_kernel": ((LONG,), (256,), [("long", LONG), ("long", LONG), i(1), *[("floats", LONG)] * 2,
                                                 i(LONG // 256)]),
        "srad_kernel": ((LONG,), (256,), [f(0.5), i(1024), i(1024), ("long", LONG), *beside,
                                          *[("floats", LONG)] * 4, f(0.1), *[("floats", LONG)] * 2]),
        "srad2_kernel": ((LONG,), (256,), [f(0.5), i(1024), i(1024), ("long", LONG), *beside,
                                           *[("floats", LONG)] * 6]),
        "compress_kernel": ((LONG,), (256,), [("long", LONG), ("floats", LONG)]),
        # Of one name in several files: the file's name comes before.
        "C_elem/mmul": ((N, N), (16, 16), [i(N), matrix, matrix, matrix]),
        "C_row/mmul": ((N,), (64,), [i(N), matrix, matrix, matrix]),
        "C_row_priv/mmul": ((N,), (64,), [i(N), matrix, matrix, matrix]),
        "C_row_priv_bloc/mmul": ((N,), (64,), [i(N), matrix, matrix, matrix, ("local", 4 * N)]),
        "C_block_form/mmul": ((2 * N, 2 * N), (16, 16), [i(2 * N), *[("floats", 4 * N * N)] * 3, *[("local", 1024)] * 2]),
        "pi": ((512,), (64,), [i(4096), f(1 / (512 * 4096)), ("local", 256), vector]),
        "accelerate_life": ((1024, 1024), (32, 8), [("bytes", LONG, LONG // 4), ("bytes", LONG, 0), i(1024), i(1024),
                                                    ("local", 34 * 10)]),
        # The sum of 4,194,304 integers in groups of 128, as in Harris' "Optimizing Parallel Reduction in CUDA".
        **{f"reduce{step}": ((4 * LONG if step < 3 else 2 * LONG if step < 6 else 64 * 128,), (128,),
                             [("ints", 4 * LONG), ("zeros", LONG), i(4 * LONG), ("local", 512)]) for step in range(7)},
        "MatVecMulUncoalesced0": ((16384,), (256,), [("floats", 1100 * 16384), vector, i(1100), i(16384),
                                                     ("floats", 16384)]),
        **{f"MatVecMulCoalesced{step}": ((65536,), (256,), [("floats", 1100 * 16384), vector, i(1100), i(16384),
                                                            ("floats", 16384), ("local", 1024)]) for step in range(3)},
        "uncoalesced_copy": ((1024, 1024), (16, 16), [big, big, i(0), i(1024), i(1024)]),
        "DotProduct": ((LONG,), (256,), [("floats", 4 * LONG), ("floats", 4 * LONG), ("floats", LONG), i(LONG)]),
        "mergeHistogram256": ((65536,), (256,), [("ints", 256), ("ints", 240 * 256), i(240)]),
        "RecursiveGaussianRGBA": ((1024,), (64,), [("ints", LONG), ("ints", LONG), i(1024), i(1024), *[f(0.2)] * 8]),
        "ckMedian": ((1024, 1024), (16, 4), [("ints", LONG), ("ints", LONG + 2048), ("local", 4 * 18 * 6), i(18),
                                             i(1024), i(1024)]),
        "sweep_small_systems_global_kernel": ((16384,), (128,), [*[("floats", 2 * LONG)] * 5, i(16384),
                                                                 ("floats", 2 * LONG)]),
        "sweep_small_systems_local_kernel": ((16384,), (128,), [*[("floats", 2 * LONG)] * 5, i(16384)]),
        "cyclic_small_systems_kernel": ((64 * 4096,), (64,), [*[("floats", LONG)] * 5, ("local", 4 * 5 * 129), i(128),
                                                              i(4096), i(6)]),
        **{name: ((128 * 4096,), (128,), [*[("floats", LONG)] * 5, ("local", 4 * 5 * 129), i(128), i(4096), i(6)])
           for name in ("pcr_small_systems_kernel", "pcr_branch_free_kernel")},
        "MersenneTwister": ((4096,), (128,), [("floats", 4 * LONG), ("ints", 4 * 4096), i(1024)]),
        "scanExclusiveLocal1": ((LONG // 4,), (256,), [("ints", LONG), ("ints", LONG), ("local", 4 * 512), i(1024)]),
        "ViterbiPath": ((1,), (1,), [("floats", 1), ("ints", 512), ("floats", 1024), ("ints", 512 * 1024), i(1024),
                                     i(512)]),
        "DCT8x8": ((1024, 128), (32, 2), [big, big, i(1024), i(1024), i(1024)]),
        "convolutionRows": ((128, 1024), (16, 4), [big, big, vector, i(1024), i(1024), i(1024)]),
        "convolutionColumns": ((1024, 128), (16, 8), [big, big, vector, i(1024), i(1024), i(1024)]),
        "matrixMul": ((512, 512), (16, 16), [*[("floats", 512 * 512)] * 3, *[("local", 1024)] * 2, i(512), i(512),
                                             i(512)]),
        "bitonicSortLocal1": ((LONG // 2,), (256,), [*[("indices", LONG, LONG)] * 4]),
        "BlackScholes": ((60 * 1024,), (128,), [*[("floats", LONG)] * 5, f(0.02), f(0.3), i(LONG)]),
        "FiniteDifferences": ((256, 256), (32, 8), [("floats", 264 * 264 * 48), ("floats", 264 * 264 * 48), vector,
                                                    i(256), i(256), i(32), i(0)]),
        "hotspot": ((16 * 86, 16 * 86), (16, 16), [i(2), big, big, big, i(1024), i(1024), i(2), i(2), f(0.5), f(1), f(1),
                                                   f(1), f(0.1)]),
    }


MUL24 = "-Dmul24(a,b)=((int)(a)*(int)(b))"  # of size_t, which clang calls ambiguous
OPTIONS = {  # for the compiler, by the file's name
    "RecursiveGaussian": MUL24, "MedianFilter": MUL24,
    "tpacf": "", "oclReduction_kernel": "-DT=int -DblockSize=128 -DnIsPow2=1",
    "Histogram256": "-DLOG2_WARP_SIZE=5U -DWARP_COUNT=6 -DMERGE_WORKGROUP_SIZE=256",
    "sweep_kernels": "-Dsystem_size=128 -DBLOCK_DIM=16", "Scan": "-DWORKGROUP_SIZE=256", "DCT8x8": "",
    "ConvolutionSeparable": "-DKERNEL_RADIUS=8 -DROWS_BLOCKDIM_X=16 -DROWS_BLOCKDIM_Y=4 -DROWS_RESULT_STEPS=8 "
                            "-DROWS_HALO_STEPS=1 -DCOLUMNS_BLOCKDIM_X=16 -DCOLUMNS_BLOCKDIM_Y=8 -DCOLUMNS_RESULT_STEPS=8 "
                            "-DCOLUMNS_HALO_STEPS=1",
    "BitonicSort": "-DLOCAL_SIZE_LIMIT=512U", "FDTD3d": "-DRADIUS=4 -DMAXWORKX=32 -DMAXWORKY=8",
}
ARGUMENTS = {"matrix_transpose": ["1024", "1024"]}  # of programs


def launch(file, name):
    os.environ["PYOPENCL_NO_CACHE"] = "1"
    import numpy
    import pyopencl as cl

    random = numpy.random.default_rng(1)
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    folder = pathlib.Path(file).parent
    stem = "tpacf" if "tpacf" in file else pathlib.Path(file).stem
    options = ["-I", str(folder), "-I", str(folder.parent), *OPTIONS.get(stem, "-DBLOCK_SIZE=16").split()]
    program = cl.Program(context, pathlib.Path(file).read_text()).build(options=options)

    def buffer(array):
        return cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=array)

    def floats(count):
        return random.random(count, dtype=numpy.float32) + numpy.float32(0.5)

    def argument(kind, *size):
        if kind == "int":
            return numpy.int32(size[0])
        if kind == "long":
            return numpy.int64(size[0])
        if kind == "float":
            return numpy.float32(size[0])
        if kind == "local":
            return cl.LocalMemory(size[0])
        if kind == "matrix":
            return buffer(floats(N * N))
        if kind == "vector":
            return buffer(floats(8 * N))
        if kind == "floats":
            return buffer(floats(size[0]))
        if kind == "doubles":
            return buffer(random.random(size[0]))
        if kind == "sorted":
            return buffer(numpy.sort(random.random(size[0])))
        if kind == "ints":
            return buffer(random.integers(0, 10, size[0], dtype=numpy.int32))
        if kind == "zeros":
            return buffer(numpy.zeros(size[0], dtype=numpy.int32))
        if kind == "indices":
            return buffer(random.integers(0, size[1], size[0], dtype=numpy.int32))
        if kind == "steps":  # where each diagonal begins
            return buffer((size[1] * numpy.arange(size[0])).astype(numpy.int32))
        if kind == "constant":
            return buffer(numpy.full(size[0], size[1], dtype=numpy.int32))
        if kind == "neighbours":
            return buffer(numpy.clip(numpy.arange(size[0]) + size[1], 0, size[0] - 1).astype(numpy.int32))
        if kind == "bytes":  # as many ones, at random places
            values = numpy.zeros(size[0], dtype=numpy.int8)
            values[random.choice(size[0], min(size[1], size[0]), replace=False)] = 1
            return buffer(values)
        if kind == "nodes":  # four edges each
            return buffer(numpy.stack([4 * numpy.arange(size[0]), numpy.full(size[0], 4)], 1).astype(numpy.int32))
        if kind == "points":
            return buffer(numpy.array([(1, 0, 5)] * size[0],
                                      dtype=numpy.dtype([("w", "f4"), ("a", "i8"), ("c", "f4")], align=True)))
        raise ValueError(kind)

    table = launches()
    size, group, arguments = table.get(f"{stem}/{name}") or table[name]
    kernel = getattr(program, name)
    kept = [argument(*of) for of in arguments]  # OpenCL does not keep them alive
    kernel.set_args(*kept)
    cl.enqueue_nd_range_kernel(queue, kernel, size, group)
    queue.finish()


def program(tools, out, file, suite):
    """the command that runs a CUDA or HIP program"""
    compiler = ["hipcc", "-include", "stdexcept", "-include", "hip/hip_runtime.h"] if file.suffix == ".hip" else ["nvcc", "-std=c++17", f"-I{suite / 'Common'}"]
    binary = out / f"{file.stem}.bin"
    subprocess.run([tools / "aiwc", "build", "--", *compiler, "-O3", file, *file.parent.glob("*.cpp"), "-o", binary], check=True, stdout=sys.stderr)
    return [binary, *ARGUMENTS.get(file.stem, [])]


def findings(tools, out, file, kernel, suite):
    is_program = file.suffix in (".cu", ".hip")
    folder = out / (file.stem if is_program else f"{file.stem}-{kernel}")
    if not (folder / "run.json").exists():
        command = program(tools, out, file, suite) if is_program else [sys.executable, __file__, "--launch", file, kernel]
        subprocess.run([tools / "aiwc", "run", "--quiet", "--output", folder, "--", *command],
                       check=not is_program, stdout=sys.stderr)  # samples end with what their own checks say
    text = subprocess.run([tools / "aiwc", "advise", folder, "--json", "--devices", DEVICES], check=True,
                          capture_output=True, text=True).stdout
    return [finding["rule"] for found in json.loads(text)
            if found["kernel"] and (not is_program or found["kernel"].split("<")[0].split("::")[-1] == kernel)
            for finding in found["findings"]]


def main():
    if sys.argv[1] == "--launch":
        return launch(*sys.argv[2:])
    tools, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    folders = dict(argument.split("=", 1) for argument in sys.argv[3:])
    out.mkdir(parents=True, exist_ok=True)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True,
                            text=True).stdout.strip()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["date", "commit", "machine", "command", "suite", "kernel", "expert_first", "place", "findings",
                    "right", "not_in_list"])
    for row in csv.DictReader(open(HERE / "expert.csv")):
        if row["suite"] not in folders:
            continue
        suite = pathlib.Path(folders[row["suite"]]).resolve()
        found = findings(tools, out, suite / row["file"], row["kernel"], suite)
        right = [rule for rule in found if rule == row["first"] or rule in row["also"].split()]
        place = found.index(row["first"]) + 1 if row["first"] in found else 0
        table.writerow([datetime.date.today().isoformat(), commit, "independent of the machine",
                        "benchmarks/advice/blind.py BIN OUT SUITE=FOLDER", row["suite"], row["kernel"], row["first"], place, " ".join(found), len(right),
                        " ".join(rule for rule in found if rule not in right)])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
