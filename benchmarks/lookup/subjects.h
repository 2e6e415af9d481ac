/// Files with annotations, made up, for every carrier.
#pragma once

#include "embed/annotation.h"
#include "embed/compact_profile.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::lookup {

/// One profile of each of the kernels k0, k1, ..., of this many work-items in groups of 64.
inline constexpr uint64_t kWorkItems = 1024;
profile::Launch launchOf(size_t kernel, uint64_t workItems);

struct Subject {
  std::string carrier;        ///< for the report
  std::filesystem::path file; ///< what it would be called
  std::string content;
  std::string sidecar; ///< of the file beside it; empty: there is none

  size_t annotationBytes = 0; ///< of all annotations, as the carrier keeps them
};

/// OpenCL C, LLVM IR, bitcode, SPIR-V and what needs a sidecar, each of about `bytes` without its
/// annotations, of which there is one for each of `kernels` kernels, as large as they come. The
/// bitcode is none to LLVM: noise around what a look-up looks for.
std::vector<Subject> subjects(size_t bytes, size_t kernels);

/// Its annotations, from memory.
embed::Annotations read(const Subject &subject);

} // namespace aiwc::lookup
