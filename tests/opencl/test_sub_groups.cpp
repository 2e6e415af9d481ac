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

// Of a sub-group's lanes 0 ... size - 1, those with an odd number and lane 2 (sizes: 32 and 8).
namespace {

bool takesPart(int lane) {
  return lane % 2 == 1 || lane == 2;
}
std::vector<int> lanesThatTakePart(int size) {
  std::vector<int> lanes;
  for (int lane = 0; lane < size; ++lane)
    if (takesPart(lane))
      lanes.push_back(lane);
  return lanes;
}

/// Runs `body`, the values of row[0], row[1], ... row[rows - 1], in those lanes, and compares the
/// values of all others, -1, too. `expected(row, first, lane, size)`: `first` is the global
/// identifier of lane 0 of the sub-group.
template <typename Expected>
void checkInPart(const std::string &body, int rows, Expected expected) {
  const std::string source = R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global int *out, global int *more) {
      const int g = get_global_id(0), lane = get_sub_group_local_id();
      int row[16];
      for (int i = 0; i < 16; ++i)
        row[i] = -1;
      if (lane % 2 == 1 || lane == 2) {
)" + body + R"(
      }
      for (int i = 0; i < 16; ++i)
        more[80 * i + g] = row[i];
    })";
  Launch launch = uneven();
  launch.arguments = "<size=5120 int fill=0 dump>\n";
  CHECK(resultOfAll(source, launch) == std::vector<int>(80, 0));
  const std::vector<double> more = dumpedBuffer(runProgram(source, launch, true), "more");
  REQUIRE(more.size() == 1280);
  for (int row = 0; row < rows; ++row)
    for (int g = 0; g < 80; ++g) {
      const int lane = laneAt(g % 40), size = sizeAt(g % 40);
      CAPTURE(row, g);
      CHECK(more[static_cast<size_t>(80 * row + g)] ==
            (takesPart(lane) ? expected(row, g - lane, lane, size) : -1));
    }
}

} // namespace

TEST_CASE("votes of a part of a sub-group are those of the work-items that come") {
  checkInPart(R"(
        row[0] = sub_group_elect() != 0;
        row[1] = sub_group_non_uniform_any(lane == 3) != 0;
        row[2] = sub_group_non_uniform_any(lane == 4) != 0;
        row[3] = sub_group_non_uniform_all(lane > 0) != 0;
        row[4] = sub_group_non_uniform_all(lane != 7) != 0;
        row[5] = sub_group_non_uniform_all_equal((long)get_sub_group_id() << 40) != 0;
        row[6] = sub_group_non_uniform_all_equal((uchar)(lane == 7)) != 0;
        row[7] = sub_group_non_uniform_all_equal((double)lane * 0) != 0;
        row[8] = sub_group_non_uniform_all_equal((half)lane) != 0;
  )",
              9, [](int row, int, int lane, int) {
                switch (row) {
                case 0:
                  return lane == 1 ? 1 : 0;
                case 1:
                case 3:
                case 5:
                case 7:
                  return 1;
                default:
                  return 0;
                }
              });
}

