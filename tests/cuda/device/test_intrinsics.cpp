// LLVM's intrinsics, as the LLVM Language Reference defines them.

#include "cuda/device/device_code.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("Intrinsics of integers") {
  const DeviceRun run = runDevice(R"(
    __global__ void integers(unsigned *x) {
      unsigned v = x[0];
      int s = v;
      x[1] = __builtin_popcount(v);
      x[2] = __builtin_clz(v);
      x[3] = __builtin_ctz(v);
      x[4] = __builtin_bswap32(v);
      x[5] = __builtin_bitreverse32(v);
      x[6] = v << 5 | v >> 27;
      x[7] = s < 0 ? -s : s;
      x[8] = v > 30 ? v : 30;
      x[9] = __builtin_add_overflow((int)v, 2147483647, &s);
      x[10] = s;
    })",
                                  {"integers", "1", "1", "0", "I:11,0,0,0,0,0,0,0,0,0,0"});
  CHECK(run.lines[0] == "11 3 28 0 184549376 -805306368 352 11 30 1 -2147483638");
}

TEST_CASE("Intrinsics of real numbers") {
  const DeviceRun run = runDevice(R"(
    __global__ void reals(float *f) {
      f[1] = __builtin_fabsf(f[0]);
      f[2] = __builtin_copysignf(2.0f, f[0]);
      f[3] = __builtin_floorf(f[0]);
      f[4] = __builtin_fminf(f[0], 1.0f);
      f[5] = __builtin_fmaf(f[0], 2.0f, 1.0f);
      f[6] = __builtin_sqrtf(16.0f * f[0] * f[0]);
      f[7] = __builtin_powf(f[0], 2.0f);
      f[8] = __builtin_truncf(f[0]);
      f[9] = __builtin_lrintf(3.0f * f[0]);
    })",
                                  {"reals", "1", "1", "0", "F:-1.5,0,0,0,0,0,0,0,0,0"});
  CHECK(run.lines[0] == "-1.5 1.5 -2 -2 -1.5 -2 6 2.25 -1 -4"); // -4.5 to the even neighbour
}

TEST_CASE("Copies and fills of any length") {
  const DeviceRun run = runDevice(R"(
    __global__ void bytes(int *x) {
      char from[20], to[20];
      for (int i = 0; i < 20; ++i)
        from[i] = x[0] + i;
      __builtin_memcpy(to, from, x[1]);
      __builtin_memmove(to + 1, to, 10);
      __builtin_memset(from, 3, x[2]);
      x[3] = to[5];   // from[4]
      x[4] = from[6]; // set
      x[5] = from[7]; // not set
    })",
                                  {"bytes", "1", "1", "0", "I:11,17,7,0,0,0"});
  CHECK(run.lines[0] == "11 17 7 15 3 18");
}

TEST_CASE("Switches over some bits of a number") {
  const DeviceRun run = runDevice(R"(
    __global__ void switches(int *x, const int *from) {
      int i = 0;
      switch (x[0] & 0x38000) { // LLVM compares the lower 18 bits
      case 0x08000: i = from[0]; break;
      case 0x10000: i = from[1]; break;
      case 0x20000: i = from[2]; break;
      }
      switch (x[0] & 7) {
      case 1: i += from[3]; break;
      case 2: i -= from[3]; break;
      case 3: i *= from[3]; break;
      }
      x[1] = i;
    })",
                                  {"switches", "1", "1", "0", "I:1114115,0", "I:5,7,11,13"});
  CHECK(run.lines[0] == "1114115 91"); // 0x110003: the second, then the third
}
