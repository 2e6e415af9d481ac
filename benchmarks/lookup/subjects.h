/// Synthetic files with annotations, for every container.
#pragma once

#include "embed/annotation.h"
#include "embed/compact_profile.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::lookup {

/// One profile for each of the kernels k0, k1, ..., with this many work-items in groups of 64.
inline constexpr uint64_t kWorkItems = 1024;
profile::LaunchKey launchOf(size_t kernel, uint64_t workItems);

struct Subject {
  std::string container;      ///< for the report
  std::filesystem::path file; ///< the name it would have
  std::string content;
  std::string sidecar; ///< content of its sidecar; empty if it has none

  size_t annotationBytes = 0; ///< total size of all annotations in the container's form
};

/// One subject each for OpenCL C, bitcode, SPIR-V, and a format that needs a sidecar. Each
/// has about `bytes` bytes without its annotations, and one annotation of the largest size for each
/// of `kernels` kernels. The bitcode subject is not valid bitcode: it is random bytes around the
/// strings that a look-up searches for.
std::vector<Subject> subjects(size_t bytes, size_t kernels);

/// Reads the annotations of a subject from memory.
embed::Annotations read(const Subject &subject);

} // namespace aiwc::lookup
