// What the work-items of a group do at the same time: divergence, coalescing, parallel spatial
// locality, contended atomics.

#include "kernels/reference.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <vector>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;
using aiwc::profile::Metric;

namespace {

std::vector<double> valuesOf(const KernelProfile &profile,
                             const aiwc::profile::MetricVector &metrics) {
  std::vector<double> values;
  for (const Metric metric : metrics)
    values.push_back(profile.real(metric));
  return values;
}

std::vector<double> utilization(const KernelProfile &profile) {
  return valuesOf(profile, kVectorMetric<"lane_utilization">);
}

std::vector<double> coalescing(const KernelProfile &profile) {
  return valuesOf(profile, kVectorMetric<"coalescing">);
}

std::vector<double> psl(const KernelProfile &profile) {
  return valuesOf(profile, kVectorMetric<"parallel_spatial_locality">);
}

void checkClose(const std::vector<double> &actual, const std::vector<double> &expected) {
  REQUIRE(actual.size() == expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    INFO(i);
    CHECK(actual[i] == Approx(expected[i]).epsilon(1e-12).margin(1e-12));
  }
}

/// The entropy in bits of 2^bits addresses, 2^apart bytes apart, without their `skipped` lowest
/// bits.
double remaining(int bits, int apart, int skipped) {
  return std::max(0, bits - std::max(0, skipped - apart));
}

} // namespace

TEST_CASE("saxpy: lanes side by side") {
  const KernelProfile &profile = referenceProfile("saxpy"); // groups of 16
  checkClose(utilization(profile), {1, 1, 1.0 / 2, 1.0 / 4});
  checkClose(valuesOf(profile, kVectorMetric<"lane_utilization_fp">), {1, 1, 1.0 / 2, 1.0 / 4});
  checkClose(coalescing(profile), {1, 1, 1});
  for (int skipped = 0; skipped <= 10; ++skipped)
    CHECK(psl(profile)[static_cast<size_t>(skipped)] == Approx(remaining(4, 2, skipped) / 4));
  CHECK(profile.real("coalescing_measured"_metric) == 1);
  CHECK(profile.real("parallel_spatial_locality_measured"_metric) == 1);
  CHECK(std::isnan(profile.real("atomic_contention_max"_metric)));
}

TEST_CASE("matrix_sums_rows: lanes a row apart") {
  const KernelProfile &profile = referenceProfile("matrix_sums_rows");
  CHECK(referenceResult("matrix_sums_rows", "out") ==
        valuesFor(64, [](uint64_t i) { return 64 * 64 * i + 63 * 32; }));
  checkClose(utilization(profile), {1, 1, 1, 1});
  // 64 loads by 64 lanes that touch a segment each, and need 64, 128 or 256 bytes; a store of
  // neighbours. Segments per load: 4 lane groups of 16 need 1 and touch 16, and so on.
  checkClose(coalescing(profile), {(64 * 4 + 4) / (64 * 64 + 4.0), (64 * 2 + 2) / (64 * 64 + 2.0),
                                   (64 * 2 + 2) / (64 * 64 + 2.0)});
  for (int skipped = 0; skipped <= 10; ++skipped)
    CHECK(psl(profile)[static_cast<size_t>(skipped)] ==
          Approx((64 * remaining(6, 8, skipped) + remaining(6, 2, skipped)) / 65 / 6));
}

TEST_CASE("matrix_sums_columns: the same elements, lanes an element apart") {
  const KernelProfile &profile = referenceProfile("matrix_sums_columns");
  CHECK(referenceResult("matrix_sums_columns", "out") ==
        valuesFor(64, [](uint64_t i) { return 64 * i + 64 * 63 * 32; }));
  checkClose(utilization(profile), {1, 1, 1, 1});
  checkClose(coalescing(profile), {1, 1, 1});
  for (int skipped = 0; skipped <= 10; ++skipped)
    CHECK(psl(profile)[static_cast<size_t>(skipped)] == Approx(remaining(6, 2, skipped) / 6));
}

