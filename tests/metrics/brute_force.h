/// The slow, obvious twin of src/metrics: every metric straight from its definition in
/// docs/metrics.md, computed on the plain list of what was executed. Nothing here is fast, and
/// nothing is shared with the implementation it checks.
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
  uint64_t coldAccesses = 0; ///< first ones of a line
};

/// `workGroupSize`: the product of the local size with which the kernel was launched.
BruteForce bruteForce(const trace::Program &program, const Execution &execution,
                      uint64_t workGroupSize);

// The definitions that several metrics share.

/// How often something occurred, per thing.
using Counts = std::vector<uint64_t>;

/// −Σ p log2 p with p = count / Σ counts; 0 for nothing.
long double entropy(const Counts &counts);
/// The smallest number of the counts whose sum is at least 90 % of all; 0 for nothing.
uint64_t cover90(Counts counts);
/// The middle value, or the mean of the middle two. `values` is not empty.
long double median(std::vector<uint64_t> values);

} // namespace aiwc::test
