#include "catalogue/definitions.h"
#include "profile/metric.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>

using namespace aiwc::literals;
using namespace aiwc::profile;

TEST_CASE("every enumerator has a row with a key, a name and a definition") {
  REQUIRE(catalogue().size() == kMetricCount);
  std::set<std::string_view> keys;
  std::set<std::string_view> names;
  for (const MetricInfo &metric : catalogue()) {
    CHECK(&info(metric.metric) == &metric);
    CHECK(keys.insert(metric.key).second);
    CHECK(names.insert(metric.name).second);
    CHECK(aiwc::metrics::definitionOf(metric.metric).ends_with('.'));
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
      {"opcode_90"_metric, "Opcode", Category::kCompute},
      {"total_instruction_count"_metric, "Total Instruction Count", Category::kCompute},
      {"work_items"_metric, "Work-items", Category::kParallelism},
      {"barriers_hit"_metric, "Total Barriers Hit", Category::kParallelism},
      {"itb_min"_metric, "Min Instructions To Barrier", Category::kParallelism},
      {"itb_max"_metric, "Max Instructions To Barrier", Category::kParallelism},
      {"itb_median"_metric, "Median Instructions To Barrier", Category::kParallelism},
      {"ipt_min"_metric, "Min Instructions Per Thread", Category::kParallelism},
      {"ipt_max"_metric, "Max Instructions Per Thread", Category::kParallelism},
      {"ipt_median"_metric, "Median Instructions Per Thread", Category::kParallelism},
      {"simd_width_max"_metric, "Max SIMD Width", Category::kParallelism},
      {"simd_width_mean"_metric, "Mean SIMD Width", Category::kParallelism},
      {"simd_width_sd"_metric, "SD SIMD Width", Category::kParallelism},
      {"memory_footprint"_metric, "Total Memory Footprint", Category::kMemory},
      {"memory_footprint_90"_metric, "90% Memory Footprint", Category::kMemory},
      {"unique_reads"_metric, "Unique Reads", Category::kMemory},
      {"unique_writes"_metric, "Unique Writes", Category::kMemory},
      {"unique_read_write_ratio"_metric, "Unique Read/Write Ratio", Category::kMemory},
      {"total_reads"_metric, "Total Reads", Category::kMemory},
      {"total_writes"_metric, "Total Writes", Category::kMemory},
      {"reread_ratio"_metric, "Reread Ratio", Category::kMemory},
      {"rewrite_ratio"_metric, "Rewrite Ratio", Category::kMemory},
      {"global_memory_address_entropy"_metric, "Global Memory Address Entropy", Category::kMemory},
      {"unique_branches"_metric, "Total Unique Branch Instructions", Category::kControl},
      {"unique_branches_90"_metric, "90% Branch Instructions", Category::kControl},
      {"yokota_branch_entropy"_metric, "Yokota Branch Entropy", Category::kControl},
      {"linear_branch_entropy"_metric, "Average Linear Branch Entropy", Category::kControl},
  };
  for (const auto &row : kTable) {
    CHECK(info(row.metric).name == row.name);
    CHECK(info(row.metric).category == row.category);
  }
}

TEST_CASE("the ten levels of local memory address entropy are in a row and numbered") {
  for (uint32_t k = 1; k <= 10; ++k) {
    const MetricInfo &level = info(kVectorMetric<"local_memory_address_entropy">[k - 1]);
    CHECK(kVectorMetric<"local_memory_address_entropy">.of(k) == level.metric);
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
