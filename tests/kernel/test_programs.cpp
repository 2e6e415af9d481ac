// Programs in other forms than OpenCL C: LLVM bitcode and text, SPIR-V, CUDA.
#include "common/file.h"
#include "kernel/command.h"
#include "profile/json.h"
#include "run/launch.h"
#include "text/text.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::literals;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

const std::string kKernels = std::string(AIWC_TEST_SOURCES) + "/kernels/";

bool have(const std::string &program) {
  const bool has = fs::exists("/usr/bin/" + program);
  if (!has)
    WARN(program << " is not installed");
  return has;
}

/// Bitcode of a kernel file, optimised as the simulator optimises.
void compile(const Workplace &workplace, const std::string &kernel, const Words &how) {
  Words words = {"-x",
                 "cl",
                 "-cl-std=CL1.2",
                 "-target",
                 "spir64",
                 "-Xclang",
                 "-finclude-default-header",
                 "-cl-kernel-arg-info",
                 "-emit-llvm"};
  words.insert(words.end(), how.begin(), how.end());
  words.push_back(kKernels + kernel);
  const Outcome outcome = workplace.execute("/usr/bin/clang-14", words);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
}

/// The profile of reduce.cl or a form of it, as text, without what says which file it was.
std::string profileOf(Workplace &workplace, const std::string &file) {
  workplace.kernel({file, "--global", "256", "--local", "64", "--arg", "0=range", "--arg",
                    "1=zeros", "--arg", "2=local:256"});
  profile::KernelProfile profile = workplace.profile();
  CHECK(profile.provenance.kernel == "reduce");
  profile.provenance.sourceKind.clear();
  profile.provenance.sourceHash.clear();
  profile.provenance.codeHash.clear();
  // Lines: only OpenCL C is built with them here.
  profile.histograms.lines.clear();
  profile.histograms.loops.clear();
  profile.accesses.reset();
  return profile::toJson(profile);
}

constexpr const char *kCuda = R"(
__constant__ float factors[4] = {1, 2, 3, 4};
__device__ float seen;
__device__ float *where = &seen;
__global__ void scale(unsigned n, float a, const float *x, float *y) {
  extern __shared__ float tile[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  if (i < n)
    y[i] = a * tile[blockDim.x - 1 - threadIdx.x] * factors[i & 3];
  if (i == 0)
    *where = y[0];
}
template <typename T> __global__ void fill(T *out) { out[threadIdx.x] = T(1); }
template __global__ void fill<int>(int *);
template __global__ void fill<float>(float *);
)";

} // namespace

TEST_CASE("bitcode, LLVM text and SPIR-V have the profile of their OpenCL C") {
  if (!have("clang-14"))
    return;
  Workplace workplace;
  const std::string wanted = profileOf(workplace, kKernels + "reduce.cl");
  compile(workplace, "reduce.cl", {"-Oz", "-c", "-o", "reduce.bc"});
  CHECK(profileOf(workplace, "reduce.bc") == wanted);
  compile(workplace, "reduce.cl", {"-Oz", "-S", "-o", "reduce.ll"});
  CHECK(profileOf(workplace, "reduce.ll") == wanted);
  if (!have("llvm-spirv-14"))
    return;
  // As compilers to SPIR-V leave it: not optimised.
  compile(workplace, "reduce.cl",
          {"-Oz", "-Xclang", "-disable-llvm-passes", "-c", "-o", "plain.bc"});
  REQUIRE(workplace.execute("/usr/bin/llvm-spirv-14", {"plain.bc", "-o", "reduce.spv"}).status ==
          0);
  CHECK(profileOf(workplace, "reduce.spv") == wanted);
}

