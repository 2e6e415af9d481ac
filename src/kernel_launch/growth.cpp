#include "kernel_launch/growth.h"

#include "common/error.h"

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace aiwc::kernel_launch {

namespace {

/// The values of matrices, of several for each work-item, and of images with a border. Of several
/// that are the same number, the first is taken.
constexpr std::array<std::string_view, 13> kSizes = {"items",
                                                     "gx*gx",
                                                     "gy*gy",
                                                     "gx*gx*gx",
                                                     "items*items",
                                                     "2*items",
                                                     "3*items",
                                                     "4*items",
                                                     "8*items",
                                                     "16*items",
                                                     "gx*gy+gx",
                                                     "(gx+2)*(gy+2)",
                                                     "(gx+2)*(gy+2)*(gz+2)"};

/// The same where only the first accesses are known: far enough apart that few launches are in
/// vain.
constexpr std::array<std::string_view, 9> kSteps = {
    "(gx+2)*(gy+2)", "(gx+2)*(gy+2)*(gz+2)", "4*items", "16*items", "256*items", "gx*gx", "gy*gy",
    "gx*gx*gx",      "items*items"};

/// None if it is beyond 63 bits, or of a dimension that the launch does not have.
std::optional<uint64_t> valueOf(std::string_view count, const Sizes &sizes) {
  if ((sizes.dimensions < 2 && count.find("gy") != std::string_view::npos) ||
      (sizes.dimensions < 3 && count.find("gz") != std::string_view::npos))
    return std::nullopt;
  try {
    return static_cast<uint64_t>(numberOf(count, sizes));
  } catch (const Error &) {
    return std::nullopt;
  }
}

} // namespace

std::string countFor(uint64_t needed, bool isPart, const Sizes &sizes) {
  std::string best;
  uint64_t least = isPart ? std::numeric_limits<uint64_t>::max() : needed + 1;
  const std::span<const std::string_view> counts = isPart
                                                       ? std::span<const std::string_view>(kSteps)
                                                       : std::span<const std::string_view>(kSizes);
  for (const std::string_view count : counts)
    if (const auto value = valueOf(count, sizes); value && *value >= needed && *value < least) {
      best = count;
      least = *value;
    }
  return best.empty() ? std::to_string(needed) : best;
}

std::vector<std::string> grownCounts(const std::vector<SimulatorError> &errors, bool isPart,
                                     const LaunchedArguments &launch,
                                     const std::vector<bool> &growable, const Sizes &sizes) {
  const std::vector<uint64_t> needed = neededValues(errors, launch);
  std::vector<std::string> counts(needed.size());
  for (size_t i = 0; i < needed.size(); ++i) {
    const auto type = launch.signature.parameters[i].valueType();
    if (needed[i] == 0 || !growable[i] || !type)
      continue;
    const uint64_t most = kMostGrownBytes / type->valueBytes();
    if (needed[i] > most)
      continue;
    counts[i] = countFor(needed[i], isPart, sizes);
    if (const auto value = valueOf(counts[i], sizes); !value || *value > most)
      counts[i] = std::to_string(needed[i]);
  }
  return counts;
}

} // namespace aiwc::kernel_launch