TEST_CASE("reductions and scans of a part of a sub-group have the values of those that come") {
  checkInPart(R"(
        const int x = (g * 7) % 13 - 6;
        row[0] = sub_group_non_uniform_reduce_add((char)x);
        row[1] = sub_group_non_uniform_scan_inclusive_add((long)x);
        row[2] = sub_group_non_uniform_scan_exclusive_add((half)x);
        row[3] = sub_group_non_uniform_reduce_mul((uint)(x | 1));
        row[4] = sub_group_non_uniform_scan_exclusive_mul(lane < 8 ? (double)(x | 1) : 1.0);
        row[5] = sub_group_non_uniform_scan_inclusive_max((short)x);
        row[6] = min(sub_group_non_uniform_scan_exclusive_min(x), 1000); // INT_MAX in the first
        row[7] = sub_group_non_uniform_reduce_max(-x * 0.5f) * 2;
        row[8] = sub_group_non_uniform_reduce_xor((ushort)(x * x));
        row[9] = sub_group_non_uniform_scan_inclusive_or(1ul << (x + 6));
        row[10] = sub_group_non_uniform_scan_exclusive_and((uchar)~(1 << lane % 8));
        row[11] = sub_group_non_uniform_reduce_logical_and(x + 20) != 0;
        row[12] = sub_group_non_uniform_scan_inclusive_logical_or(lane == 3 ? 4 : 0) != 0;
        row[13] = sub_group_non_uniform_scan_exclusive_logical_xor(2) != 0;
        row[14] = sub_group_non_uniform_scan_exclusive_logical_and(0) != 0;
  )",
              15, [](int row, int first, int lane, int size) {
                const std::vector<int> all = lanesThatTakePart(size);
                const auto x = [first](int at) { return ((first + at) * 7) % 13 - 6; };
                // Folds the values of the lanes that are to be counted, in their order.
                const auto fold = [&](auto start, auto counts, auto operation) {
                  for (const int at : all)
                    if (counts(at))
                      start = operation(start, at);
                  return start;
                };
                const auto each = [](int) { return true; };
                const auto before = [lane](int at) { return at < lane; };
                const auto upTo = [lane](int at) { return at <= lane; };
                const auto add = [&](int sum, int at) { return sum + x(at); };
                const bool isFirst = lane == all.front();
                const int place = fold(0, before, [](int count, int) { return count + 1; });
                switch (row) {
                case 0:
                  return static_cast<int>(static_cast<int8_t>(fold(0, each, add)));
                case 1:
                  return fold(0, upTo, add);
                case 2:
                  return fold(0, before, add);
                case 3:
                  return static_cast<int>(fold(1U, each, [&](unsigned product, int at) {
                    return product * static_cast<unsigned>(x(at) | 1);
                  }));
                case 4:
                  return fold(1, before, [&](int product, int at) {
                    return at < 8 ? product * (x(at) | 1) : product;
                  });
                case 5:
                  return fold(-100, upTo, [&](int most, int at) { return std::max(most, x(at)); });
                case 6:
                  return isFirst ? 1000 : fold(100, before, [&](int least, int at) {
                    return std::min(least, x(at));
                  });
                case 7:
                  return fold(-100, each, [&](int most, int at) { return std::max(most, -x(at)); });
                case 8:
                  return fold(0, each, [&](int bits, int at) { return bits ^ (x(at) * x(at)); });
                case 9:
                  return fold(0, upTo, [&](int bits, int at) { return bits | 1 << (x(at) + 6); });
                case 10:
                  return fold(255, before, [](int bits, int at) { return bits & ~(1 << at % 8); });
                case 11:
                  return 1;
                case 12:
                  return lane >= 3 ? 1 : 0;
                case 13:
                  return place % 2;
                default:
                  return isFirst ? 1 : 0;
                }
              });
}

TEST_CASE("reductions of clusters have the values of those of the cluster that come") {
  checkInPart(R"(
        row[0] = sub_group_clustered_reduce_add(g, 4);
        row[1] = sub_group_clustered_reduce_max((uchar)(40 - lane), 8);
        row[2] = sub_group_clustered_reduce_mul((float)(lane % 4 + 1), 2);
        row[3] = sub_group_clustered_reduce_xor((short)(1 << lane % 8), 8);
        row[4] = sub_group_clustered_reduce_logical_or(lane == 5, 4) != 0;
        row[5] = sub_group_clustered_reduce_min((long)g, 1);
        row[6] = sub_group_clustered_reduce_and(~(1 << lane % 8), 8);
  )",
              7, [](int row, int first, int lane, int size) {
                constexpr int kWidths[] = {4, 8, 2, 8, 4, 1, 8};
                const int begin = lane / kWidths[row] * kWidths[row];
                int sum = 0, product = 1, most = 0, bits = 0;
                for (const int at : lanesThatTakePart(size))
                  if (at >= begin && at < begin + kWidths[row]) {
                    sum += first + at;
                    product *= at % 4 + 1;
                    most = std::max(most, 40 - at);
                    bits ^= 1 << at % 8;
                  }
                switch (row) {
                case 1:
                  return most;
                case 2:
                  return product;
                case 3:
                  return bits;
                case 4:
                  return begin == 4 ? 1 : 0;
                case 6:
                  return ~bits;
                default:
                  return sum;
                }
              });
}

