/// Helpers for the files of the brute-force reference.
#pragma once

#include "brute_force.h"
#include "catalogue/family_list.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace aiwc::test {

/// Calls `visit` with every instruction that was executed, in canonical order.
template <typename Visit>
void forEachInstruction(const trace::Program &program, const Execution &execution, Visit visit) {
  for (const GroupTrace &group : execution.groups)
    for (const Interval &interval : group.intervals)
      for (const Stretch &stretch : interval.stretches)
        for (const Step &step : stretch.steps)
          for (uint32_t i = 0; i < step.operations; ++i)
            visit(program.operationsOf(program.block(step.block))[i]);
}

/// The values of a map from keys to numbers of occurrences.
template <typename Map> Counts countsOf(const Map &map) {
  Counts counts;
  for (const auto &[thing, count] : map)
    counts.push_back(count);
  return counts;
}

/// How often each value occurs.
inline profile::Histogram histogramOf(const std::vector<uint64_t> &values) {
  std::map<uint64_t, uint64_t> occurrences;
  for (uint64_t value : values)
    ++occurrences[value];
  return {occurrences.begin(), occurrences.end()};
}

inline profile::Value ratio(long double numerator, long double denominator) {
  if (denominator == 0)
    return std::monostate{};
  return static_cast<double>(numerator / denominator);
}

inline profile::Value real(long double value) {
  return static_cast<double>(value);
}

/// Returns the row of a source line; adds it at the end if it is missing.
inline profile::LineRow &rowOf(BruteForce &result, uint64_t line) {
  for (profile::LineRow &row : result.histograms.lines)
    if (row.line == line)
      return row;
  result.histograms.lines.emplace_back().line = line;
  return result.histograms.lines.back();
}

/// Whether a work-item makes so many accesses in a barrier interval that the implementation may
/// sample them.
bool mayBeSampled(const Execution &execution);

/// An execution and its program: the input of the references.
struct Traced {
  const trace::Program &program;
  const Execution &execution;
  uint64_t workGroupSize; ///< product of the kernel's local size
};

/// Declares the reference of each family (tests/metrics/<family>/reference.cpp), which adds its
/// metrics to `result`. Rows of source lines may be in any order.
#define AIWC_DECLARE_REFERENCE(family)                                                             \
  namespace family {                                                                               \
  void reference(const Traced &traced, BruteForce &result);                                        \
  }
AIWC_TRACED_FAMILIES(AIWC_DECLARE_REFERENCE)
#undef AIWC_DECLARE_REFERENCE

} // namespace aiwc::test
