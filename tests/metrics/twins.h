/// Brings the implementation and its brute-force twin face to face.
#pragma once

#include "brute_force.h"
#include "metrics/shared/analysis.h"
#include "profile/kernel_profile.h"
#include "support/plain_trace.h"

#include <string>
#include <vector>

namespace aiwc::test {

/// Where an implementation disagrees: one line per difference, empty where there is none. Counts
/// and histograms must be equal, reals within 1e-12 of each other, relative. Metrics that
/// `expected` does not have are not compared: those that may be sampled on a trace as long as this.
std::string differences(const BruteForce &expected, const profile::KernelProfile &actual);

/// Where two profiles differ in a single bit: one line per difference.
std::string differentBits(const profile::KernelProfile &a, const profile::KernelProfile &b);

/// Plays the whole execution to one recorder and one AnalysisSet.
profile::KernelProfile analyse(const trace::Program &program, const Execution &execution,
                               uint64_t workGroupSize);

/// What `analysis` finishes with.
profile::KernelProfile finish(const metrics::AnalysisSet &analysis, uint64_t workGroupSize);

/// The metrics that these tests are about: all but the host's transfers, which no trace tells.
std::vector<profile::Metric> tracedMetrics();

} // namespace aiwc::test
