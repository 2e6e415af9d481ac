// Functions become part of the kernels, and builtins get the pointers that they have in OpenCL.

#include "cuda/device/device_code.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("Functions that are passed to others are called directly") {
  const DeviceRun run = runDevice(R"(
    template <class F> __device__ int apply(F f, int x) { return f(x); }
    __device__ int twice(int x) { return 2 * x; }
    __global__ void functions(int *out) {
      int n = 3;
      out[0] = apply(twice, out[0]) + apply([&](int y) { return y + n; }, out[1]);
    })",
                                  {"functions", "1", "1", "0", "I:5,6"});
  CHECK(run.lines[0] == "19 6");
}

TEST_CASE("printf prints literals, and returns the number of its arguments") {
  const DeviceRun run = runDevice(R"(
    __global__ void print(int *out) {
      out[item()] = printf("item %d of %s: %.1f\n", item(), "the group", 1.5f);
    })",
                                  {"print", "1", "2", "0", "I:0,0"});
  CHECK(run.lines == Words{"item 0 of the group: 1.5", "item 1 of the group: 1.5", "3 3"});
}

TEST_CASE("A second result is stored where the pointer points") {
  const DeviceRun run = runDevice(R"(
    __global__ void split(float *x, int *out) {
      int mine;
      x[1] = _Z5frexpfPi(x[0], &mine);
      out[1] = mine;
      x[2] = _Z5frexpfPi(x[0], out);
    })",
                                  {"split", "1", "1", "0", "F:-1.5,0,0", "I:0,0"});
  CHECK(run.lines == Words{"-1.5 -0.75 -0.75", "1 1"}); // -1.5 = -0.75 * 2
}

TEST_CASE("Arrays of constants and of a function's own") {
  const DeviceRun run = runDevice(R"(
    __device__ int look(const int *p, int n) {
      int own[3] = {3, 1, 4};
      const int fixed[5] = {1, 2, 3, 4, 5};
      static constexpr int table[] = {7, 8, 9};
      return p[n] + own[n % 3] + 10 * fixed[n % 5] + 100 * table[n % 3];
    }
    __global__ void arrays(int *out) { out[item()] = look(out, item()); })",
                                  {"arrays", "1", "4", "0", "I:0,0,0,0"});
  CHECK(run.lines[0] == "713 821 934 743");
}

TEST_CASE("A switch over the last bits of a number takes the right branch") {
  // LLVM makes a switch over 2 bits of it, and Oclgrind does not clear the other bits.
  const DeviceRun run = runDevice(R"(
    __global__ void branches(int *x, float *y) {
      int i = item();
      switch (x[i] & 3) {
      case 0: y[i] = x[i]; break;
      case 1: y[i] *= 3; break;
      case 2: y[i] = y[i] / x[i]; break;
      case 3: y[i] -= 1; break;
      }
    })",
                                  {"branches", "1", "4", "0", "I:4,5,6,7", "F:6,6,6,6"});
  CHECK(run.lines[1] == "4 18 1 5");
}
