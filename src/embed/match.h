/// Which annotations answer for a launch.
#pragma once

#include "embed/annotation.h"
#include "scaling/launch_scaling.h"

#include <optional>
#include <string>

namespace aiwc::embed {

struct Match {
  profile::KernelProfile profile;
  std::string place; ///< of the annotation, of the nearest of those that it was scaled from
  bool stale = false;
  std::optional<scaling::ScalingAccuracy>
      scaled; ///< none where the launch itself was characterised
  /// Whether what it was scaled from has work-groups of another size than was asked for.
  bool otherLocalSize = false;
};

/// The profile for `launch`, from the kernel's annotations that are neither stale nor damaged: that
/// of the launch itself, or one that is scaled. Reads no more of them than it needs. Throws as
/// scaling::scaledTo for the launch, never for an annotation.
std::optional<scaling::ScaledProfile> profileFor(const Annotations &annotations,
                                                 const Launch &launch);

/// The profile for `launch`; a local size of zeros stands for any. The first of these that there
/// is: of the launch itself; scaled from other launches (profileFor); of the launch itself,
/// though stale. None where there is none. Error is thrown, `PLACE: ...`, where there are none but
/// damaged ones, and for a launch that nothing can be scaled to. Decodes no more than it has to:
/// some microseconds.
std::optional<Match> find(const Annotations &annotations, const Launch &launch);

} // namespace aiwc::embed
