#include "extrapolate/extrapolate.h"
#include "generate/generate.h"
#include "profile/json.h"
#include "profile/metric.h"
#include "profile/reuse.h"
#include "sparse/matrix.h"
#include "support/files.h"
#include "support/simulate.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

using namespace aiwc::test;
using namespace aiwc::profile;
using aiwc::operator""_metric;
using aiwc::extrapolate::extrapolate;
using aiwc::extrapolate::Extrapolated;
using aiwc::extrapolate::Pattern;
using aiwc::extrapolate::Quantity;
using aiwc::extrapolate::SampleLaunch;
using aiwc::sparse::Matrix;

namespace {

/// The profile of the kernel on a matrix.
KernelProfile profileOf(const std::string &kernel, const Matrix &matrix) {
  const TemporaryFolder folder;
  write(folder / "m.mtx", aiwc::sparse::matrixMarketText(matrix));
  SimulationOptions options;
  options.compiled = true;
  const Simulation simulation = runApplication(
      {AIWC_TEST_IRREGULAR, kernel, "--input", "m.mtx", "--no-check"}, folder.path(), options);
  INFO(simulation.errors);
  REQUIRE(simulation.status == 0);
  REQUIRE_FALSE(simulation.profiles.empty());
  return simulation.profiles.front().profile;
}

Matrix wholeOf(const std::string &shape, uint32_t rows, double perRow) {
  aiwc::sparse::Structure structure;
  structure.shape = aiwc::sparse::shapeOf(shape);
  structure.rows = rows;
  structure.nonZerosPerRow = perRow;
  return aiwc::sparse::generate(structure);
}

void checkNear(const KernelProfile &made, const KernelProfile &whole) {
  CHECK(made.count("work_items"_metric) == whole.count("work_items"_metric));
  for (const Metric metric :
       {"total_instruction_count"_metric, "total_reads"_metric, "total_writes"_metric,
        "bytes_read_global"_metric, "bytes_written_global"_metric, "footprint_bytes"_metric,
        "unique_reads"_metric, "host_to_device_bytes"_metric}) {
    INFO(aiwc::profile::info(metric).key);
    CHECK(made.real(metric) == Approx(whole.real(metric)).epsilon(0.005));
  }
  for (const Metric metric :
       {"lane_utilization_8"_metric, "lane_utilization_32"_metric, "lane_utilization_64"_metric}) {
    INFO(aiwc::profile::info(metric).key);
    CHECK(made.real(metric) == Approx(whole.real(metric)).epsilon(0.05));
  }
  CHECK(made.real("coalescing_32"_metric) ==
        Approx(whole.real("coalescing_32"_metric)).epsilon(0.1));
  for (const uint64_t cache : {8192, 65536, 1048576}) {
    INFO(cache);
    CHECK(1 - aiwc::profile::hitRatio(made, cache).value() ==
          Approx(1 - aiwc::profile::hitRatio(whole, cache).value()).epsilon(0.03));
  }
}

} // namespace

TEST_CASE("Two samples give nearly the profile of the whole") {
  struct Case {
    std::string kernel, shape;
  };
  for (const Case &of : {Case{"spmv-csr", "power-law"}, Case{"spmv-csr", "uniform"},
                         Case{"pagerank", "mesh-unordered"}, Case{"euler", "small-world"},
                         Case{"spmv-coo", "power-law"}, Case{"euler", "power-law"}}) {
    INFO(of.kernel << " on " << of.shape);
    const Matrix whole = wholeOf(of.shape, 12000, 9);
    const Pattern pattern(whole);
    const KernelProfile expected = profileOf(of.kernel, whole);
    std::vector<Pattern> samples;
    std::vector<KernelProfile> profiles;
    for (const double fraction : {0.08, 0.2}) {
      Matrix sample = aiwc::sparse::sample(whole, fraction).matrix;
      profiles.push_back(profileOf(of.kernel, sample));
      samples.emplace_back(std::move(sample));
    }
    const std::vector<SampleLaunch> launches{{&samples[0], &profiles[0]},
                                             {&samples[1], &profiles[1]}};
    const Extrapolated made = extrapolate(launches, pattern, "two samples");
    checkNear(made.profile, expected);
    CHECK(made.reuseMismatch < 0.03);
    CHECK(made.profile.provenance.extrapolatedFrom == "two samples");
    CHECK(made.profile.standardError("total_instruction_count"_metric) >= 0);
    // What is written is read as it is, with its errors, and is no contradiction.
    const KernelProfile read =
        aiwc::profile::fromJson(aiwc::profile::toJson(made.profile), "made.json");
    CHECK(aiwc::profile::toJson(read) == aiwc::profile::toJson(made.profile));
    CHECK(read.provenance.extrapolated());
  }
}

