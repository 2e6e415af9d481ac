#include "scaling/launch_scaling.h"

#include <algorithm>
#include <array>
#include <limits>

namespace aiwc::scaling {

namespace {

struct Row {
  size_t launches;
  double ratio; ///< of work-items, up or down, to which it goes
  ScalingAccuracy accuracy;
};

constexpr double kAnyRatio = std::numeric_limits<double>::infinity();

/// Output of aiwc-scaling, without synchronisation and latency; docs/embedding.md has the command
/// and the sizes.
constexpr std::array<Row, 6> kRows = {{
    {1, 2, {1.16, 2.21, 119}},
    {1, 8, {1.07, 2.44, 242}},
    {1, kAnyRatio, {1.02, 2.22, 173}},
    {2, 2, {1.05, 1.69, 129}},
    {2, 8, {1.02, 1.46, 313}},
    {2, kAnyRatio, {1.01, 1.97, 108}},
}};

constexpr ScalingAccuracy kOtherLocalSize = {1.28, 1.92, 398};

} // namespace

ScalingAccuracy scalingAccuracy(double workItemRatio, size_t launches, bool otherLocalSize) {
  if (otherLocalSize)
    return kOtherLocalSize;
  const double ratio = std::max(workItemRatio, 1 / workItemRatio);
  const auto *const row = std::ranges::find_if(kRows, [&](const Row &candidate) {
    return candidate.launches == std::clamp<size_t>(launches, 1, 2) && ratio <= candidate.ratio;
  });
  return row->accuracy;
}

} // namespace aiwc::scaling