TEST_CASE("a ballot's bits are counted and found, and values come from its first lane") {
  checkInPart(R"(
        const uint4 odd = sub_group_ballot(lane != 2);
        row[0] = odd.x;
        row[1] = sub_group_ballot_bit_count(odd);
        row[2] = sub_group_ballot_inclusive_scan(odd);
        row[3] = sub_group_ballot_exclusive_scan(odd);
        row[4] = sub_group_ballot_find_lsb(odd);
        row[5] = sub_group_ballot_find_msb(odd);
        row[6] = sub_group_inverse_ballot(odd) != 0;
        row[7] = sub_group_ballot_bit_extract(odd, 5) + 2 * sub_group_ballot_bit_extract(odd, 6);
        row[8] = sub_group_broadcast_first((short)g);
        row[9] = sub_group_non_uniform_broadcast((double)g, 3);
        row[10] = popcount(get_sub_group_eq_mask().x) + 100 * popcount(get_sub_group_ge_mask().x);
        row[11] = popcount(get_sub_group_gt_mask().x) + 100 * popcount(get_sub_group_le_mask().x);
        row[12] = popcount(get_sub_group_lt_mask().x);
        const uint4 others = (uint4)(0x80000000u, ~0u, ~0u, ~0u); // lanes that are not there
        row[13] = sub_group_ballot_bit_count(others);
        const half3 three = sub_group_non_uniform_broadcast((half3)(g, 2, lane), 3);
        row[14] = (int)three.x + 100 * (int)three.y + 1000 * (int)three.z;
        const ulong16 many = sub_group_non_uniform_broadcast((ulong16)(g), 1);
        row[15] = many.s0 == many.sf ? (int)many.s7 : -2;
  )",
              16, [](int row, int first, int lane, int size) {
                switch (row) {
                case 0:
                  return size == 8 ? 0xaa : static_cast<int>(0xaaaaaaaaU);
                case 1:
                  return size / 2;
                case 2:
                  return (lane + 1) / 2;
                case 3:
                  return lane / 2;
                case 4:
                  return 1;
                case 5:
                  return size - 1;
                case 6:
                  return lane % 2;
                case 7:
                  return 1;
                case 8:
                case 15:
                  return first + 1;
                case 9:
                  return first + 3;
                case 10: // of the largest sub-group's lanes
                  return 1 + 100 * (32 - lane);
                case 11:
                  return 31 - lane + 100 * (lane + 1);
                case 12:
                  return lane;
                case 13:
                  return 1;
                default:
                  return first + 3 + 200 + 3000;
                }
              });
}

TEST_CASE("vectors are broadcast, and numbers of 8 and 16 bits are reduced") {
  const std::string source = R"(
    kernel void k(global int *out) {
      const int g = get_global_id(0);
      const char8 x = sub_group_broadcast((char8)(g, 1, 2, 3, 4, 5, 6, -7), 5);
      const long2 y = sub_group_broadcast((long2)(g, (long)g << 33), 2);
      out[g] = x.s0 + x.s7 + 100 * sub_group_reduce_max((short)(g - 100)) +
               100000 * (sub_group_scan_inclusive_add((uchar)100) == (uchar)y.s0) +
               1000000 * (int)(y.s1 >> 33) + sub_group_scan_exclusive_min((ushort)g);
    })";
  CHECK(resultOfAll(source, uneven()) == listOf(80, [](int g) {
          const int lane = laneAt(g % 40), first = g - lane;
          return first + 5 - 7 + 100 * (first + sizeAt(g % 40) - 1 - 100) +
                 ((lane + 1) * 100 % 256 == first + 2 ? 100000 : 0) + 1000000 * (first + 2) +
                 (lane == 0 ? 65535 : first);
        }));
}

TEST_CASE("each branch's call is a meeting of its own") {
  const std::string source = R"(
    kernel void k(global int *out) {
      const int g = get_global_id(0);
      if (get_sub_group_local_id() < 5)
        out[g] = sub_group_broadcast_first(g) + 100 * sub_group_non_uniform_reduce_add(1);
      else
        out[g] = sub_group_broadcast_first(g) + 100 * sub_group_non_uniform_reduce_add(1);
    })";
  CHECK(resultOfAll(source, uneven()) == listOf(80, [](int g) {
          const int lane = laneAt(g % 40), first = g - lane;
          return lane < 5 ? first + 500 : first + 5 + 100 * (sizeAt(g % 40) - 5);
        }));
}

TEST_CASE("ballots of sub-groups of 128 have four words") {
  const std::string source = R"(
    kernel void k(global int *out) {
      const int lane = get_sub_group_local_id();
      int result = -1;
      if (lane % 3 == 2) {
        const uint4 bits = sub_group_ballot(lane > 40);
        result = sub_group_ballot_find_lsb(bits) + 1000 * sub_group_ballot_find_msb(bits) +
                 1000000 * sub_group_ballot_exclusive_scan(bits) +
                 (sub_group_non_uniform_reduce_add(lane) == 2667 ? 100000000 : 0) +
                 200000000 * sub_group_ballot_bit_extract(bits, 101);
      }
      out[get_global_id(0)] = result;
    })";
  Launch launch;
  launch.global = launch.local = "128 1 1";
  launch.environment = {{"AIWC_DEVICE", "type=4 multiple=128"}};
  // Lanes 2, 5, ... 125: 42 of them, whose sum is 42 * 127 / 2 = 2667. Of 41, 44, ... 125 come i.
  CHECK(resultOf(source, launch) == listOf(128, [](int lane) {
          const int before = lane > 41 ? (lane - 41) / 3 : 0;
          return lane % 3 == 2 ? 41 + 125000 + 1000000 * before + 300000000 : -1;
        }));
}
