#include "predict/idiom_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace aiwc::predict {

namespace {

constexpr std::array<TermInfo, kIdiomCount + 1> kParts = {{
    {"stream", "stream", Term::kSlowMemory},
    {"gather", "gather", Term::kSlowMemory},
    {"scatter", "scatter", Term::kSlowMemory},
    {"gather_scatter", "gather/scatter", Term::kSlowMemory},
    {"transpose", "transpose", Term::kSlowMemory},
    {"reduction", "reduction", Term::kSlowMemory},
    {"stencil", "stencil", Term::kSlowMemory},
    {"matrix_multiply", "matrix multiply", Term::kSlowMemory},
    {"launch", "launch", Term::kSynchronization},
}};
static_assert(kParts.size() <= kMostParts);
constexpr size_t kLaunchPart = kIdiomCount;

const IdiomCurve *curveOf(const DeviceProfile &device, Idiom idiom) {
  return device.measurements ? device.measurements->curve(idiom) : nullptr;
}

/// The curves by which the time of an idiom is computed: equal shares of its bytes by each.
std::vector<Idiom> curvesFor(const DeviceProfile &device, Idiom idiom) {
  if (!curveOf(device, idiom)) {
    if (idiom == Idiom::kGatherScatter)
      return {Idiom::kGather, Idiom::kScatter};
    if (idiom == Idiom::kMatrixMultiply)
      return {Idiom::kStream};
  }
  return {idiom};
}

std::string keyOf(Idiom idiom) {
  return fmt::format("measurements.idioms.{}", toString(idiom));
}

} // namespace

std::span<const TermInfo> IdiomCostModel::parts() const {
  return kParts;
}

std::string IdiomCostModel::unusable(const KernelWork &work) const {
  return work.unusableIdioms;
}

std::vector<Parameter> IdiomCostModel::lacking(const KernelWork &work,
                                               const DeviceProfile &device) const {
  if (work.idioms.empty() && !device.has(Parameter::kLaunchOverhead))
    return {Parameter::kLaunchOverhead};
  return {};
}

std::vector<std::string> IdiomCostModel::lackingCurves(const KernelWork &work,
                                                       const DeviceProfile &device) const {
  std::vector<std::string> keys;
  for (const IdiomWork &part : work.idioms)
    for (const Idiom idiom : curvesFor(device, part.idiom))
      if (!curveOf(device, idiom) && std::ranges::find(keys, keyOf(idiom)) == keys.end())
        keys.push_back(keyOf(idiom));
  return keys;
}

Cost IdiomCostModel::cost(const KernelWork &work, const DeviceProfile &device, double share) const {
  requireShare(work, share);
  if (!work.unusableIdioms.empty())
    throw Error(fmt::format("kernel {}: {}", work.kernel, work.unusableIdioms));
  if (const std::vector<std::string> keys = lackingCurves(work, device); !keys.empty())
    throw MissingParameter(fmt::format("device {}: no {}, which the idiom model needs for kernel "
                                       "{}: expected the curves of aiwc devices measure",
                                       device.id, keys.front(), work.kernel));
  const double lanes =
      device.has(Parameter::kLaneWidth) ? std::max(1.0, device[Parameter::kLaneWidth]) : 1;
  Cost cost;
  for (const IdiomWork &part : work.idioms) {
    // The curve of matrix multiplication contains what its work-items share.
    const bool curveShares =
        part.idiom == Idiom::kMatrixMultiply && curveOf(device, Idiom::kMatrixMultiply);
    const double bytes = share * (part.bytes + part.sharedBytes / (curveShares ? 1 : lanes));
    const double footprint = std::max(1.0, share * part.footprint);
    const std::vector<Idiom> curves = curvesFor(device, part.idiom);
    for (const Idiom idiom : curves)
      cost.parts[static_cast<size_t>(part.idiom)] +=
          bytes / static_cast<double>(curves.size()) /
          (curveOf(device, idiom)->bandwidthAt(footprint) * 1e9);
  }
  if (work.idioms.empty())
    cost.parts[kLaunchPart] = device[Parameter::kLaunchOverhead] * 1e-6;
  for (size_t i = 0; i < kParts.size(); ++i) {
    cost.terms[static_cast<size_t>(kParts[i].term)] += cost.parts[i];
    cost.seconds += cost.parts[i];
  }
  cost.boundBy = static_cast<size_t>(std::ranges::max_element(cost.parts) - cost.parts.begin());
  return cost;
}

} // namespace aiwc::predict