TEST_CASE("LLVM text with a local variable that Oclgrind does not find ends with a line") {
  if (!have("llvm-as-14"))
    return;
  Workplace workplace;
  workplace.write("local.ll", R"(target triple = "spir64-unknown-unknown"
@tile = internal addrspace(3) global [64 x i32] undef, align 4
define spir_kernel void @k(i32 addrspace(1)* %out) !kernel_arg_addr_space !1 !kernel_arg_access_qual !2 !kernel_arg_type !3 !kernel_arg_base_type !3 !kernel_arg_type_qual !4 {
  %t = getelementptr [64 x i32], [64 x i32] addrspace(3)* @tile, i64 0, i64 1
  store i32 7, i32 addrspace(3)* %t
  %r = load i32, i32 addrspace(3)* %t
  store i32 %r, i32 addrspace(1)* %out
  ret void
}
!1 = !{i32 1}
!2 = !{!"none"}
!3 = !{!"int*"}
!4 = !{!""}
)");
  CHECK_THAT(workplace.wrongKernel({"local.ll", "--global", "4", "--arg", "0=zeros"}),
             Contains("aiwc kernel: local.ll: k: the simulator ended the kernel: "));
  CHECK_THAT(workplace.run().launches.at(0).engineReason, Contains("in local memory"));
}

TEST_CASE("a program includes what lies beside it, after what the user's folders have") {
  Workplace workplace;
  const fs::path folder = workplace / "a program";
  fs::create_directories(folder);
  fs::create_directories(workplace / "mine");
  workplace.write("a program/k.cl", "#include \"v.h\"\n"
                                    "kernel void k(global int *o) {\n"
                                    "  for (int i = 0; i < TIMES; ++i)\n"
                                    "    o[get_global_id(0)] += i * i;\n"
                                    "}\n");
  workplace.write("a program/v.h", "#define TIMES 3\n");
  workplace.write("mine/v.h", "#define TIMES 5\n");
  const auto instructionsWith = [&](const Words &more) {
    Words words = {"a program/k.cl", "--global", "8", "--arg", "o=zeros"};
    words.insert(words.end(), more.begin(), more.end());
    workplace.kernel(words);
    return workplace.profile().count("total_instruction_count"_metric);
  };
  CHECK(instructionsWith({}) == instructionsWith({"--build-options", "-D OTHER"}));
  CHECK(instructionsWith({"--build-options", "-I mine"}) != instructionsWith({}));
}

TEST_CASE("annotations go into the file that was characterised") {
  if (!have("clang-14"))
    return;
  Workplace workplace;
  compile(workplace, "saxpy.cl", {"-Oz", "-c", "-o", "saxpy.bc"});
  fs::copy_file(kKernels + "saxpy.cl", workplace / "saxpy.cl");
  for (const char *file : {"saxpy.cl", "saxpy.bc"}) {
    workplace.kernel({file, "--global", "64", "--arg", "auto"});
    REQUIRE(workplace.aiwc({"annotate", "embed", "--into", file, workplace.output()}).status == 0);
    CHECK_THAT(workplace.aiwc({"annotate", "lookup", file}).out,
               Contains("saxpy, invocation 0: 64 work-items"));
  }
}

TEST_CASE(
    "atomics that compilers join for neighbours take one turn, those of other kinds one each") {
  Workplace workplace;
  workplace.write("count.cl", R"(
    kernel void one(global int *n) { atomic_inc(n); }
    kernel void found(global const int *x, global int *n, global int *where) {
      const int i = get_global_id(0);
      if (x[i] == 0)
        where[atomic_add(n + 3, 1)] = i;
    }
    kernel void largest(global const int *x, global int *n) {
      for (int k = 0; k < 4; ++k)
        atomic_max(&n[32 * k], x[get_global_id(0)]);
    }
    kernel void shared(global int *n) {
      local int sum;
      if (get_local_id(0) == 0) sum = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_add(&sum, (int)get_local_id(0));
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == 0) n[get_group_id(0)] = sum;
    }
    kernel void bins(global const int *x, global int *n) { atomic_inc(&n[x[get_global_id(0)]]); }
    kernel void exchanged(global int *n) { atomic_xchg(n, 1); }
    kernel void compared(global int *n) { atomic_cmpxchg(n, 0, 1); })");
  const auto turns = [&](const std::string &kernel) {
    std::vector<std::string> arguments = {"count.cl", "--kernel", kernel, "--global",
                                          "256",      "--local",  "64"};
    for (const char *buffer : {"x", "n", "where"})
      if (kernel == "found" || buffer == std::string("n") ||
          (buffer == std::string("x") && (kernel == "largest" || kernel == "bins")))
        arguments.insert(arguments.end(), {"--arg", std::string(buffer) + "=buffer:i32:256:zeros"});
    workplace.kernel(arguments);
    const profile::KernelProfile profile = workplace.profile();
    return std::pair(profile.count("atomic_contention_max"_metric),
                     profile.count("atomic_line_contention_max"_metric));
  };
  using Both = std::pair<uint64_t, uint64_t>;
  CHECK(turns("one") == Both(256, 8));
  CHECK(turns("found") == Both(256, 8));
  CHECK(turns("largest") == Both(256, 8));
  CHECK(turns("shared") == Both(64, 2));
  CHECK(turns("bins") == Both(256, 256));
  CHECK(turns("exchanged") == Both(256, 256));
  CHECK(turns("compared") == Both(256, 256));
}

