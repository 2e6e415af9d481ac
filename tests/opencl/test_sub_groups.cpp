// Functions of sub-groups: rows of 32 work-items, or as many as the device prefers, the last of
// which may be shorter.

#include "opencl/program.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>

using namespace aiwc::test;

namespace {

/// 40 work-items in a group: sub-groups of 32 and 8.
Launch uneven() {
  Launch launch;
  launch.global = "80 1 1";
  launch.local = "40 1 1";
  return launch;
}

int sizeAt(int l) {
  return l < 32 ? 32 : 8;
}
int laneAt(int l) {
  return l % 32;
}

} // namespace

TEST_CASE("work-items know their sub-group") {
  const std::string source = R"(
    kernel void k(global int *out) {
      out[get_global_id(0)] = get_sub_group_local_id() + 100 * get_sub_group_size() +
        10000 * get_sub_group_id() + 100000 * get_num_sub_groups() + 1000000 * get_max_sub_group_size();
    })";
  CHECK(resultOfAll(source, uneven()) == listOf(80, [](int g) {
          const int l = g % 40;
          return laneAt(l) + 100 * sizeAt(l) + 10000 * (l / 32) + 100000 * 2 + 1000000 * 32;
        }));
}

TEST_CASE("reductions and scans of a sub-group are those of its values") {
  const std::string source = R"(
    kernel void k(global int *out, global int *more) {
      const int g = get_global_id(0), n = get_global_size(0), x = (g * 7) % 13 - 6;
      out[g] = sub_group_reduce_add(x);
      more[g] = sub_group_reduce_min(x) + 100 * sub_group_reduce_max(x);
      more[n + g] = sub_group_scan_inclusive_add(x);
      more[2 * n + g] = sub_group_scan_exclusive_add((long)x);
      more[3 * n + g] = sub_group_scan_inclusive_max((float)x);
    })";
  Launch launch = uneven();
  launch.arguments = "<size=1280 int fill=0 dump>\n";
  const auto x = [](int g) { return (g * 7) % 13 - 6; };
  const auto valuesAt = [&](int g) {
    const int l = g % 40;
    return listOf(sizeAt(l), [&](int i) { return x(g - laneAt(l) + i); });
  };
  CHECK(resultOfAll(source, launch) == listOf(80, [&](int g) {
          const std::vector<int> values = valuesAt(g);
          return std::accumulate(values.begin(), values.end(), 0);
        }));
  const std::vector<double> more = dumpedBuffer(runProgram(source, launch, true), "more");
  REQUIRE(more.size() == 320);
  for (int g = 0; g < 80; ++g) {
    const std::vector<int> values = valuesAt(g);
    const auto upTo = values.begin() + laneAt(g % 40) + 1;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    CHECK(more[static_cast<size_t>(g)] == *least + 100 * *most);
    CHECK(more[static_cast<size_t>(80 + g)] == std::accumulate(values.begin(), upTo, 0));
    CHECK(more[static_cast<size_t>(160 + g)] == std::accumulate(values.begin(), upTo - 1, 0));
    CHECK(more[static_cast<size_t>(240 + g)] == *std::max_element(values.begin(), upTo));
  }
}

TEST_CASE("values go from lane to lane") {
  const std::string source = R"(
    kernel void k(global int *out) {
      const int g = get_global_id(0);
      const uint lane = get_sub_group_local_id(), size = get_sub_group_size();
      out[g] = sub_group_broadcast(g, 3) + 100 * sub_group_shuffle_xor(g, 1) +
               10000 * sub_group_shuffle(g, size - 1 - lane);
    })";
  CHECK(resultOfAll(source, uneven()) == listOf(80, [](int g) {
          const int l = g % 40, first = g - laneAt(l);
          return first + 3 + 100 * (g ^ 1) + 10000 * (first + sizeAt(l) - 1 - laneAt(l));
        }));
}

