// What the simulator has not is refused in one line that names file, line and kernel.

#include "cuda/device/device_code.h"
#include "device_code/device_code.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

namespace {

std::string refusal(const std::string &source) {
  const Outcome outcome = DeviceCode(source).lower();
  CHECK(outcome.status == 1);
  CHECK(outcome.out == "");
  return outcome.err;
}

std::string uses(int line, const std::string &what) {
  return "code.cu:" + std::to_string(line) + ": error: kernel 'k' uses " + what +
         ", which the simulator has not\n";
}

const std::string kThroughPointer =
    "a call through a pointer (a virtual function or a function pointer)";

} // namespace

TEST_CASE("Recursion") {
  CHECK(refusal("__device__ int f(int n) {\n  return n ? n * f(n - 1) : 1;\n}\n"
                "__global__ void k(int *o) { *o = f(*o); }") ==
        uses(2, "recursion (f calls itself)"));
}

TEST_CASE("Recursion that no kernel reaches does no harm") {
  const DeviceCode code("__device__ int f(int n) { return n ? n * f(n - 1) : 1; }\n"
                        "__global__ void k(int *o) { *o = 3; }");
  CHECK(code.lower().status == 0);
}

TEST_CASE("Other kernels of the file are kept, and the device code says why one is missing") {
  const DeviceCode code("__global__ void good(int *o) { *o = 1; }\n"
                        "__device__ int f(int n) {\n  return n ? n * f(n - 1) : 1;\n}\n"
                        "__global__ void k(int *o) { *o = f(*o); }\n"
                        "__global__ void l(int *o) { asm volatile(\"nop\"); }\n"
                        "__global__ void better(int *o) { *o = 2; }\n");
  const Outcome outcome = code.lower();
  CHECK(outcome.status == 0);
  const std::string recursion = "uses recursion (f calls itself), which the simulator has not";
  const std::string assembly =
      "uses inline assembly with the PTX instruction nop, which the simulator has not";
  CHECK(outcome.err == "code.cu:3: note: kernel 'k' " + recursion +
                           ": its launches fail\ncode.cu:6: note: kernel 'l' " + assembly +
                           ": its launches fail\n");
  const aiwc::cuda::DeviceCode packed = aiwc::cuda::parseDeviceCode(contents(code.packed()));
  REQUIRE(packed.kernels.size() == 2);
  CHECK(packed.kernels[0].function == "good");
  CHECK(packed.kernels[1].function == "better");
  REQUIRE(packed.refused.size() == 2);
  CHECK(packed.refused[0].name == "_Z1kPi");
  CHECK(packed.refused[0].reason == "code.cu:3: error: kernel 'k' " + recursion);
  CHECK(packed.refused[1].reason == "code.cu:6: error: kernel 'l' " + assembly);
  // As if the refused ones were not there.
  const DeviceCode without("__global__ void good(int *o) { *o = 1; }\n\n\n\n\n\n"
                           "__global__ void better(int *o) { *o = 2; }\n");
  const auto lowered = [](const DeviceCode &lowers) {
    std::string text = lowers.lowered();
    const std::string folder = lowers.folder().path();
    for (size_t at = 0; (at = text.find(folder, at)) != std::string::npos;)
      text.erase(at, folder.size());
    return text;
  };
  CHECK(lowered(without) == lowered(code));
}

TEST_CASE("Calls through pointers") {
  CHECK(refusal("__device__ int a(int x) { return x; }\n__device__ int b(int x) { return -x; }\n"
                "__global__ void k(int *o) {\n  int (*f)(int) = *o ? a : b;\n  *o = f(3);\n}") ==
        uses(5, kThroughPointer));
  CHECK(refusal("struct B { __device__ virtual int f(); };\n"
                "__global__ void k(B *b, int *o) {\n  *o = b->f();\n}") ==
        uses(3, kThroughPointer));
}

TEST_CASE("Functions that are not there") {
  CHECK(refusal("__device__ float tex1Dfetch(int, int);\n\n"
                "__device__ float g(int i) {\n  return tex1Dfetch(3, i); }\n"
                "__global__ void k(float *o) { *o = g(4); }") ==
        "code.cu:4: error: kernel 'k' uses the function tex1Dfetch, which is defined nowhere\n");
  CHECK(refusal("extern \"C\" __device__ int __aiwc_unknown(int, int);\n"
                "__global__ void k(int *o) { *o = __aiwc_unknown(*o, 3); }") ==
        uses(2, "the warp function unknown"));
  CHECK(refusal("extern \"C\" __device__ void *malloc(size_t);\n"
                "__global__ void k(int **o) { *o = (int *)malloc(4); }") ==
        uses(2, "dynamic memory (malloc)"));
}

TEST_CASE("A function that is never called may be missing") {
  const DeviceCode code("__device__ int nothing(int *);\n"
                        "__global__ void k(int *o) { if (sizeof *o == 8) *o = nothing(o); }");
  CHECK(code.lower().status == 0);
}

TEST_CASE("Assembly and arrays that the simulator lacks") {
  CHECK(refusal("__global__ void k(int *o) { asm volatile(\"nop\"); *o = 3; }") ==
        uses(1, "inline assembly with the PTX instruction nop"));
  CHECK(refusal("__global__ void k(int *o) { int *p = (int *)__builtin_alloca(*o); "
                "p[o[1]] = 3; o[2] = p[o[3]]; }") ==
        uses(1, "an array of variable length (alloca)"));
}

TEST_CASE("A variable without a definition") {
  CHECK(refusal("extern __device__ int missing;\n__global__ void k(int *o) { *o = missing; }") ==
        "code.cu:2: error: kernel 'k' uses the variable missing, which is defined nowhere\n");
}