TEST_CASE("operations on integers of 64 bits are told from indices") {
  Workplace workplace;
  workplace.write("mix.cl", R"(
    kernel void mix(global ulong *x, ulong n) {
      const size_t i = get_global_id(0) * 3 + n;
      if (i < n)
        return;
      ulong v = x[i];
      v ^= v >> 33;
      v *= 0xff51afd7ed558ccdUL;
      x[i + 1] = v + 5;
    })");
  workplace.kernel({"mix.cl", "--global", "16", "--local", "16", "--arg", "n=1", "--arg",
                    "x=buffer:u64:256:zeros"});
  const profile::KernelProfile profile = workplace.profile();
  CHECK(profile.count("int_ops_64"_metric) == 16 * 4);      // of v
  CHECK(profile.count("int_ops"_metric) > 16 * 4 + 16 * 3); // of i, too
}

TEST_CASE("products are told that a device computes each time") {
  Workplace workplace;
  workplace.write("products.cl", R"(
    kernel void products(global uint *x, global ulong *y, uint n, ulong w) {
      const uint i = get_global_id(0);
      uint v = x[i] * 1664525u + 1013904223u;  // 1
      v = mul_hi(v, x[i + 1]);                 // 1
      const uint all = n * n;                  // the same in all work-items
      const uint row = v * 8 + (v & 3) * n;    // 1: 8 is a shift
      ulong z = (ulong)v * x[i + 2] ^ w;       // 1: of halves
      z *= 0xbf58476d1ce4e5b9UL;               // 1, of 64 bits
      z ^= z * w;                              // 1, of 64 bits
      for (uint k = 0; k < 5; ++k)
        z += x[k * n + all];                   // a sum of n in each iteration
      y[i] = z + row;
    })");
  workplace.kernel({"products.cl", "--global", "16", "--local", "16", "--arg", "n=3", "--arg",
                    "w=7", "--arg", "x=buffer:u32:256:fill(1)", "--arg", "y=buffer:u64:256:zeros"});
  const profile::KernelProfile profile = workplace.profile();
  CHECK(profile.count("int_mul"_metric) == 16 * 6);
  CHECK(profile.count("int_mul_64"_metric) == 16 * 2);
}

TEST_CASE("predictions from an annotation count integer divisions and conversions to 64 bits") {
  Workplace workplace;
  workplace.write("wrap.cl", R"(
    kernel void wrap(global float *x, int n) {
      const int i = get_global_id(0);
      const double sum = (double)x[(i * 7) % n] + 0.1 * x[i / n];
      x[i] = (float)sum;
    })");
  workplace.kernel(
      {"wrap.cl", "--global", "4096", "--local", "64", "--arg", "n=64", "--arg", "auto"});
  const profile::KernelProfile profile = workplace.profile();
  CHECK(profile.count("int_div_uniform"_metric) == 2 * 4096);
  CHECK(profile.count("fp_conversions"_metric) == 3 * 4096);
  const auto terms = [&](const std::string &run) {
    const auto predicted = workplace.aiwc({"predict", run, "--devices", "rtx4090", "--csv"});
    REQUIRE(predicted.status == 0);
    const std::vector<std::string> lines = text::split(predicted.out, '\n');
    const std::vector<std::string> names = text::split(lines.at(0), ','),
                                   values = text::split(lines.at(1), ',');
    const auto valueOf = [&](const char *name) {
      return std::stod(
          values.at(static_cast<size_t>(std::ranges::find(names, name) - names.begin())));
    };
    return std::array{valueOf("integers_us"), valueOf("double_precision_us"),
                      valueOf("instructions_us")};
  };
  const auto fromProfile = terms(workplace.output());
  CHECK(fromProfile[0] + fromProfile[2] > 0);
  CHECK(fromProfile[1] > 0);
  REQUIRE(workplace.aiwc({"annotate", "embed", "--into", "wrap.cl", workplace.output()}).status ==
          0);
  CHECK(terms("wrap.cl") == fromProfile);
}

