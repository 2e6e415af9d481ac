/// A simple, slow second implementation ("twin") of src/metrics: computes every metric directly
/// from its definition in docs/metrics.md on a plain list of the executed blocks and accesses. It
/// shares no code with the implementation that it checks.
#pragma once

#include "profile/kernel_profile.h"
#include "support/plain_trace.h"
#include "trace/program.h"

#include <cstdint>
#include <map>

namespace aiwc::test {

struct BruteForce {
  std::map<profile::Metric, profile::Value> values;
  profile::Histograms histograms;
  uint64_t coldAccesses = 0; ///< first accesses of a cache line
};

/// `workGroupSize` is the product of the kernel's local size.
BruteForce bruteForce(const trace::Program &program, const Execution &execution,
                      uint64_t workGroupSize);

// Definitions that several metrics use.

/// Numbers of occurrences, one per distinct value.
using Counts = std::vector<uint64_t>;

/// −Σ p log2 p with p = count / Σ counts; 0 if `counts` is empty.
long double entropy(const Counts &counts);
/// The smallest number of counts whose sum is at least 90 % of the total; 0 if `counts` is empty.
uint64_t cover90(Counts counts);
/// The middle value, or the mean of the two middle values. `values` must not be empty.
long double median(std::vector<uint64_t> values);

} // namespace aiwc::test
