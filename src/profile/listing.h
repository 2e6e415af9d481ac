#pragma once

#include "profile/kernel_profile.h"

#include <string>
#include <string_view>

namespace aiwc::profile {

/// The loops of a profile as a table: source line, depth, entries, trips, dependence; "" for none.
std::string loopTable(const KernelProfile &profile);

/// What happened where: a row per source line, most instructions first, with the line's share of
/// the instructions, floating-point operations, bytes and mispredicted branches. `source`, where
/// not empty, is the text of the kernel, whose lines are printed beside their numbers.
std::string lineTable(const KernelProfile &profile, std::string_view source = {});

} // namespace aiwc::profile
