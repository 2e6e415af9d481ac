/// Which local size a kernel should be launched with: the sizes worth trying, and the predicted
/// times of the launch with each. docs/advice.md ("Other local sizes") describes it.
#pragma once

#include "advice/findings.h"
#include "profile/kernel_profile.h"
#include "text/terminal.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::advice {

/// A launch with one local size.
struct SizeTimes {
  std::string localSize;       ///< "16x16"
  std::vector<double> seconds; ///< predicted, for each device; empty if the size was refused
  std::string refused;         ///< why the times are not known; empty if they are
};

/// A kernel's launch with several local sizes.
struct Tuning {
  std::vector<std::string> devices; ///< ids
  /// The application's local size first. Empty if the kernel was left out.
  std::vector<SizeTimes> sizes;
  bool localSizeLeftOpen = false; ///< the first was chosen here, as in profile::Provenance
  std::string leftOut;            ///< why no size was tried; empty if any was
};

/// Why another local size could change what the kernel computes, or how its work is shared: a
/// clause that completes "local sizes were not tried: ". Empty if nothing suggests that. `source`
/// is the text of the program, empty if it is not known.
std::string dependsOnLocalSize(const profile::KernelProfile &profile, std::string_view source);

/// Local sizes for a launch other than its own: at most eight powers of two from 32 to 512
/// work-items that divide the global size, rows and shapes of an aspect of at most 1:4.
std::vector<profile::Size3> candidateLocalSizes(const profile::Provenance &launch);

/// The finding that another local size is faster by `kLeastGain` or more on a device, if one is.
std::optional<Finding> findingOf(const Tuning &tuning);

/// A table with a row per size, and a sentence that says what to do.
std::string toText(const Tuning &tuning, const text::Terminal &terminal = {});

} // namespace aiwc::advice
