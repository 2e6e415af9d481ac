/// What the files of the brute-force twin share.
#pragma once

#include "brute_force.h"

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

/// The values of a map from things to how often they occurred.
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

/// The row of a source line, in no order.
inline profile::LineRow &rowOf(BruteForce &result, uint64_t line) {
  for (profile::LineRow &row : result.histograms.lines)
    if (row.line == line)
      return row;
  result.histograms.lines.emplace_back().line = line;
  return result.histograms.lines.back();
}

void bruteForceCompute(const trace::Program &, const Execution &, BruteForce &);
void bruteForceParallelism(const trace::Program &, const Execution &, uint64_t workGroupSize,
                           BruteForce &);
void bruteForceMemory(const Execution &, BruteForce &);
void bruteForceReuse(const trace::Program &, const Execution &, BruteForce &);
void bruteForceControl(const trace::Program &, const Execution &, BruteForce &);
void bruteForceAsap(const trace::Program &, const Execution &, BruteForce &);
void bruteForceLanes(const trace::Program &, const Execution &, uint64_t workGroupSize,
                     BruteForce &);
void bruteForceLoops(const trace::Program &, const Execution &, BruteForce &);
/// Behind all others, which tell their own columns of the lines: it adds the rest and sorts.
void bruteForceLines(const trace::Program &, const Execution &, BruteForce &);

} // namespace aiwc::test
