/// Finds the profile for a launch among annotations.
#pragma once

#include "embed/annotation.h"
#include "scaling/launch_scaling.h"

#include <optional>
#include <string>

namespace aiwc::embed {

struct Match {
  profile::KernelProfile profile;
  std::string place; ///< position of the annotation; for a scaled profile, of the nearest one it
                     ///< was scaled from
  bool stale = false;
  std::optional<scaling::ScalingAccuracy>
      scaled; ///< none where the launch itself was characterised
  /// Whether the launches it was scaled from have work-groups of another size than the requested
  /// launch.
  bool otherLocalSize = false;
};

/// The profile for `launch`: that of the launch itself, or one scaled from other launches. Uses
/// only annotations of the kernel that are neither stale nor damaged, and decodes no more of them
/// than needed. Throws as scaling::scaledTo if the launch is invalid, never because of an
/// annotation.
std::optional<scaling::ScaledProfile> profileFor(const Annotations &annotations,
                                                 const LaunchKey &launch);

/// The profile for `launch`; a local size of zeros matches any. The first of these that exists: the
/// profile of the launch itself; one scaled from other launches (profileFor); the stale profile of
/// the launch itself. None if none exists. Throws Error, `PLACE: ...`, if the only candidates are
/// damaged, and Error for a launch that no profile can be scaled to. Decodes only the annotations
/// that it needs, which takes some microseconds.
std::optional<Match> find(const Annotations &annotations, const LaunchKey &launch);

} // namespace aiwc::embed
