/// A simple, slow second implementation (the "reference") of src/metrics: computes every metric
/// directly from its definition in docs/metrics.md on a plain list of the executed blocks and
/// accesses. It shares no code with the implementation that it checks.
#pragma once

#include "profile/kernel_profile.h"
#include "support/plain_trace.h"
#include "trace/program.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace aiwc::test {

struct BruteForce {
  std::map<profile::Metric, profile::Value> values;
  profile::Histograms histograms;
  uint64_t coldAccesses = 0; ///< first accesses of a cache line
  /// Accesses and bytes of the rows of KernelProfile::accesses that have the same `accessKey`.
  std::map<std::string, std::pair<uint64_t, uint64_t>> accesses;
};

/// `workGroupSize` is the product of the kernel's local size.
BruteForce bruteForce(const trace::Program &program, const Execution &execution,
                      uint64_t workGroupSize);

// Definitions that several metrics use.

/// A row of KernelProfile::accesses without its counts and its idiom. Strides are "-" if there are
/// none.
std::string accessKey(const std::string &function, uint64_t line, uint64_t loop,
                      const std::string &array, std::string_view space, std::string_view kind,
                      const std::string &laneStride, const std::string &loopStride);

/// Numbers of occurrences, one per distinct value.
using Counts = std::vector<uint64_t>;

/// −Σ p log2 p with p = count / Σ counts; 0 if `counts` is empty.
long double entropy(const Counts &counts);
/// The smallest number of counts whose sum is at least 90 % of the total; 0 if `counts` is empty.
uint64_t cover90(Counts counts);
/// The middle value, or the mean of the two middle values. `values` must not be empty.
long double median(std::vector<uint64_t> values);

} // namespace aiwc::test