TEST_CASE("a CUDA kernel, with shared memory, constants and a variable") {
  if (!have("clang-14"))
    return;
  Workplace workplace;
  workplace.write("scale.cu", kCuda);
  const std::string said =
      workplace.kernel({"scale.cu", "--kernel", "scale", "--global", "256", "--local", "64",
                        "--shared-memory", "4*lx", "--arg", "n=100", "--arg", "auto"});
  CHECK_THAT(said, Contains("--arg 'a=1' --arg 'x=buffer:f32:items:random(0,1)' --arg "
                            "'y=buffer:f32:items:random(0,1)'"));
  const profile::KernelProfile profile = workplace.profile();
  CHECK(profile.provenance.sourceKind == "cuda");
  CHECK(profile.simulatorErrors == 0);
  CHECK(profile.count("fp_mul"_metric) == 200);
  CHECK(profile.count("bytes_written_global"_metric) == 4 * 101);
  CHECK(profile.count("bytes_written_local"_metric) == 4 * 256);
  // Templates have the names that people give them.
  workplace.kernel({"scale.cu", "--kernel", "fill<int>", "--global", "32", "--local", "32", "--arg",
                    "out=zeros"});
  CHECK(workplace.profile().provenance.kernel == "fill<int>");
  CHECK_THAT(workplace.refusal({"scale.cu", "--kernel", "fill<long>", "--global", "32"}),
             Contains("has no kernel 'fill<long>': expected --kernel"));
}

TEST_CASE("files that are damaged, or not what their name says: one line") {
  Workplace workplace;
  workplace.write("empty.cl", "");
  workplace.write("text.bc", "not bitcode at all");
  workplace.write("short.bc", "BC\xC0\xDE");
  workplace.write("bad.ll", "define void @k( {");
  workplace.write("bad.spv", "no SPIR-V");
  workplace.write("untyped.ll", "target triple = \"spir64-unknown-unknown\"\n"
                                "define spir_kernel void @k(i32 addrspace(1)* %n) {\n"
                                "  store i32 7, i32 addrspace(1)* %n\n  ret void\n}\n");
  workplace.write("newer.spv",
                  std::string("\x03\x02\x23\x07\x00\x06\x01\x00", 8) + std::string(12, '\0'));
  workplace.write("wrong.cl", "kernel void k(global int *x) {\n  x[0] = y;\n}\n");
  workplace.write("none.cl", "void f() {}\n");
  const auto refusal = [&](const std::string &file) {
    return workplace.refusal({file, "--global", "64", "--arg", "auto"});
  };
  CHECK_THAT(refusal("empty.cl"), Contains("empty.cl: is empty"));
  CHECK_THAT(refusal("text.bc"), Contains("text.bc: is no LLVM bitcode"));
  CHECK_THAT(refusal("short.bc"), Contains("short.bc: the simulator does not read it"));
  CHECK_THAT(refusal("none.cl"), Contains("none.cl: has no kernel"));
  CHECK_THAT(refusal("bad.spv"), Contains("bad.spv: is no SPIR-V: it is no whole number"));
  if (have("llvm-as-14")) {
    CHECK_THAT(refusal("bad.ll"), Contains("bad.ll: llvm-as-14 does not read it: "));
    CHECK_THAT(refusal("untyped.ll"), Contains("untyped.ll: argument 0 of k: the program does not "
                                               "tell the types of its arguments"));
  }
  if (!have("llvm-spirv-14"))
    return;
  CHECK_THAT(refusal("newer.spv"), Contains("newer.spv: cannot be built: "));
}