TEST_CASE("gather_random: lanes anywhere") {
  constexpr uint64_t n = 128, w = 64;
  std::vector<uint64_t> index;
  for (uint64_t x = 1; index.size() < n;) {
    x = (x * 1103515245 + 12345) % (uint64_t{1} << 31);
    index.push_back((x >> 16) % 4096);
  }
  const KernelProfile &profile = referenceProfile("gather_random");
  CHECK(referenceResult("gather_random", "out") ==
        valuesFor(n, [&](uint64_t i) { return index[i]; }));

  for (size_t i = 0; i < 3; ++i) {
    const uint64_t lanes = 16u << i;
    const uint64_t row = (4 * lanes + 127) / 128; // segments of the index, and of what is stored
    uint64_t needed = 0, touched = 0;
    for (uint64_t first = 0; first < n; first += lanes) {
      std::set<uint64_t> elements, segments;
      for (uint64_t lane = first; lane < first + lanes; ++lane) {
        elements.insert(index[lane]);
        segments.insert(index[lane] / 32);
      }
      needed += 2 * row + (4 * elements.size() + 127) / 128;
      touched += 2 * row + segments.size();
    }
    CHECK(coalescing(profile)[i] ==
          Approx(static_cast<double>(needed) / static_cast<double>(touched)));
  }
  for (int skipped = 0; skipped <= 10; ++skipped) {
    double bits = 2 * 2 * remaining(6, 2, skipped); // both groups' index and store
    for (uint64_t group = 0; group < n / w; ++group) {
      std::map<uint64_t, int> counts;
      for (uint64_t lane = 0; lane < w; ++lane)
        ++counts[index[group * w + lane] * 4 >> skipped];
      for (const auto &[address, count] : counts)
        bits -= count / 64.0 * std::log2(count / 64.0);
    }
    CHECK(psl(profile)[static_cast<size_t>(skipped)] == Approx(bits / 6 / 6));
  }
}

TEST_CASE("matmul_naive: a row of a and a column of b at a time") {
  const KernelProfile &profile = referenceProfile("matmul_naive");
  // A group of 4 x 4 reads 4 elements of a, 32 bytes apart, 4 neighbours of b, 8 times each, and
  // writes 4 x 4 elements of c; each of them within a segment.
  checkClose(coalescing(profile), {1, 1, 1});
  checkClose(utilization(profile), {1, 1, 1.0 / 2, 1.0 / 4});
  for (int skipped = 0; skipped <= 10; ++skipped) {
    const double a = remaining(2, 5, skipped), b = remaining(2, 2, skipped);
    CHECK(psl(profile)[static_cast<size_t>(skipped)] == Approx((8 * a + 8 * b + a + b) / 17 / 4));
  }
}

TEST_CASE("divergent: lanes wait for the one with the longest loop") {
  constexpr uint64_t w = 8;
  const KernelProfile &profile = referenceProfile("divergent");
  // entry 2, condition 4 (l + 1), body 5 l, end 4 instructions
  constexpr double offered = w * (2 + 4 * w + 5 * (w - 1) + 4),
                   done = w * 10 + 9 * w * (w - 1) / 2.0;
  checkClose(utilization(profile),
             {done / offered, done / offered / 2, done / offered / 4, done / offered / 8});
  checkClose(valuesOf(profile, kVectorMetric<"lane_utilization_fp">), {0.5, 0.25, 0.125, 0.0625});
}

TEST_CASE("serial_sum: one lane of many") {
  const KernelProfile &profile = referenceProfile("serial_sum");
  checkClose(utilization(profile), {1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64});
  checkClose(coalescing(profile), {1, 1, 1});
  CHECK(psl(profile) == std::vector<double>(11, 0));
}

TEST_CASE("async_copy: the work-group's copies are no lane's") {
  const KernelProfile &profile = referenceProfile("async_copy"); // groups of 8
  checkClose(coalescing(profile), {1, 1, 1});
  // One local read, backwards, and one global write, of 8 elements each
  for (int skipped = 0; skipped <= 10; ++skipped)
    CHECK(psl(profile)[static_cast<size_t>(skipped)] == Approx(remaining(3, 2, skipped) / 3));
}

TEST_CASE("histogram: atomics on the fullest bin") {
  // Half of 64 values are 0; in local memory half of a group's 16, then 4 groups add theirs.
  CHECK(referenceProfile("histogram_global").count("atomic_contention_max"_metric) == 32);
  CHECK(referenceProfile("histogram_local").count("atomic_contention_max"_metric) == 8);
}
