/// Compares the implementation with its brute-force reference.
#pragma once

#include "brute_force.h"
#include "metrics/shared/analysis.h"
#include "profile/kernel_profile.h"
#include "support/plain_trace.h"

#include <string>
#include <vector>

namespace aiwc::test {

/// The differences between reference and implementation, one per line; empty if there are none.
/// Counts and histograms must be equal; reals may differ by a relative 1e-12. Metrics that
/// `expected` lacks are not compared: they may be sampled on such a long trace.
std::string differences(const BruteForce &expected, const profile::KernelProfile &actual);

/// All differences between two profiles, one per line; reals must be bit-identical.
std::string differentBits(const profile::KernelProfile &a, const profile::KernelProfile &b);

/// Plays the whole execution to one recorder with one AnalysisSet, and returns the profile.
profile::KernelProfile analyse(const trace::Program &program, const Execution &execution,
                               uint64_t workGroupSize);

/// The profile that `analysis` writes.
profile::KernelProfile finish(const metrics::AnalysisSet &analysis, uint64_t workGroupSize);

/// The metrics that are computed from traces: all except those of the host's transfers.
std::vector<profile::Metric> tracedMetrics();

} // namespace aiwc::test
