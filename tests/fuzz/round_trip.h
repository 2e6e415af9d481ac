/// What holds for any bytes in every container that is written without LLVM.
#pragma once

#include "common/error.h"
#include "embed/opencl_c.h"

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::fuzz {

/// libFuzzer takes the end of the process for a finding.
inline void require(bool condition) {
  if (!condition)
    std::abort();
}

/// Reads them all, whatever they say of themselves. Those that are not damaged, one for a launch;
/// stale ones as well, since of a source with one other byte all are.
inline std::vector<embed::Annotation> intactOf(const embed::Annotations &annotations) {
  std::vector<embed::Annotation> intact;
  for (const embed::Annotation &annotation : annotations.found)
    if (annotation.intact())
      intact.push_back(annotation);
  return embed::replaced({}, intact);
}

/// `annotations` are read again where they were put into `content`, and taking them out gives what
/// is left of `content` without its own. Nothing but aiwc::Error comes out, by which `content` is
/// refused.
inline void requireRoundTrip(const embed::Container &container, std::string_view content,
                             const std::vector<embed::Annotation> &annotations) {
  using namespace embed;
  const std::string bare = container.strip(content);
  require(container.strip(bare) == bare);
  container.identity(content);
  try {
    const std::string annotated = container.embed(content, annotations);
    require(container.strip(annotated) == bare);
    const Annotations again = container.read(annotated);
    require(again.rejected == container.read(bare).rejected);
    require(again.found.size() == annotations.size());
    for (const Annotation &annotation : again.found) // OpenCL C has the hash of another source
      require(&container == &kOpenClC || !annotation.stale);
  } catch (const aiwc::Error &) { // refused
  }
}

} // namespace aiwc::fuzz
