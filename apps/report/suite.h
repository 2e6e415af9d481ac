/// Many programs on one HTML page: which of their kernels are alike, into which clusters they fall,
/// and which of them a new program is like.
#pragma once

#include "predict/device_profile.h"
#include "predict/fitted/fitted_cost_model.h"
#include "report/page.h"

#include <string>
#include <vector>

namespace aiwc::report {

/// Fewer kernels span no map and form no clusters.
inline constexpr size_t kFewestKernels = 3;

struct SuitePage {
  std::string name;                            ///< for people
  std::vector<Run> programs;                   ///< each with its kernels
  std::vector<Run> newPrograms;                ///< to be found among `programs`; may be empty
  std::vector<predict::DeviceProfile> devices; ///< that the reader can choose among
  std::vector<std::string> chosen;             ///< the ids of those chosen at first; at least one
  const predict::FittedCostModel *model = nullptr;
};

/// What the page shows, as one JSON object. Programs and their
/// kernels are sorted by name, so that the order in which they were given changes nothing. Launches
/// that the model cannot use are counted and left out; of the others, the one that executes most
/// instructions represents its kernel. Throws Error if that leaves fewer than kFewestKernels
/// kernels of `programs`, or none of `newPrograms` where there are some.
std::string dataJson(const SuitePage &page);

/// The page: HTML with its style, its program and its data, for any browser of the last years. It
/// loads nothing and sends nothing. Names appear as text, whatever they contain.
std::string html(const SuitePage &page);

} // namespace aiwc::report
