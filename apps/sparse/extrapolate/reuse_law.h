/// The reuse distances of a launch on a whole matrix, from those of a launch on a sample and from
/// what the model of the gathers has for both patterns.
#pragma once

#include "extrapolate/gather_model.h"
#include "profile/kernel_profile.h"

#include <cstdint>

namespace aiwc::extrapolate {

/// The accesses of cache lines in a profile, or those of the whole.
struct LineReuse {
  profile::Histogram distances; ///< by bin of profile/reuse.h
  uint64_t cold = 0;
};

/// By how many accesses of the sample the model differs from the profile. Accesses that the model
/// does not have are streams, whose distances are short.
uint64_t mismatch(const GatheredLines &model, const LineReuse &profile);

/// The accesses of the whole, `all` of them. In each bin the whole has what the model has for it,
/// times the part of the model's accesses that the sample has in this bin (1, unless the kernel
/// works on some of the non-zeros). The other accesses of the sample are streams: the rest of `all`
/// is spread over the bins as they are, and their first accesses of lines grow by `streamGrowth`.
LineReuse reuseOfWhole(const LineReuse &sample, const GatheredLines &sampleModel,
                       const GatheredLines &wholeModel, double all, double streamGrowth);

} // namespace aiwc::extrapolate
