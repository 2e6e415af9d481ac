#include "profile/metric.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>

using namespace aiwc::profile;

TEST_CASE("every enumerator has a row with a key, a name and a definition") {
  REQUIRE(catalogue().size() == kMetricCount);
  std::set<std::string_view> keys;
  std::set<std::string_view> names;
  for (const MetricInfo &metric : catalogue()) {
    CHECK(&info(metric.metric) == &metric);
    CHECK(keys.insert(metric.key).second);
    CHECK(names.insert(metric.name).second);
    CHECK(metric.definition.ends_with('.'));
    CHECK(metric.key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
          std::string_view::npos);
  }
}

TEST_CASE("a metric is found by its key alone") {
  for (const MetricInfo &metric : catalogue())
    CHECK(findMetric(metric.key) == &metric);
  CHECK(findMetric("") == nullptr);
  CHECK(findMetric("Opcode") == nullptr);
  CHECK(findMetric("opcode_9") == nullptr);
}

// Table 4.1 of the AIWC thesis, abbreviations written out as docs/metrics.md does.
TEST_CASE("the literature's metrics carry the literature's names and categories") {
  const struct {
    Metric metric;
    std::string_view name;
    Category category;
  } kTable[] = {
      {Metric::kOpcode90, "Opcode", Category::kCompute},
      {Metric::kTotalInstructionCount, "Total Instruction Count", Category::kCompute},
      {Metric::kWorkItems, "Work-items", Category::kParallelism},
      {Metric::kBarriersHit, "Total Barriers Hit", Category::kParallelism},
      {Metric::kItbMin, "Min Instructions To Barrier", Category::kParallelism},
      {Metric::kItbMax, "Max Instructions To Barrier", Category::kParallelism},
      {Metric::kItbMedian, "Median Instructions To Barrier", Category::kParallelism},
      {Metric::kIptMin, "Min Instructions Per Thread", Category::kParallelism},
      {Metric::kIptMax, "Max Instructions Per Thread", Category::kParallelism},
      {Metric::kIptMedian, "Median Instructions Per Thread", Category::kParallelism},
      {Metric::kSimdWidthMax, "Max SIMD Width", Category::kParallelism},
      {Metric::kSimdWidthMean, "Mean SIMD Width", Category::kParallelism},
      {Metric::kSimdWidthSd, "SD SIMD Width", Category::kParallelism},
      {Metric::kMemoryFootprint, "Total Memory Footprint", Category::kMemory},
      {Metric::kMemoryFootprint90, "90% Memory Footprint", Category::kMemory},
      {Metric::kUniqueReads, "Unique Reads", Category::kMemory},
      {Metric::kUniqueWrites, "Unique Writes", Category::kMemory},
      {Metric::kUniqueReadWriteRatio, "Unique Read/Write Ratio", Category::kMemory},
      {Metric::kTotalReads, "Total Reads", Category::kMemory},
      {Metric::kTotalWrites, "Total Writes", Category::kMemory},
      {Metric::kRereadRatio, "Reread Ratio", Category::kMemory},
      {Metric::kRewriteRatio, "Rewrite Ratio", Category::kMemory},
      {Metric::kGlobalMemoryAddressEntropy, "Global Memory Address Entropy", Category::kMemory},
      {Metric::kUniqueBranches, "Total Unique Branch Instructions", Category::kControl},
      {Metric::kUniqueBranches90, "90% Branch Instructions", Category::kControl},
      {Metric::kYokotaBranchEntropy, "Yokota Branch Entropy", Category::kControl},
      {Metric::kLinearBranchEntropy, "Average Linear Branch Entropy", Category::kControl},
  };
  for (const auto &row : kTable) {
    CHECK(info(row.metric).name == row.name);
    CHECK(info(row.metric).category == row.category);
  }
}

TEST_CASE("the ten levels of local memory address entropy are in a row and numbered") {
  const auto first = static_cast<size_t>(Metric::kLocalMemoryAddressEntropy1);
  for (size_t k = 1; k <= 10; ++k) {
    const MetricInfo &level = catalogue()[first + k - 1];
    CHECK(level.key == "local_memory_address_entropy_" + std::to_string(k));
    CHECK(level.name == "LMAE -- Skipped " + std::to_string(k) + " LSBs");
    CHECK(level.unit == "bits");
  }
}

TEST_CASE("minima, maxima, counts and bytes are counts; medians, means and ratios are real") {
  for (const MetricInfo &metric : catalogue()) {
    const auto has = [&](std::string_view part) {
      return metric.key.find(part) != std::string_view::npos;
    };
    if (has("median") || has("mean") || has("ratio") || has("entropy") || has("_sd"))
      CHECK(metric.type == MetricType::kReal);
    if (has("_min") || has("_max") || has("bytes") || has("total_") || has("unique_branches"))
      CHECK(metric.type == MetricType::kCount);
  }
}

TEST_CASE("a value as a double") {
  CHECK(toDouble(uint64_t{7}) == 7);
  CHECK(toDouble(0.5) == 0.5);
  CHECK(std::isnan(toDouble(std::monostate{})));
}
