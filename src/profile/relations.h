/// The relations between the numbers of a profile. Every profile that the tool writes fulfils them,
/// so the readers refuse a file that does not.
#pragma once

#include "profile/kernel_profile.h"

#include <optional>
#include <string>
#include <string_view>

namespace aiwc::profile {

/// A relation that a profile does not fulfil.
struct Contradiction {
  std::string_view part; ///< the member of the JSON document that has the number: "metrics", ...
  std::string what;      ///< `<what is wrong>: expected <relation>`
};

/// Returns the first contradiction in `profile`, or no value. A missing metric contradicts nothing.
///
/// - A metric that is a fraction is at most 1.
/// - The occurrences of a histogram add up to less than 2^64; so do occurrences times values, but
///   for reuse distances, and each count over all rows of a table.
/// - Every reuse distance is the lowest of a bin (profile/reuse.h).
/// - Work-items, work-groups and the size of a work-group are those of the NDRange, which has less
///   than 2^64 work-items; an incomplete profile may have fewer. A sampled profile was taken from
///   the work-groups of the NDRange. An NDRange with a size of 0 is unknown.
/// - The accesses of cache lines are at most as many as the bytes accessed in global and constant
///   memory, and the lines that they touch hold all these bytes: to 1 % in sampled profiles and in
///   the compact form, which round both. A profile that was scaled from other launches need not
///   fulfil this, because reuse and bytes follow different laws.
///
/// `rounded`: whether the profile was read from the compact form, which may lack reuse distances.
std::optional<Contradiction> contradictionIn(const KernelProfile &profile, bool rounded = false);

} // namespace aiwc::profile
