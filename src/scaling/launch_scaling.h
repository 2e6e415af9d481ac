/// Makes profiles for NDRanges that were not characterised, by scaling profiles of NDRanges that
/// were. README.md gives the rules, docs/prediction.md ("Other launches") their accuracy.
///
/// Not part of src/predict: scaling uses no device and no cost model, and every reader of
/// annotations needs it.
#pragma once

#include "profile/kernel_profile.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace aiwc::scaling {

using profile::LaunchKey;

/// How the value of a metric was obtained.
enum class Origin : uint8_t {
  kMeasured, ///< measured: this launch was characterised
  kLaunch,   ///< computed from the NDRange
  kScaled,   ///< scaled from one launch, by the metric's class (`profile::Scaling`)
  kFitted,   ///< scaled from two launches, by the power law through them
  kKept,     ///< the nearest launch's value, which does not depend on the number of work-items
  kDerived,  ///< computed from other metrics, by its definition
  kAssumed,  ///< kept or scaled although the work-groups are of another size
  kUnknown,  ///< has no value
};
/// "measured", "launch", ...
std::string_view toString(Origin origin);

/// How much costs predicted from scaled profiles (p) differ from costs predicted from measured
/// profiles (m): max(p / m, m / p), over the kernels of the benchmark suite and the devices in
/// devices/. Costs here are computation and memory traffic only. Latency and synchronisation hardly
/// grow, so the error of total costs was smaller.
struct ScalingAccuracy {
  double typicalFactor = 1; ///< median
  double mostFactor = 1;    ///< ninth decile: nine of ten predictions are within this factor
  size_t cases = 0;         ///< number of predictions compared
};

/// The accuracy measured for profiles that were scaled by `workItemRatio` (above 0) from one
/// launch, fitted through two launches, or scaled from work-groups of another size.
ScalingAccuracy scalingAccuracy(double workItemRatio, size_t launches, bool otherLocalSize = false);

/// The factor by which the work of a kernel was off that was scaled from one launch and whose loop
/// bounds follow its size: csr, benchmarks/results/scaling_to_medium.csv.
inline constexpr double kFollowingWorkFactor = 8.84;

struct ScaledProfile {
  /// `provenance` is the nearest launch's, with the requested NDRange. `provenance.scaledFrom`
  /// names the launches it was scaled from; it is empty if the launch itself was characterised. The
  /// profile has the same contents as an annotation: no opcodes, loops or source lines, and only
  /// two of the histograms, level widths and reuse distances.
  profile::KernelProfile profile;
  std::vector<LaunchKey> from; ///< one or two characterised launches, the nearest first
  double workItemRatio = 1;    ///< requested work-items / work-items of the nearest launch
  /// Whether the nearest launch has work-groups of another size. The metrics that this affects have
  /// `Origin::kAssumed`.
  bool otherLocalSize = false;
  std::array<Origin, profile::kMetricCount> origins{}; ///< by Metric
  /// None if the launch itself was characterised.
  std::optional<ScalingAccuracy> accuracy;

  bool exact() const { return profile.provenance.scaledFrom.empty(); }
  Origin origin(profile::Metric metric) const { return origins[index(metric)]; }
};

/// The profile for `launch`: the characterised one if `characterised` contains it, else a profile
/// scaled from the one or two nearest launches. All profiles must be of the kernel `launch.kernel`.
/// Sizes are 1 in dimensions beyond those of the NDRange; a local size of zeros stands for that of
/// the nearest launch. Launches with the same local size are nearer than others; among these, the
/// nearest is the one whose number of work-items differs by the smallest factor. A second launch is
/// used if it has the same local size as the first, and its number of work-items differs from the
/// first's by a factor of at least `kLeastSpread`.
///
/// None if no profile has the same number of dimensions (a dimension of size 1 does not count).
/// Throws Error, naming the kernel and the size, for a launch with no work-items or with 2^63 or
/// more, and if a count, or the accesses of cache lines together, would exceed 2^64 - 1.
std::optional<ScaledProfile> scaledTo(const LaunchKey &launch,
                                      std::span<const profile::KernelProfile> characterised);

/// The same for profiles that take time to read: `read(i)` returns the profile of `known[i]`, or
/// nullptr if there is none. It is called only for the profiles that are needed, and what it
/// returns must stay valid until the end of this call.
std::optional<ScaledProfile>
scaledTo(const LaunchKey &launch, std::span<const LaunchKey> known,
         const std::function<const profile::KernelProfile *(size_t)> &read);

/// The least ratio of work-items between two launches for a fit: launches closer than this say
/// little about an exponent.
inline constexpr double kLeastSpread = 1.5;
/// Fitted exponents are clamped to this range: a metric that grows faster than the square of the
/// work-items depends on another argument of the kernel, not only on its NDRange.
inline constexpr double kLeastExponent = -1;
inline constexpr double kMostExponent = 2;

} // namespace aiwc::scaling
