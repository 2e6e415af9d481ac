// Functions of warps exchange values between 32 threads of a block, whichever way these came.

#include "cuda/device/device_code.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

namespace {

const std::string kPrimitives = R"(
  extern "C" {
  __device__ __attribute__((convergent)) int __aiwc_shuffle32(int, int, unsigned);
  __device__ __attribute__((convergent)) unsigned __aiwc_ballot(int, unsigned);
  __device__ __attribute__((convergent)) void __aiwc_warp_barrier(unsigned);
  }
  __device__ int warpSum(int v) {
    for (int d = 16; d > 0; d /= 2) {
      int lane = local() % 32;
      v += __aiwc_shuffle32(v, lane + d < 32 ? lane + d : lane, 0xffffffff);
    }
    return v;
  }
)";

/// "1,2,...,n"
std::string upTo(int n) {
  std::string text = "1";
  for (int i = 2; i <= n; ++i)
    text += "," + std::to_string(i);
  return text;
}

std::string zeros(int n) {
  std::string text = "0";
  for (int i = 1; i < n; ++i)
    text += ",0";
  return text;
}

} // namespace

TEST_CASE("A sum by shuffles over each warp") {
  const DeviceRun run = runDevice(kPrimitives + R"(
    __global__ void warps(int *in, int *out) {
      int v = warpSum(in[item()]);
      if (local() % 32 == 0)
        out[item() / 32] = v;
    })",
                                  {"warps", "2", "64", "0", "I:" + upTo(128), "I:0,0,0,0"});
  CHECK(run.lines[1] == "528 1552 2576 3600"); // 32 * 33 / 2, and 32 * 32 more each
}

TEST_CASE("A sum over a block, whose last step only the first warp takes") {
  const DeviceRun run = runDevice(kPrimitives + R"(
    __global__ void block(int *in, int *out) {
      __shared__ int sums[32];
      int v = warpSum(in[item()]), lane = local() % 32, warp = local() / 32;
      if (lane == 0)
        sums[warp] = v;
      wait();
      v = local() < 2 ? sums[lane] : 0;
      if (warp == 0)
        v = warpSum(v);
      if (local() == 0)
        out[item() / 64] = v;
    })",
                                  {"block", "2", "64", "0", "I:" + upTo(128), "I:0,0"});
  CHECK(run.lines[1] == "2080 6176"); // 64 * 65 / 2, and 64 * 64 more
}

TEST_CASE("Threads that returned, and both sides of a condition") {
  // Lanes 0 to 7 come by. Lanes 2 to 7 have more than 2: their bits make 252.
  const DeviceRun run =
      runDevice(kPrimitives + R"(
    __global__ void sides(int *in, int *out, int n) {
      if (item() >= n)
        return;
      int v = in[item()];
      unsigned more = __aiwc_ballot(v > 2, 0);
      if (v > 2) {
        v += __aiwc_shuffle32(v, 5, 0);
        out[item()] = v;
      } else {
        v -= __aiwc_shuffle32(v, 1, 0);
        out[item()] = v + 1000 * (int)(more & 0xff);
      }
    })",
                {"sides", "1", "32", "0", "I:1,2,3,4,5,6,7,8", "I:" + zeros(8), "i:8"});
  CHECK(run.lines[1] == "251999 252000 9 10 11 12 13 14");
}

TEST_CASE("Bits of lanes outside of the mask are 0") {
  const DeviceRun run = runDevice(kPrimitives + R"(
    __global__ void votes(unsigned *out) {
      out[item()] = __aiwc_ballot(item() % 2, item() < 32 ? 0xf0u : 0u);
    })",
                                  {"votes", "1", "33", "0", "I:" + zeros(33)});
  CHECK(run.lines[0].starts_with("160 160 ")); // 0xaa & 0xf0
  CHECK(run.lines[0].ends_with(" 0"));         // lane 0 of the second warp
}

TEST_CASE("Barriers of warps between accesses of shared memory") {
  const DeviceRun run = runDevice(kPrimitives + R"(
    __global__ void tree(int *in, int *out) {
      __shared__ int s[64];
      int t = local();
      s[t] = in[item()] + in[item() + 64];
      wait();
      if (t < 32)
        for (int d = 32; d > 0; d /= 2) {
          int sum = s[t] + s[t + d];
          __aiwc_warp_barrier(0);
          s[t] = sum;
          __aiwc_warp_barrier(0);
        }
      if (t == 0)
        out[0] = s[0];
    })",
                                  {"tree", "1", "64", "0", "I:" + upTo(128), "I:0"});
  CHECK(run.lines[1] == "8256"); // 128 * 129 / 2
}

TEST_CASE("Volatile shared memory of threads that rely on executing together") {
  const DeviceRun run = runDevice(R"(
    __global__ void old(int *in, int *out) {
      __shared__ int s[64];
      int t = local();
      s[t] = in[item()];
      wait();
      if (t < 32) {
        volatile int *v = s;
        v[t] += v[t + 32];
        v[t] += v[t + 16];
        v[t] += v[t + 8];
        v[t] += v[t + 4];
        v[t] += v[t + 2];
        v[t] += v[t + 1];
      }
      if (t == 0)
        out[0] = s[0];
    })",
                                  {"old", "1", "64", "0", "I:" + upTo(64), "I:0"});
  CHECK(run.lines[1] == "2080");
}

TEST_CASE("Volatile stores in loops that differ between threads stay what they are") {
  const DeviceRun run = runDevice(R"(
    __global__ void loops(int *out) {
      volatile __shared__ int x[4];
      for (int i = 0; i < local(); ++i)
        x[local()] = i + 1;
      out[item()] = local() ? x[local()] : 0;
    })",
                                  {"loops", "1", "4", "0", "I:0,0,0,0"});
  CHECK(run.lines[0] == "0 1 2 3");
}

TEST_CASE("A function of warps in a loop that differs between threads is refused") {
  const Outcome outcome = DeviceCode(kPrimitives + "__global__ void k(int *in, int *out) {\n"
                                                   "  for (int i = local(); i < 50; i += 32)\n"
                                                   "    out[i] = __aiwc_shuffle32(in[i], 0, 0);\n"
                                                   "}\n")
                              .lower();
  CHECK(outcome.status == 1);
  CHECK(outcome.err ==
        "code.cu:16: error: kernel 'k' uses a function of warps in a loop whose length "
        "depends on the thread, which the simulator has not\n");
}
