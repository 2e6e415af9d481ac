/// Profiles for NDRanges that were not characterised, made of those that were. docs/embedding.md
/// ("Other launches") has the rules, and how well they do.
///
/// Not in src/predict: no device and no cost model is asked, and every reader of annotations needs
/// it.
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

using profile::Launch;

/// Where the value of a metric comes from.
enum class Origin : uint8_t {
  kMeasured, ///< this launch was characterised
  kLaunch,   ///< follows from the NDRange
  kScaled,   ///< of one launch, by the metric's class (`profile::Scaling`)
  kFitted,   ///< of two launches, by the power law through them
  kKept,     ///< the nearest launch's: does not change with the work-items
  kDerived,  ///< from other metrics, by its definition
  kAssumed,  ///< the nearest launch's or scaled, though its work-groups are of another size
  kUnknown,  ///< has no value
};
/// "measured", "launch", ...
std::string_view toString(Origin origin);

/// How far the costs of scaled profiles are from those of measured ones, by max(p / m, m / p): of
/// kernels of the benchmark suite, over the devices of devices/. Of computation and memory traffic;
/// latency and synchronisation hardly grow, and whole costs were off by less.
struct ScalingAccuracy {
  double typicalFactor = 1; ///< median
  double mostFactor = 1;    ///< nine of ten are within it
  size_t cases = 0;         ///< predictions that were compared
};

/// What was measured for profiles scaled by `workItemRatio` (above 0) from one launch, or fitted
/// through two, or from work-groups of another size.
ScalingAccuracy scalingAccuracy(double workItemRatio, size_t launches, bool otherLocalSize = false);

struct ScaledProfile {
  /// `provenance` is the nearest launch's with the NDRange asked for; `provenance.scaledFrom` says
  /// from which it was scaled, and is empty where the launch itself was characterised. Holds what
  /// an annotation does: no opcodes, loops, lines, and of the histograms level widths and reuse
  /// distances alone.
  profile::KernelProfile profile;
  std::vector<Launch> from; ///< one or two characterised launches, the nearest first
  double workItemRatio = 1; ///< work-items, over those of the nearest
  /// Whether the nearest has work-groups of another size: `Origin::kAssumed` tells what rests on
  /// it.
  bool otherLocalSize = false;
  std::array<Origin, profile::kMetricCount> origins{}; ///< by Metric
  /// None where the launch itself was characterised.
  std::optional<ScalingAccuracy> accuracy;

  bool exact() const { return profile.provenance.scaledFrom.empty(); }
  Origin origin(profile::Metric metric) const { return origins[index(metric)]; }
};

/// The profile for `launch`: that of the launch itself where `characterised` has it, else scaled
/// from the one or two nearest. All are of the kernel `launch.kernel`. Sizes are 1 in dimensions
/// that the NDRange does not have; a local size of zeros stands for that of the nearest. Launches
/// with the same local size are nearer than others, then those with the work-items that are fewer
/// times more or less; a second one counts if it has the local size of the first, and at least
/// `kLeastSpread` times more or fewer work-items than it.
///
/// None where no profile has the same dimensions (one of size 1 is none). Throws Error, naming the
/// kernel and the size, for a launch without work-items or with 2^63 and more, and where a count
/// would exceed 2^64 - 1.
std::optional<ScaledProfile> scaledTo(const Launch &launch,
                                      std::span<const profile::KernelProfile> characterised);

/// The same from profiles that take time to read: `read(i)` returns the profile of `known[i]`, or
/// nullptr where there is none after all. It is called for no more of them than are needed, and
/// what it returns has to live until the end of this call.
std::optional<ScaledProfile>
scaledTo(const Launch &launch, std::span<const Launch> known,
         const std::function<const profile::KernelProfile *(size_t)> &read);

/// Two launches closer than this say little about an exponent.
inline constexpr double kLeastSpread = 1.5;
/// Fitted exponents are kept within these: what grows faster than the square of the work-items
/// follows another argument of the kernel than its NDRange.
inline constexpr double kLeastExponent = -1;
inline constexpr double kMostExponent = 2;

} // namespace aiwc::scaling
