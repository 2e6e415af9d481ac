#pragma once

#include "profile/kernel_profile.h"
#include "support/random.h"

#include <cstdint>
#include <string>

namespace aiwc::test {

/// Level widths of many shapes: `distinct` different ones of up to `bits` bits, with counts from a
/// few to what makes every power of ten of the widths matter.
profile::Histogram randomLevels(Random &random, size_t distinct, unsigned bits);

/// Bins of reuse distances of up to `bits` bits, counts of up to `countBits`.
profile::Histogram randomDistances(Random &random, unsigned bits, unsigned countBits);

/// A complete profile with all metrics, whose names and options hold any bytes.
profile::KernelProfile plausibleProfile(uint64_t seed);

/// A small profile of `kernel` in 64 work-items, of a source with this hash.
profile::KernelProfile smallProfile(const std::string &kernel, const std::string &sourceHash,
                                    uint64_t workItems = 64);

} // namespace aiwc::test
