// Functions of warps exchange values between 32 threads of a block, whichever way these came.

#include "cuda/device/device_code.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::test;

namespace {

const std::string kPrimitives = R"(
  extern "C" __device__ __attribute__((convergent, nomerge)) unsigned __aiwc_meet(
      unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned);
  __device__ int shuffle(int value, int lane, unsigned mask) {
    return __aiwc_meet(3, value, lane, 32, mask, 32, 0);
  }
  __device__ unsigned ballot(int predicate, unsigned mask) {
    return __aiwc_meet(1, predicate, 0, 0, mask, 32, 0);
  }
  __device__ void meet(unsigned mask) { __aiwc_meet(0, 0, 0, 0, mask, 32, 0); }
  __device__ int warpSum(int v) {
    for (int d = 16; d > 0; d /= 2) {
      int lane = local() % 32;
      v += shuffle(v, lane + d < 32 ? lane + d : lane, 0xffffffff);
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
      unsigned more = ballot(v > 2, 0);
      if (v > 2) {
        v += shuffle(v, 5, 0);
        out[item()] = v;
      } else {
        v -= shuffle(v, 1, 0);
        out[item()] = v + 1000 * (int)(more & 0xff);
      }
    })",
                {"sides", "1", "32", "0", "I:1,2,3,4,5,6,7,8", "I:" + zeros(8), "i:8"});
  CHECK(run.lines[1] == "251999 252000 9 10 11 12 13 14");
}

TEST_CASE("Bits of lanes outside of the mask are 0") {
  const DeviceRun run = runDevice(kPrimitives + R"(
    __global__ void votes(unsigned *out) {
      out[item()] = ballot(item() % 2, item() < 32 ? 0xf0u : 0u);
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
          meet(0);
          s[t] = sum;
          meet(0);
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

TEST_CASE("Lanes meet in loops that each of them leaves by itself") {
  // In the first round of `rows` lane 0 passes in[0] to all, in the second one in[32] to the 18
  // lanes that are left. Lane i of `turns` takes part in i rounds, round r of which 31 - r lanes
  // make; behind the loop all lanes meet.
  const DeviceRun rows = runDevice(kPrimitives + R"(
    __global__ void rows(int *in, int *out) {
      for (int i = local(); i < 50; i += 32)
        out[i] = shuffle(in[i], 0, 0);
    })",
                                   {"rows", "1", "32", "0", "I:" + upTo(50), "I:" + zeros(50)});
  std::string expected;
  for (int i = 0; i < 50; ++i)
    expected += (i > 0 ? " " : "") + std::string(i < 32 ? "1" : "33");
  CHECK(rows.lines[1] == expected);

  const DeviceRun turns = runDevice(kPrimitives + R"(
    __global__ void turns(int *out) {
      int sum = 0;
      for (int i = 0; i < local(); ++i)
        sum += __builtin_popcount(ballot(1, 0));
      out[item()] = sum + 1000 * (int)(ballot(1, 0) == 0xffffffffu);
    })",
                                    {"turns", "2", "32", "0", "I:" + zeros(64)});
  expected.clear();
  for (int g = 0; g < 64; ++g) {
    int sum = 1000;
    for (int r = 0; r < g % 32; ++r)
      sum += 31 - r;
    expected += (g > 0 ? " " : "") + std::to_string(sum);
  }
  CHECK(turns.lines[0] == expected);
}

TEST_CASE("Lanes named by a mask exchange while others are on another way") {
  // Odd lanes add up among themselves, in as many rounds as half of the warp has; even lanes wait
  // for the whole warp.
  const DeviceRun run = runDevice(kPrimitives + R"(
    __global__ void ways(int *out) {
      int lane = local() % 32, sum = 0;
      switch (lane % 4) {
      case 1:
      case 3:
        for (int other = 1; other < 32; other += 2)
          sum += shuffle(lane, other, 0xaaaaaaaau);
        break;
      case 2:
        return;
      default:
        sum = shuffle(lane, (lane + 4) % 32, 0x11111111u);
      }
      out[item()] = sum + 1000 * __builtin_popcount(ballot(1, 0xffffffffu));
    })",
                                  {"ways", "1", "64", "0", "I:" + zeros(64)});
  std::string expected;
  for (int g = 0; g < 64; ++g) {
    const int lane = g % 32;
    const int value = lane % 2 == 1 ? 256 : lane % 4 == 0 ? (lane + 4) % 32 : -24000;
    expected += (g > 0 ? " " : "") + std::to_string(value + 24000);
  }
  CHECK(run.lines[0] == expected);
}

TEST_CASE("A warp meets while others wait at a barrier of the block, or have returned") {
  const DeviceRun run = runDevice(kPrimitives + R"(
    __global__ void apart(int *out) {
      __shared__ int sum;
      if (local() >= 96)
        return;
      if (local() < 32) {
        int total = warpSum(local());
        if (local() == 0)
          sum = total;
      }
      wait();
      out[item()] = sum + shuffle(local(), 31, 0xffffffffu);
    })",
                                  {"apart", "1", "128", "0", "I:" + zeros(128)});
  CHECK(run.lines[0].starts_with("527 ")); // 31 * 32 / 2 + 31
  CHECK(run.lines[0].ends_with(" 0"));
}

TEST_CASE("A shuffle is one instruction, and neither an access of memory nor a barrier") {
  const auto profileOf = [](const std::string &step) {
    return runDevice(kPrimitives +
                         "__global__ void k(int *in, int *out) {\n  int v = in[item()];\n" + step +
                         step + step + "  out[item()] = v;\n}\n",
                     {"k", "2", "64", "0", "I:" + upTo(128), "I:" + zeros(128)})
        .profile;
  };
  const profile::KernelProfile with = profileOf("  v += shuffle(v, 3, 0xffffffffu);\n");
  const profile::KernelProfile without = profileOf("  v += v * v;\n"); // a product for each shuffle
  CHECK(with.count("total_instruction_count"_metric) ==
        without.count("total_instruction_count"_metric));
  CHECK(with.count("bytes_read_global"_metric) == 128 * 4);
  CHECK(with.count("bytes_read_local"_metric) == 0);
  CHECK(with.count("bytes_written_local"_metric) == 0);
  CHECK(with.count("barriers_hit"_metric) == 0);
  CHECK(without.count("barriers_hit"_metric) == 0);
}

TEST_CASE("A group with misaligned stores after warps have met is interpreted from the begin") {
  const DeviceRun run =
      runDevice(kPrimitives + R"(
    __global__ void late(int *in, int *out) {
      int v = shuffle(warpSum(in[item()]), 0, 0xffffffffu);
      *(int *)((char *)out + 4 * item() + (item() < 96 ? 0 : 2)) = v;
      v = warpSum(v);
      if (item() < 32)
        out[item()] += v;
    })",
                {"late", "4", "32", "0", "I:" + upTo(128), "I:" + zeros(128)}, true);
  CHECK(run.lines[1].starts_with("17424 ")); // 528 + 32 * 528
}
