// From the simulator to another launch and back to the simulator: what is scaled is what is
// measured, where the work-items are all alike.

#include "kernels/reference.h"
#include "scaling/launch_scaling.h"
#include "support/files.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;
using aiwc::profile::LaunchKey;
using aiwc::profile::Metric;
using aiwc::scaling::ScaledProfile;
using aiwc::scaling::scaledTo;

namespace {

/// `kernel` of launch_scaling.cl on `items` work-items in groups of 16, with these arguments.
KernelProfile simulated(const std::string &kernel, uint64_t items, const std::string &arguments) {
  const TemporaryFolder folder;
  write(folder / "launch_scaling.cl", contents(AIWC_TEST_LAUNCH_SCALING));
  write(folder / "k.sim",
        fmt::format("launch_scaling.cl\n{}\n{} 1 1\n16 1 1\n{}", kernel, items, arguments));
  return simulate(folder / "k.sim").at(0);
}

std::string buffer(uint64_t elements) {
  return fmt::format("<size={} float fill=1>\n", 4 * elements);
}

KernelProfile vectorAdd(uint64_t items) {
  return simulated("vector_add", items, buffer(items) + buffer(items) + buffer(items));
}
KernelProfile rowSums(uint64_t items) {
  return simulated("row_sums", items, buffer(8 * items) + buffer(items) + "<size=4 uint fill=8>\n");
}
KernelProfile squareRowSums(uint64_t items) {
  return simulated("square_row_sums", items, buffer(items * items) + buffer(items));
}

ScaledProfile scaled(const std::vector<KernelProfile> &known, uint64_t items) {
  const LaunchKey launch{"", 1, {items, 1, 1}, {16, 1, 1}};
  return scaledTo(launch, known).value();
}

void checkEqual(const ScaledProfile &made, const KernelProfile &measured) {
  using namespace aiwc::profile;
  CHECK_FALSE(made.exact());
  for (const MetricInfo &row : catalogue()) {
    if (made.origin(row.metric) == aiwc::scaling::Origin::kUnknown) {
      CHECK((row.scaling == Scaling::kUnknown || std::isnan(measured.real(row.metric))));
      continue;
    }
    INFO(row.key);
    CHECK(made.profile.real(row.metric) == Approx(measured.real(row.metric)).margin(1e-12));
    if (row.type == MetricType::kCount)
      CHECK(made.profile.count(row.metric) == measured.count(row.metric));
  }
  CHECK(made.profile.histograms.asapFpLevels == measured.histograms.asapFpLevels);
  CHECK(made.profile.histograms.reuseDistances == measured.histograms.reuseDistances);
  CHECK(made.profile.reuse.coldAccesses == measured.reuse.coldAccesses);
}

} // namespace

// Buffers of whole KiB, so that entropies that skip 10 bits see no window that is half full; and
// 90 % of the addresses are a whole number.
constexpr uint64_t kItems = 1280;

TEST_CASE("a vector addition scaled is the larger one measured") {
  const KernelProfile one = vectorAdd(kItems);
  const KernelProfile two = vectorAdd(2 * kItems);
  checkEqual(scaled({one}, 2 * kItems), two);
  checkEqual(scaled({two}, kItems), one);
  checkEqual(scaled({one, two}, 4 * kItems), vectorAdd(4 * kItems));
}

TEST_CASE("rows of one length scaled are more rows measured") {
  const KernelProfile one = rowSums(kItems);
  const KernelProfile two = rowSums(2 * kItems);
  checkEqual(scaled({one}, 2 * kItems), two);
  checkEqual(scaled({one, two}, 4 * kItems), rowSums(4 * kItems));
}

TEST_CASE("where the NDRange tells the length of a row, two launches say what one does not") {
  const KernelProfile small = squareRowSums(32);
  const KernelProfile middle = squareRowSums(64);
  const KernelProfile large = squareRowSums(128);
  const auto off = [&](const ScaledProfile &made, Metric metric) {
    return made.profile.real(metric) / large.real(metric);
  };
  // n^2 additions: taken for so many per work-item, the n of 64 represents that of 128.
  CHECK(off(scaled({middle}, 128), "fp_ops"_metric) == 0.5);
  const ScaledProfile fitted = scaled({small, middle}, 128);
  CHECK(off(fitted, "fp_ops"_metric) == 1);
  CHECK(fitted.profile.count("asap_fp_depth"_metric) == 128); // a chain as long as the row
  CHECK(fitted.profile.histograms.asapFpLevels == large.histograms.asapFpLevels);
  CHECK(off(fitted, "total_instruction_count"_metric) == Approx(1).epsilon(0.03));
  CHECK(off(fitted, "bytes_read_global"_metric) == 1);
}
