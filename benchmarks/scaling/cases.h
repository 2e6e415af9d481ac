/// Reads the profiles of applications at several problem sizes, as written by `eod characterise`.
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
  std::vector<SizedKernel>
      sizes; ///< at least two, ordered by the instructions of their largest launches
};

/// Reads all folders `<application>-<size>` in `folders`. The result is the kernels that were
/// characterised at two or more sizes, ordered by application and name. Throws Error for a folder
/// that cannot be read, for an invalid or incomplete profile, and if there is no such kernel.
std::vector<KernelCases> readCases(std::span<const std::filesystem::path> folders);

/// The number of work-items of the NDRange that was executed.
double workItems(const profile::KernelProfile &profile);

} // namespace aiwc::scaling_study
