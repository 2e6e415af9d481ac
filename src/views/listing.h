#pragma once

#include "profile/kernel_profile.h"
#include "text/terminal.h"

#include <string>

namespace aiwc::views {

using profile::KernelProfile;
using profile::Metric;
using profile::Value;

/// The loops of a profile as a table: source line, depth, entries, trips, dependence. "" if there
/// are no loops.
std::string loopTable(const KernelProfile &profile);

/// The idioms of a profile and their accesses as two tables (docs/metrics.md, "Idioms"): a row per
/// idiom and loop, then a row per access, by source line. For a profile without accesses, a
/// line that says so. Names of functions and arrays are cut to make the lines fit
/// `terminal`.
std::string idiomTable(const KernelProfile &profile,
                       const text::Terminal &terminal = {.columns = SIZE_MAX});

} // namespace aiwc::views
