#include "brute_force_common.h"

#include <fmt/format.h>

namespace aiwc::test {

long double entropy(const Counts &counts) {
  const auto total = static_cast<long double>(std::accumulate(counts.begin(), counts.end(), 0ull));
  long double sum = 0;
  for (uint64_t count : counts) {
    const long double p = static_cast<long double>(count) / total;
    sum -= p * std::log2(p);
  }
  return sum;
}

uint64_t cover90(Counts counts) {
  std::sort(counts.rbegin(), counts.rend());
  const uint64_t total = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  uint64_t covered = 0, k = 0;
  while (10 * covered < 9 * total)
    covered += counts[k++];
  return k;
}

long double median(std::vector<uint64_t> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  if (values.size() % 2 == 1)
    return values[half];
  return (static_cast<long double>(values[half - 1]) + values[half]) / 2;
}

std::string accessKey(const std::string &function, uint64_t line, uint64_t loop,
                      const std::string &array, std::string_view space, std::string_view kind,
                      const std::string &laneStride, const std::string &loopStride) {
  return fmt::format("{}:{} loop {} {} {} {} lane {} loop {}", function, line, loop, array, space,
                     kind, laneStride, loopStride);
}

/// Whether a work-item makes more accesses in a barrier interval than have to be looked at.
bool mayBeSampled(const Execution &execution) {
  for (const GroupTrace &group : execution.groups)
    for (const Interval &interval : group.intervals)
      for (const Stretch &stretch : interval.stretches) {
        size_t accesses = 0;
        for (const Step &step : stretch.steps)
          accesses += step.accesses.size();
        if (accesses > 1024)
          return true;
      }
  return false;
}

BruteForce bruteForce(const trace::Program &program, const Execution &execution,
                      uint64_t workGroupSize) {
  BruteForce result;
  const Traced traced{program, execution, workGroupSize};
#define AIWC_RUN_REFERENCE(family) family::reference(traced, result);
  AIWC_TRACED_FAMILIES(AIWC_RUN_REFERENCE)
#undef AIWC_RUN_REFERENCE
  std::ranges::sort(result.histograms.lines, {}, &profile::LineRow::line);
  return result;
}

} // namespace aiwc::test
