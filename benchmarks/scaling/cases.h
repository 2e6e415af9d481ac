/// The profiles of applications at several problem sizes, as `eod characterise` leaves them.
#pragma once

#include "profile/kernel_profile.h"

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::scaling_study {

/// One kernel at one problem size.
struct SizedKernel {
  std::string size;
  std::vector<profile::KernelProfile> launches;  ///< one per NDRange
  const profile::KernelProfile &largest() const; ///< the one with the most work-items
};

struct KernelCases {
  std::string application, kernel;
  std::vector<SizedKernel> sizes; ///< two at least, by the instructions of their largest launches
};

/// From all folders `<application>-<size>` in `folders`: the kernels that were characterised at two
/// sizes or more, by application and name. Throws Error for a folder that cannot be read, for a
/// profile that is none or not complete, and where there is no such kernel.
std::vector<KernelCases> readCases(std::span<const std::filesystem::path> folders);

/// Work-items of the NDRange, as it was executed.
double workItems(const profile::KernelProfile &profile);

} // namespace aiwc::scaling_study
