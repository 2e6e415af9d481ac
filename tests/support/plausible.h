#pragma once

#include "profile/kernel_profile.h"
#include "support/random.h"

#include <cstdint>
#include <string>

namespace aiwc::test {

/// Random level widths: `distinct` different widths of up to `bits` bits. The counts vary from
/// small ones to ones for which every power of ten of the widths matters.
profile::Histogram randomLevels(Random &random, size_t distinct, unsigned bits);

/// A random histogram of reuse distances of up to `bits` bits, with counts of up to `countBits`
/// bits.
profile::Histogram randomDistances(Random &random, unsigned bits, unsigned countBits);

/// A complete random profile with all metrics. Its names and options may contain any bytes.
profile::KernelProfile plausibleProfile(uint64_t seed);

/// A small profile of `kernel`, launched with `workItems` work-items; `sourceHash` is stored as its
/// hash.
profile::KernelProfile smallProfile(const std::string &kernel, const std::string &sourceHash,
                                    uint64_t workItems = 64);

} // namespace aiwc::test
