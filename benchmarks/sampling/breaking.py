#!/usr/bin/env python3
"""How well samples of the work-groups tell of kernels that were made to mislead them.

    breaking.py AIWC [--only NAME] [--accuracy standard|fast]

Runs each kernel below twice, with all work-groups characterised and with a sample, for which
launches of more than 200 000 instructions are long. Prints a CSV row per kernel: how many of the
estimates with a stated error are within two of their errors, how far the sums are off, whether the
largest work-item and group are right, the ratio of the misses of a cache of 32 KiB, and the ratio of
the predicted times on the devices that the published model knows.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

LONG = 200_000
SUMS = ("total_instruction_count", "fp_ops", "int_ops", "total_reads", "total_writes",
        "bytes_read_global", "bytes_written_global", "bytes_read_local", "bytes_written_local")
DEVICES = "i7-6700k,i5-3550,gtx1080,k40m,fiji-furyx"
EXTREMES = ("ipt_max", "ipt_min", "work_group_instructions_max")
COLUMNS = ("kernel,groups,sampled,estimates,within_two_errors_percent,"
           "sums_off_largest_percent,extremes_right,misses_32kib,time_ratio_least,time_ratio_most")

PRELUDE = """
float rounds(global const float *in, int n, int i) {
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += in[(i + j * 7) & 4095] * 0.5f;
  return sum;
}
uint mixed(uint x) {
  x = (x ^ x >> 16) * 0x7feb352dU;
  x = (x ^ x >> 15) * 0x846ca68bU;
  return x ^ x >> 16;
}
kernel void k(global const float *in, global float *out, global uint *counts) {
  const int gx = get_group_id(0), gy = get_group_id(1), gz = get_group_id(2);
  const int nx = get_num_groups(0), ny = get_num_groups(1), nz = get_num_groups(2);
  const int g = gx + nx * (gy + ny * gz), n = nx * ny * nz;
  const int i = get_global_id(0) +
                get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
  const int l = get_local_id(0) +
                get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
"""

LINE = ((65536, 1, 1), (64, 1, 1))    # 1024 groups
PLANE = ((256, 256, 1), (8, 8, 1))    # 32 x 32
SPACE = ((40, 40, 40), (4, 4, 4))     # 10 x 10 x 10


def heavy(condition, much=2000, little=4):
    return f"out[i] = rounds(in, ({condition}) ? {much} : {little}, i);"


# Name: NDRange, what the kernel does.
KERNELS = {
    "alike": (LINE, heavy("false")),
    "first item sums the array": (LINE, "out[i] = in[i & 4095]; if (i == 0) out[0] = "
                                        "rounds(out, 60000, 0);"),
    "middle item sums the array": (LINE, "out[i] = in[i & 4095]; if (i == 32768 + 17) out[0] = "
                                         "rounds(out, 60000, 0);"),
    "last item sums the array": (LINE, "out[i] = in[i & 4095]; if (i == 65535) out[0] = "
                                       "rounds(out, 60000, 0);"),
    "first group": (LINE, heavy("g == 0")),
    "a group in the middle": (LINE, heavy("g == 777")),
    "last group": (LINE, heavy("g == n - 1")),
    "two neighbours": (LINE, heavy("g == 400 || g == 401")),
    "first row": (PLANE, heavy("gy == 0", 200)),
    "last row": (PLANE, heavy("gy == ny - 1", 200)),
    "first column": (PLANE, heavy("gx == 0", 200)),
    "border": (PLANE, heavy("gx == 0 || gy == 0 || gx == nx - 1 || gy == ny - 1", 100)),
    "diagonal": (PLANE, heavy("gx == gy", 200)),
    "a corner of a cube": (SPACE, heavy("g == n - 1")),
    "an edge of a cube": (SPACE, heavy("gx == 0 && gy == 0", 300)),
    "a face of a cube": (SPACE, heavy("gz == 0", 100)),
    "interior of a cube": (SPACE, heavy("gx > 2 && gx < 7 && gy > 2 && gy < 7 && gz > 2 && gz < 7",
                                        100)),
    "triangle": (LINE, "out[i] = rounds(in, g / 16, i);"),
    "triangle in a row": (PLANE, "out[i] = rounds(in, 2 * gx, i);"),
    "triangle of items": (LINE, "out[i] = rounds(in, i / 1024, i);"),
    "power law": (LINE, "out[i] = rounds(in, 4000 / (g + 1), i);"),
    "power law, shuffled": (LINE, "out[i] = rounds(in, 4000 / (g * 389 % 1024 + 1), i);"),
    "early return": (LINE, "if (g >= n / 4) return; out[i] = rounds(in, 40, i);"),
    "early return, scattered": (LINE, "if (mixed(g) % 16 != 0) return; out[i] = rounds(in, 100, i);"),
    "every 17th": (LINE, heavy("g % 17 == 3", 150)),
    "every 64th": (LINE, heavy("g % 64 == 63", 400)),
    "every second": (LINE, heavy("g % 2 == 1", 30)),
    "loops by data of items": (LINE, "out[i] = rounds(in, mixed(i) % 32, i);"),
    "loops by data of groups": (LINE, "out[i] = rounds(in, mixed(g) % 64, i);"),
    "geometric loops": (LINE, "out[i] = rounds(in, 4 << min(10, (int)clz(mixed(g))), i);"),
    "strides by group": (LINE, "float sum = 0; for (int j = 0; j < 16; ++j) "
                               "sum += out[(i * (1 + g % 32) + j * 4099) & 65535]; out[i] = sum;"),
    "gathers in some groups": (LINE, "float sum = 0; for (int j = 0; j < 16; ++j) sum += out["
                                     "(g % 5 == 0 ? mixed(i + j) : i + j) & 65535]; out[i] = sum;"),
    "stores in some groups": (LINE, "out[i] = rounds(in, 8, i); if (g % 23 == 7) "
                                    "for (int j = 0; j < 16; ++j) out[(i + j * 64) & 65535] = j;"),
    "atomics in some groups": (LINE, "if (g % 11 == 0) atomic_add(counts + g % 64, i); "
                                     "out[i] = rounds(in, 8, i);"),
    "divergence in some groups": (LINE, "out[i] = rounds(in, g % 9 == 0 ? (l % 8 == 0 ? 128 : 0) "
                                        ": 16, i);"),
    "reduction with a last group": (LINE, """local float tile[64]; local uint last;
  tile[l] = in[i & 4095];
  for (int s = 32; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) tile[l] += tile[l + s];
  }
  if (l == 0) { out[g] = tile[0]; last = atomic_inc(counts) == n - 1; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (last && l == 0) out[0] = rounds(out, 1024, 0);"""),
    "path in a tile": (LINE, """local float a[64], b[64];
  a[l] = in[i & 4095];
  for (int s = 0; s < 8; ++s) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l > s && l < 63 - s) b[l] = fmin(fmin(a[l - 1], a[l]), a[l + 1]) + in[(i + s * 512) & 4095];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = b[l];
  }
  if (l > 8 && l < 55) out[i] = a[l];"""),
    "matrix product": (PLANE, """const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = 0; j < 64; ++j) sum += in[(y * 64 + j) & 4095] * in[(j * 256 + x) & 4095];
  out[i] = sum;"""),
    "stencil": (PLANE, "float sum = 0; for (int y = -256; y <= 256; y += 256) "
                       "for (int x = -1; x <= 1; ++x) sum += out[(i + y + x) & 65535]; out[i] = sum;"),
    "few groups in range": (((262144, 1, 1), (16, 1, 1)), "if (i >= 1000 && g != n - 1) return; "
                            "out[i & 65535] = rounds(in, 100, i);"),
}


def simulate(aiwc, folder, words):
    output = folder / ("profiles" + "".join(words).replace("=", ""))
    command = [aiwc, "run", "--quiet", "--output", output, *words, "--", "oclgrind-kernel",
               "k.sim"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    files = list(output.glob("aiwc_*.json"))
    if run.returncode != 0 or len(files) != 1:
        sys.exit(f"{' '.join(map(str, command))}: status {run.returncode}, {len(files)} profiles: "
                 f"expected 0 and one\n{run.stdout}{run.stderr}")
    return output, json.loads(files[0].read_text())


def misses(profile, cache):
    """Misses of a cache of so many bytes, as profile/reuse.h has them at powers of two."""
    lines = cache // profile["reuse"]["line_bytes"]
    far = sum(count for distance, count in profile["histograms"]["reuse_distances"]
              if distance >= lines)
    return profile["reuse"]["cold_accesses"] + far


def times(aiwc, folder):
    words = [aiwc, "predict", str(folder), "--devices", DEVICES, "--json"]
    shown = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    return {row["device"]: row["time_us"] for row in shown["application"]["devices"]}


def row(aiwc, name, folder, accuracy, verbose):
    (size, local), body = KERNELS[name]
    (folder / "k.cl").write_text(PRELUDE + "  " + body + "\n}\n")
    (folder / "k.sim").write_text("\n".join([
        "k.cl", "k", " ".join(map(str, size)), " ".join(map(str, local)),
        "<size=16384 float range=0:1:4095>", "<size=262144 float fill=0>",
        "<size=256 uint fill=0>", ""]))
    exact_folder, exact = simulate(aiwc, folder, ["--accuracy=exact"])
    some_folder, some = simulate(aiwc, folder, [f"--accuracy={accuracy}:{LONG}"])
    a, b = some["metrics"], exact["metrics"]
    known = within = 0
    for key, error in some.get("errors", {}).items():
        if isinstance(error, (int, float)) and a[key] is not None and b[key] is not None:
            known += 1
            within += abs(a[key] - b[key]) <= 2 * error + 1e-6 * abs(b[key]) + 0.5 * (
                isinstance(b[key], int))
    if verbose:
        for key, error in some.get("errors", {}).items():
            if isinstance(error, (int, float)) and abs((a[key] or 0) - (b[key] or 0)) > 2 * error + \
                    1e-6 * abs(b[key] or 0) + 0.5 * isinstance(b[key], int):
                print(f"  {name}: {key}: {a[key]} +- {error}: exactly {b[key]}", file=sys.stderr)
    off = max(100 * abs(a[key] / b[key] - 1) for key in SUMS if b[key])
    cold, true = misses(some, 32 << 10), misses(exact, 32 << 10)
    before, after = times(aiwc, exact_folder), times(aiwc, some_folder)
    ratios = [after[device] / before[device] for device in before]
    right = all(a[key] == b[key] for key in EXTREMES)
    provenance = some["provenance"]
    return [name.replace(",", ""), b["work_groups"],
            provenance.get("sampled_groups", b["work_groups"]), known,
            f"{100 * within / known:.0f}" if known else "100", f"{off:.2g}", int(right),
            f"{cold / true:.2f}", f"{min(ratios):.3f}", f"{max(ratios):.3f}"], known, within


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("aiwc")
    parser.add_argument("--only", help="run this kernel alone")
    parser.add_argument("--accuracy", default="standard", choices=["standard", "fast"])
    parser.add_argument("--verbose", action="store_true", help="list the estimates that are off")
    options = parser.parse_args()
    print(COLUMNS)
    known = within = 0
    for name in [options.only] if options.only else KERNELS:
        with tempfile.TemporaryDirectory() as folder:
            values, of, right = row(pathlib.Path(options.aiwc).resolve(), name, pathlib.Path(folder), options.accuracy,
                                    options.verbose)
        print(",".join(map(str, values)), flush=True)
        known += of
        within += right
    if known:
        print(f"{within} of {known} estimates are within two of their errors "
              f"({100 * within / known:.1f} %)", file=sys.stderr)


if __name__ == "__main__":
    main()
