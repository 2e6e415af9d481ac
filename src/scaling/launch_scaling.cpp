#include "scaling/launch_scaling.h"

#include "common/error.h"
#include "common/wide.h"
#include "profile/local_memory.h"
#include "scaling/scaled_histograms.h"
#include "scaling/scaling_law.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <variant>

namespace aiwc::scaling {

using profile::KernelProfile;
using profile::launchOf;
using profile::Size3;
using profile::sizeText;

namespace {

constexpr uint64_t kMostWorkItems = uint64_t{1} << 63U;

/// None if there are 2^63 or more.
std::optional<uint64_t> workItemsOf(const LaunchKey &launch) {
  Wide product = 1;
  for (const uint64_t size : launch.globalSize) {
    product *= size;
    if (product >= kMostWorkItems)
      return std::nullopt;
  }
  return static_cast<uint64_t>(product);
}

[[noreturn]] void refuseSize(const LaunchKey &launch, std::string_view what, const Size3 &size,
                             std::string_view expected) {
  throw Error(fmt::format("kernel {}: {} is {}: expected {}", text::printable(launch.kernel, 60),
                          what, sizeText(size, launch.workDim), expected));
}

void checkLaunch(const LaunchKey &launch) {
  if (launch.workDim < 1 || launch.workDim > 3)
    throw Error(fmt::format("kernel {}: work_dim is {}: expected 1 to 3",
                            text::printable(launch.kernel, 60), launch.workDim));
  if (workItemsOf(launch) == 0U)
    refuseSize(launch, "global size", launch.globalSize, "at least one work-item");
  if (!workItemsOf(launch))
    refuseSize(launch, "global size", launch.globalSize, "fewer than 2^63 work-items");
  LaunchKey group = launch;
  group.globalSize = launch.localSize;
  if (launch.localSize != Size3{} && workItemsOf(group).value_or(0) == 0)
    refuseSize(launch, "local size", launch.localSize,
               "sizes from 1 on and fewer than 2^63 work-items");
}

/// The distance between two launches; a smaller one is nearer.
using Distance = std::tuple<bool, double, double>;

double times(uint64_t a, uint64_t b) {
  return std::abs(std::log2(static_cast<double>(a)) - std::log2(static_cast<double>(b)));
}

Distance distance(const LaunchKey &wanted, const LaunchKey &known) {
  double shape = 0;
  for (size_t i = 0; i < known.globalSize.size(); ++i)
    shape += times(wanted.globalSize[i], known.globalSize[i]);
  return {wanted.localSize != Size3{} && wanted.localSize != known.localSize,
          times(*workItemsOf(wanted), *workItemsOf(known)), shape};
}

/// Whether a launch can be scaled from this profile: something was executed, and its sums are
/// possible for a kernel.
bool isUsable(const KernelProfile &profile) {
  return profile.complete && sumsOf(profile.histograms.asapFpLevels) &&
         sumOf(profile.histograms.reuseDistances);
}

/// Whether it spans the same dimensions. A dimension of size 1 does not count.
bool isCandidate(const LaunchKey &wanted, const LaunchKey &known) {
  for (size_t i = std::min(wanted.workDim, known.workDim); i < known.globalSize.size(); ++i)
    if (wanted.globalSize[i] != 1 || known.globalSize[i] != 1)
      return false;
  return workItemsOf(known).value_or(0) > 0;
}

/// Indices of `known`, nearest first.
std::vector<size_t> byDistance(const LaunchKey &wanted, std::span<const LaunchKey> known) {
  std::vector<size_t> order;
  for (size_t i = 0; i < known.size(); ++i)
    if (isCandidate(wanted, known[i]))
      order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](size_t i) { return distance(wanted, known[i]); });
  return order;
}

/// Whether a power law can be fitted through both.
bool makesPair(const LaunchKey &first, const LaunchKey &second) {
  const auto [fewer, more] = std::minmax({*workItemsOf(first), *workItemsOf(second)});
  return first.localSize == second.localSize &&
         static_cast<double>(more) / static_cast<double>(fewer) >= kLeastSpread;
}

std::string nameOf(const LaunchKey &launch) {
  return fmt::format("{}/{}", sizeText(launch.globalSize, launch.workDim),
                     sizeText(launch.localSize, launch.workDim));
}

ScaledProfile exactly(const KernelProfile &profile) {
  ScaledProfile result;
  result.profile = profile;
  result.from = {launchOf(profile.provenance)};
  for (const profile::MetricInfo &row : profile::catalogue())
    result.origins[index(row.metric)] = std::holds_alternative<std::monostate>(profile[row.metric])
                                            ? Origin::kUnknown
                                            : Origin::kMeasured;
  return result;
}

ScaledProfile scaled(const LaunchKey &wanted, const KernelProfile &nearest,
                     const KernelProfile *second) {
  const LaunchKey first = launchOf(nearest.provenance);
  ScaledProfile result;
  result.from = {first};
  std::optional<uint64_t> secondItems;
  if (second) {
    result.from.push_back(launchOf(second->provenance));
    secondItems = workItemsOf(result.from.back());
  }
  profile::Provenance &made = result.profile.provenance;
  made = nearest.provenance;
  made.invocation = 0;
  made.globalSize = wanted.globalSize;
  if (wanted.localSize != Size3{})
    made.localSize = wanted.localSize;
  for (const LaunchKey &from : result.from)
    made.scaledFrom += (made.scaledFrom.empty() ? "" : " ") + nameOf(from);
  result.profile.simulatorErrors = nearest.simulatorErrors;
  result.profile.localMemory = profile::localMemoryOf(nearest);
  result.otherLocalSize = made.localSize != first.localSize;
  const ScalingLaw law(*workItemsOf(wanted), *workItemsOf(first), secondItems);
  result.workItemRatio = law.ratio();
  scaleMetrics(nearest, second, law, result);
  result.accuracy = scalingAccuracy(law.ratio(), result.from.size(), result.otherLocalSize);
  return result;
}

} // namespace

std::string_view toString(Origin origin) {
  constexpr std::array<std::string_view, 8> kNames = {"measured", "launch",  "scaled",  "fitted",
                                                      "kept",     "derived", "assumed", "unknown"};
  return kNames[static_cast<size_t>(origin)];
}

std::optional<ScaledProfile> scaledTo(const LaunchKey &wanted, std::span<const LaunchKey> known,
                                      const std::function<const KernelProfile *(size_t)> &read) {
  checkLaunch(wanted);
  const KernelProfile *nearest = nullptr;
  size_t first = 0;
  for (const size_t i : byDistance(wanted, known)) {
    const LaunchKey &launch = known[i];
    if (nearest && !makesPair(known[first], launch))
      continue;
    const KernelProfile *profile = read(i);
    if (!profile || !isUsable(*profile))
      continue;
    const bool same = launch.globalSize == wanted.globalSize &&
                      (wanted.localSize == Size3{} || launch.localSize == wanted.localSize);
    if (!nearest && same)
      return exactly(*profile);
    if (nearest)
      return scaled(wanted, *nearest, profile);
    nearest = profile;
    first = i;
  }
  if (!nearest)
    return std::nullopt;
  return scaled(wanted, *nearest, nullptr);
}

std::optional<ScaledProfile> scaledTo(const LaunchKey &launch,
                                      std::span<const KernelProfile> characterised) {
  std::vector<LaunchKey> known;
  for (const KernelProfile &profile : characterised)
    known.push_back(launchOf(profile.provenance));
  return scaledTo(launch, known, [&](size_t i) { return &characterised[i]; });
}

} // namespace aiwc::scaling