TEST_CASE("damaged bitcode ends no process by a signal, even if LLVM crashes on it") {
  if (!have("clang-14"))
    return;
  Workplace workplace;
  compile(workplace, "saxpy.cl", {"-Oz", "-c", "-o", "saxpy.bc"});
  const std::string whole = readFile(workplace / "saxpy.bc", "the bitcode");
  int crashes = 0;
  // Bits of the abbreviations and of the first records.
  for (size_t at = 72; at < 400; at += 11) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x3c);
    workplace.write("damaged.bc", damaged);
    const Outcome outcome = workplace.aiwc(
        {"kernel", "damaged.bc", "--global", "64", "--arg", "auto", "--output", "run"});
    INFO("byte " << at << ": " << outcome.err);
    CHECK(outcome.signal == 0);
    const bool isCrash = outcome.err.find("the simulator crashed on it") != std::string::npos;
    if (isCrash) {
      CHECK(outcome.status == 2);
      CHECK(!fs::exists(workplace / "run"));
    }
    crashes += isCrash;
    fs::remove_all(workplace / "run");
  }
  CHECK(crashes > 0);
}

TEST_CASE("where the compiler finds an error, one line has its place; warnings are not said") {
  Workplace workplace;
  workplace.write("wrong.cl", "kernel void k(global int *x) {\n  x[0] = y;\n  x[1] = z;\n}\n");
  CHECK(
      workplace.refusal({"wrong.cl", "--global", "64"}) ==
      "aiwc kernel: wrong.cl: cannot be built: wrong.cl:2:10: error: use of undeclared identifier "
      "'y'\n");
  workplace.write("warned.cl", "kernel void k(global int *x) {\n  int *p = 5;\n  x[0] = 1;\n}\n");
  CHECK(workplace.kernel({"warned.cl", "--quiet", "--global", "64", "--arg", "x=zeros"}).empty());
  CHECK(workplace.profile().provenance.buildOptions.empty());
  if (!have("clang-14"))
    return;
  workplace.write("wrong.cu", "__global__ void k(int *x) {\n  x[0] = y;\n}\n");
  CHECK(
      workplace.refusal({"wrong.cu", "--global", "64"}) ==
      "aiwc kernel: wrong.cu: cannot be built: wrong.cu:2:10: error: use of undeclared identifier "
      "'y'\n");
}

TEST_CASE(
    "a program sees no extensions but those that the device has, and what its options define") {
  Workplace workplace;
  std::string program;
  for (const char *missing :
       {"cl_amd_media_ops", "cl_amd_media_ops2", "cl_intel_subgroups", "cl_ext_float_atomics",
        "cl_khr_depth_images", "cl_arm_integer_dot_product_int8", "cl_khr_mipmap_image"})
    program += std::string("#ifdef ") + missing + "\n#error " + missing + "\n#endif\n";
  for (const char *has : {"cl_khr_fp64", "cl_khr_byte_addressable_store", "GIVEN"})
    program += std::string("#ifndef ") + has + "\n#error no " + has + "\n#endif\n";
  workplace.write("k.cl", program + "kernel void k(global int *x) { x[0] = 1; }\n");
  for (const std::string version : {"1.1", "1.2", "2.0", "3.0"}) {
    workplace.kernel({"k.cl", "--build-options", "-cl-std=CL" + version + " -DGIVEN=1", "--global",
                      "1", "--arg", "0=zeros"});
    const Outcome outcome =
        workplace.aiwc({"kernel", "k.cl", "--build-options",
                        "-cl-std=CL" + version + " -DGIVEN -Dcl_intel_subgroups=1", "--global", "1",
                        "--arg", "0=zeros", "--output", "other"});
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains("error: cl_intel_subgroups"));
  }
}

TEST_CASE("a program that needs a later OpenCL C: the message has the option") {
  Workplace workplace;
  workplace.write("sum.cl", "kernel void sum(global int *x) {\n"
                            "  x[get_group_id(0)] = work_group_reduce_add(x[get_global_id(0)]);\n"
                            "}\n");
  const Words words = {"sum.cl", "--global", "64", "--arg", "x=zeros"};
  CHECK_THAT(workplace.refusal(words),
             Contains("aiwc kernel: sum.cl: cannot be built: sum.cl:2:24: error: ") &&
                 Contains(": expected --build-options '-cl-std=CL2.0'"));
  Words with = words;
  with.insert(with.end(), {"--build-options", "-cl-std=CL2.0"});
  workplace.kernel(with);
}