TEST_CASE("A sample that is the whole gives the whole's profile") {
  const Matrix whole = wholeOf("power-law", 3000, 7);
  const Pattern pattern(whole);
  for (const char *kernel : {"spmv-csr", "euler", "spmm", "spmv-coo", "moldyn"}) {
    INFO(kernel);
    const KernelProfile profile = profileOf(kernel, whole);
    const std::vector<SampleLaunch> launches{{&pattern, &profile}};
    const KernelProfile made = extrapolate(launches, pattern, "itself").profile;
    for (const aiwc::profile::MetricInfo &row : aiwc::profile::catalogue()) {
      INFO(row.key);
      const double expected = profile.real(row.metric);
      if (!std::isnan(expected))
        CHECK(made.real(row.metric) == Approx(expected).epsilon(0.002).margin(1e-9));
    }
    CHECK(1 - aiwc::profile::hitRatio(made, 32768).value() ==
          Approx(1 - aiwc::profile::hitRatio(profile, 32768).value()).epsilon(0.002));
  }
}

TEST_CASE("A kernel that has nothing to do with the matrix' structure follows its non-zeros") {
  const Matrix whole = wholeOf("uniform", 3000, 7);
  const Pattern pattern(whole);
  Matrix half = aiwc::sparse::sample(whole, 0.5).matrix;
  KernelProfile profile = profileOf("spmv-csr", half);
  const Pattern sample(std::move(half));
  profile.accesses.reset(); // as an old profile has none
  const std::vector<SampleLaunch> launches{{&sample, &profile}};
  const Extrapolated made = extrapolate(launches, pattern, "a half");
  CHECK(made.gathered.empty());
  CHECK(made.profile.count("total_instruction_count"_metric) >
        profile.count("total_instruction_count"_metric));
  CHECK(aiwc::profile::lineAccesses(made.profile) > aiwc::profile::lineAccesses(profile));
}

TEST_CASE("What is gathered is found where the first and the last work-items have no non-zero") {
  const Matrix whole = wholeOf("uniform", 4000, 6);
  std::vector<aiwc::sparse::Entry> entries;
  for (uint32_t row = 300; row < 3700; ++row)
    for (const uint32_t column : whole.row(row))
      if (column % 2 == 0)
        entries.push_back({row, column / 4});
  Matrix middle = aiwc::sparse::matrixOf(4000, 4000, entries, false);
  const KernelProfile profile = profileOf("spmv-csr", middle);
  const Pattern sample(std::move(middle));
  const std::vector<SampleLaunch> launches{{&sample, &profile}};
  CHECK(extrapolate(launches, Pattern(whole), "the middle").gathered ==
        std::vector<std::string>{"x"});
}

TEST_CASE("A profile that is cut short is refused") {
  const Matrix whole = wholeOf("uniform", 100, 3);
  const Pattern pattern(whole);
  KernelProfile profile = profileOf("spmv-csr", whole);
  const std::vector<SampleLaunch> launches{{&pattern, &profile}};
  profile.complete = false;
  CHECK(errorOf([&] { extrapolate(launches, pattern, ""); }) ==
        "kernel spmv_csr: the profile of a sample is not complete: expected one of a whole launch");
}
