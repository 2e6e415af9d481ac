#include "embed/launch_scaling.h"

#include <algorithm>
#include <array>
#include <limits>

namespace aiwc::embed {

namespace {

struct Row {
  size_t launches;
  double ratio; ///< of work-items, up or down, to which it goes
  ScalingAccuracy accuracy;
};

constexpr double kAnyRatio = std::numeric_limits<double>::infinity();

/// What aiwc-scaling prints, without synchronisation and latency: docs/embedding.md has the command
/// and the sizes.
constexpr std::array<Row, 7> kRows = {{
    {1, 2, {1.17, 2.21, 115}},
    {1, 8, {1.09, 2.31, 221}},
    {1, 32, {1.09, 1.97, 84}},
    {1, kAnyRatio, {2.02, 6.51, 20}},
    {2, 2, {1.06, 1.92, 115}},
    {2, 8, {1.05, 1.58, 221}},
    {2, kAnyRatio, {1.57, 6.74, 28}},
}};

} // namespace

ScalingAccuracy scalingAccuracy(double workItemRatio, size_t launches) {
  const double ratio = std::max(workItemRatio, 1 / workItemRatio);
  const auto *const row = std::ranges::find_if(kRows, [&](const Row &candidate) {
    return candidate.launches == std::clamp<size_t>(launches, 1, 2) && ratio <= candidate.ratio;
  });
  return row->accuracy;
}

} // namespace aiwc::embed