TEST_CASE("values rotate in a sub-group, and in each cluster of it") {
  const std::string source = R"(
    #ifndef cl_khr_subgroup_rotate // programs that have it for other devices
    int sub_group_rotate(int value, uint by) { return -1; }
    #endif
    kernel void k(global int *out) {
      const int g = get_global_id(0);
      out[g] = sub_group_rotate(g, 3) + 1000 * sub_group_clustered_rotate(g, 5, 8);
    })";
  Launch launch;
  launch.global = launch.local = "64 1 1";
  for (const std::string version : {"CL2.0", "CL3.0"}) {
    launch.options = "-cl-std=" + version;
    CHECK(resultOf(source, launch) == listOf(64, [](int g) {
            return g / 32 * 32 + (g + 3) % 32 + 1000 * (g / 8 * 8 + (g + 5) % 8);
          }));
  }
}

TEST_CASE("values of 8 and 16 bits go from lane to lane, with their signs") {
  const std::string source = R"(
    kernel void k(global int *out, global int *more) {
      const int g = get_global_id(0), n = get_global_size(0);
      const uint lane = get_sub_group_local_id(), size = get_sub_group_size();
      const char a = (char)(37 * g - 100);
      const uchar b = (uchar)(53 * g);
      const short c = (short)(1111 * g - 30000);
      const ushort d = (ushort)(2222 * g);
      out[g] = sub_group_shuffle_xor(a, 1);
      more[g] = sub_group_shuffle(b, size - 1 - lane);
      const short up = sub_group_shuffle_up(c, 1);
      more[n + g] = lane > 0 ? up : 0;
      const ushort down = sub_group_shuffle_down(d, 2);
      more[2 * n + g] = lane + 2 < size ? down : 0;
      more[3 * n + g] = sub_group_shuffle(c, 5) + sub_group_shuffle(a, 0);
    })";
  Launch launch = uneven();
  launch.arguments = "<size=1280 int fill=0 dump>\n";
  CHECK(resultOfAll(source, launch) ==
        listOf(80, [](int g) { return static_cast<int8_t>(37 * (g ^ 1) - 100); }));
  const std::vector<double> more = dumpedBuffer(runProgram(source, launch, true), "more");
  REQUIRE(more.size() == 320);
  for (int g = 0; g < 80; ++g) {
    const int lane = laneAt(g % 40), size = sizeAt(g % 40), first = g - lane;
    CAPTURE(g);
    CHECK(more[static_cast<size_t>(g)] == static_cast<uint8_t>(53 * (first + size - 1 - lane)));
    CHECK(more[static_cast<size_t>(80 + g)] ==
          (lane > 0 ? static_cast<int16_t>(1111 * (g - 1) - 30000) : 0));
    CHECK(more[static_cast<size_t>(160 + g)] ==
          (lane + 2 < size ? static_cast<uint16_t>(2222 * (g + 2)) : 0));
    CHECK(more[static_cast<size_t>(240 + g)] ==
          static_cast<int16_t>(1111 * (first + 5) - 30000) + static_cast<int8_t>(37 * first - 100));
  }
}

TEST_CASE("halves are added and moved, each sum rounded to 16 bits") {
  const std::string source = R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global int *out, global int *more) {
      const int g = get_global_id(0), n = get_global_size(0);
      const half x = (half)(g % 40) / 2;
      out[g] = (int)(2 * sub_group_scan_inclusive_add(x));
      more[g] = (int)(2 * sub_group_shuffle_xor(x, 1));
      more[n + g] = (int)(2 * sub_group_reduce_max(x));
      more[2 * n + g] = (int)sub_group_reduce_add((half)(g % 40 == 0 ? 2048 : 1));
      more[3 * n + g] = (int)(2 * work_group_reduce_min(x + 1));
    })";
  Launch launch = uneven();
  launch.arguments = "<size=1280 int fill=0 dump>\n";
  CHECK(resultOfAll(source, launch) == listOf(80, [](int g) {
          const int l = g % 40, first = l - laneAt(l);
          return (first + l) * (l - first + 1) / 2;
        }));
  const std::vector<double> more = dumpedBuffer(runProgram(source, launch, true), "more");
  REQUIRE(more.size() == 320);
  for (int g = 0; g < 80; ++g) {
    const int l = g % 40;
    CAPTURE(g);
    CHECK(more[static_cast<size_t>(g)] == (l ^ 1));
    CHECK(more[static_cast<size_t>(80 + g)] == (l < 32 ? 31 : 39));
    // Halves have 11 bits: 2048 + 2 + ... is exact in pairs of ones, and 2048 + 1 is 2048.
    CHECK(more[static_cast<size_t>(160 + g)] == (l < 32 ? 2078 : 8));
    CHECK(more[static_cast<size_t>(240 + g)] == 2);
  }
}

