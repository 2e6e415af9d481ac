/// Which annotation answers for a launch.
#pragma once

#include "embed/annotation.h"

#include <optional>
#include <string>

namespace aiwc::embed {

struct Match {
  profile::KernelProfile profile;
  std::string place; ///< of the annotation
  bool stale = false;
};

/// The profile for `launch`; a local size of zeros stands for any. Of several the first that is
/// not stale, else the first; those that are damaged count only where there are no others, and then
/// Error is thrown, `PLACE: ...`. None where the launch was not characterised. Decodes no more than
/// it has to: some microseconds.
std::optional<Match> find(const Annotations &annotations, const Launch &launch);

} // namespace aiwc::embed
