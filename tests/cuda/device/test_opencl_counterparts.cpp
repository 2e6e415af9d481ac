// A kernel that is the same in CUDA and in OpenCL C executes the same instructions: each opcode as
// often. Helper functions are an exception: CUDA's become part of the kernel, while Oclgrind's
// compiler keeps some as calls.

#include "cuda/device/device_code.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

namespace {

using Opcodes = std::map<std::string, uint64_t>;

/// `body` with the parameters as OpenCL C has them.
Opcodes inOpenCl(const std::string &kernel, const Words &words) {
  return runKernel(kernel, words).profile.histograms.opcodes;
}

Opcodes inCuda(const std::string &kernel, const Words &words) {
  return runDevice(kernel, words).profile.histograms.opcodes;
}

} // namespace

TEST_CASE("A loop over global memory") {
  const std::string body = R"(
      int i = GLOBAL_ID;
      float sum = 0;
      for (int j = 0; j < n; ++j)
        sum += x[j] * x[i];
      y[i] = sum / n;
    })";
  const Opcodes cuda =
      inCuda("#define GLOBAL_ID _Z13get_global_idj(0)\n"
             "__global__ void k(int n, const float *x, float *y) {" +
                 body,
             {"k", "2", "4", "0", "i:8", "F:1,2,3,4,5,6,7,8", "F:0,0,0,0,0,0,0,0"});
  const Opcodes openCl = inOpenCl("#define GLOBAL_ID get_global_id(0)\n"
                                  "kernel void k(int n, global const float *x, global float *y) {" +
                                      body,
                                  {"global=8", "local=4", "int=8", "buffer=32", "buffer=32"});
  CHECK(cuda == openCl);
}

TEST_CASE("Static and dynamic shared memory and barriers") {
  const std::string body = R"(
      size_t i = LOCAL_ID;
      tile[i][0] = x[GLOBAL_ID];
      tile[i][1] = 2 * x[GLOBAL_ID];
      whole[i] = x[i];
      BARRIER;
      for (int stride = 2; stride > 0; stride /= 2) {
        if (i < stride)
          whole[i] += whole[i + stride];
        BARRIER;
      }
      x[GLOBAL_ID] = tile[3 - i][1] + whole[0];
    })";
  const Opcodes cuda = inCuda("#define GLOBAL_ID _Z13get_global_idj(0)\n"
                              "#define LOCAL_ID _Z12get_local_idj(0)\n"
                              "#define BARRIER _Z7barrierj(1)\n"
                              "extern __shared__ float whole[];\n"
                              "__global__ void k(float *x) { __shared__ float tile[4][3];" +
                                  body,
                              {"k", "2", "4", "16", "F:0,0,0,0,0,0,0,0"});
  const Opcodes openCl = inOpenCl("#define GLOBAL_ID get_global_id(0)\n"
                                  "#define LOCAL_ID get_local_id(0)\n"
                                  "#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)\n"
                                  "kernel void k(global float *x, local float *whole) {"
                                  "local float tile[4][3];" +
                                      body,
                                  {"global=8", "local=4", "buffer=32", "scratch=16"});
  CHECK(cuda == openCl);
}

TEST_CASE("Conversions to integers, which saturate in CUDA, are one instruction each") {
  const std::string body = R"(
      int i = GLOBAL_ID;
      y[i] = (int)x[i] + (unsigned)(2 * x[i]) + (long)(3.0 * x[i]);
    })";
  const Opcodes cuda = inCuda("#define GLOBAL_ID _Z13get_global_idj(0)\n"
                              "__global__ void k(const float *x, long *y) {" +
                                  body,
                              {"k", "1", "4", "0", "F:1,2,3,4", "I:0,0,0,0,0,0,0,0"});
  const Opcodes openCl = inOpenCl("#define GLOBAL_ID get_global_id(0)\n"
                                  "kernel void k(global const float *x, global long *y) {" +
                                      body,
                                  {"global=4", "local=4", "buffer=16", "buffer=32"});
  CHECK(cuda == openCl);
  CHECK(cuda.at("fptosi") == 8);
  CHECK(cuda.at("fptoui") == 4);
}

TEST_CASE("Constants, atomic operations and structures as arguments") {
  const std::string body = R"(
      int i = GLOBAL_ID;
      ADD(&count[x[i] & 3], pair.b * table[i & 3]);
    })";
  const Opcodes cuda = inCuda("#define GLOBAL_ID _Z13get_global_idj(0)\n"
                              "#define ADD __sync_fetch_and_add\n"
                              "struct Pair { int a, b; };\n"
                              "__constant__ int table[4] = {1, 2, 3, 4};\n"
                              "__global__ void k(Pair pair, const int *x, int *count) {" +
                                  body,
                              {"k", "1", "4", "0", "s:0,0", "I:0,0,0,0", "I:0,0,0,0"});
  const Opcodes openCl = inOpenCl("#define GLOBAL_ID get_global_id(0)\n"
                                  "#define ADD atomic_add\n"
                                  "struct Pair { int a, b; };\n"
                                  "constant int table[4] = {1, 2, 3, 4};\n"
                                  "kernel void k(struct Pair pair, global const int *x, "
                                  "global int *count) {" +
                                      body,
                                  {"global=4", "local=4", "struct=8", "buffer=16", "buffer=16"});
  CHECK(cuda == openCl);
}