TEST_CASE("all, any and ballot ask the sub-group") {
  const std::string source = R"(
    kernel void k(global int *out) {
      const int l = get_local_id(0);
      out[get_global_id(0)] = (sub_group_any(l == 35) ? 1 : 0) + (sub_group_all(l < 32) ? 2 : 0);
    })";
  CHECK(resultOfAll(source, uneven()) == listOf(80, [](int g) { return g % 40 < 32 ? 2 : 1; }));
}

TEST_CASE("one sub-group alone may call them") {
  const std::string source = R"(
    kernel void k(global int *out) {
      const int g = get_global_id(0);
      int sum = -1;
      if (get_sub_group_id() == 1) {
        out[g] = 5;
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        sum = sub_group_reduce_add(out[g] + (int)get_sub_group_local_id());
      }
      out[g] = sum;
    })";
  CHECK(resultOfAll(source, uneven()) ==
        listOf(80, [](int g) { return g % 40 < 32 ? -1 : 8 * 5 + 28; }));
}

TEST_CASE("sub-groups meet in loops whose length follows from their size") {
  const std::string source = R"(
    kernel void k(global int *out) {
      local int sums[64];
      const uint l = get_local_id(0), size = get_sub_group_size(), sub = get_sub_group_id();
      sums[l] = get_global_id(0);
      for (int count = get_local_size(0); count > 1; count /= size) {
        int sum = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (sub * size < count)
          sum = sub_group_reduce_add(l < count ? sums[l] : 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (sub * size < count)
          sums[sub] = sum;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = sums[0];
    })";
  Launch launch;
  launch.global = "128 1 1";
  launch.local = "64 1 1";
  CHECK(resultOfAll(source, launch) ==
        listOf(128, [](int g) { return g < 64 ? 63 * 64 / 2 : 64 * 64 + 63 * 64 / 2; }));
  // Where the size of a group is fixed, so is that of its sub-groups.
  const std::string fixed = "kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(" +
                            source.substr(source.find("global int *out"));
  CHECK(resultOfAll(fixed, launch) == resultOf(source, launch));
}

TEST_CASE("work-items of a sub-group vote in a loop that each of them leaves by itself") {
  // Work-item i takes part in i rounds; round r has those left that are behind lane r.
  const std::string source = R"(
    kernel void k(global int *out) {
      int sum = 0;
      for (uint i = 0; i < get_sub_group_local_id(); ++i)
        sum += popcount(sub_group_ballot(1).x);
      out[get_global_id(0)] = sum;
    })";
  CHECK(resultOfAll(source, uneven()) == listOf(80, [](int g) {
          const int lane = laneAt(g % 40), size = sizeAt(g % 40);
          int sum = 0;
          for (int round = 0; round < lane; ++round)
            sum += size - 1 - round;
          return sum;
        }));
}

TEST_CASE("a sub-group has as many work-items as the device prefers") {
  const std::string source = R"(
    kernel void k(global int *out) {
      out[get_global_id(0)] = sub_group_reduce_add(1) + 1000 * get_max_sub_group_size();
    })";
  Launch launch;
  launch.global = "128 1 1";
  launch.local = "128 1 1";
  for (const int size : {8, 16, 64, 128}) {
    launch.environment = {{"AIWC_DEVICE", "type=4 multiple=" + std::to_string(size)}};
    CHECK(resultOf(source, launch) == std::vector<int>(128, 1001 * size));
  }
  launch.environment = {{"AIWC_DEVICE", "type=2 multiple=1"}}; // a CPU
  CHECK(resultOf(source, launch) == std::vector<int>(128, 1001 * 32));
}
