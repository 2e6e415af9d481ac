#include "idiom_model/idiom_model.h"

#include "profile/access_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace aiwc::idiom_model {

using predict::Cost;
using predict::DeviceProfile;
using predict::Idiom;
using predict::IdiomCurve;
using predict::kIdiomCount;
using predict::Missing;
using predict::Parameter;
using predict::Term;

namespace {

constexpr std::array<predict::TermInfo, kIdiomCount + 1> kParts = {{
    {"stream", "stream", Term::kDram},
    {"gather", "gather", Term::kDram},
    {"scatter", "scatter", Term::kDram},
    {"gather_scatter", "gather/scatter", Term::kDram},
    {"transpose", "transpose", Term::kDram},
    {"reduction", "reduction", Term::kDram},
    {"stencil", "stencil", Term::kDram},
    {"matrix_multiply", "matrix multiply", Term::kDram},
    {"launch", "launch", Term::kLaunch},
}};
static_assert(kParts.size() <= predict::kMostParts);
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

/// What an idiom moves in one loop of a kernel.
struct IdiomWork {
  Idiom idiom = Idiom::kStream;
  double bytes = 0;       ///< read and written in global and constant memory
  double sharedBytes = 0; ///< more bytes, at addresses that neighbouring work-items share
  double footprint = 0;   ///< distinct bytes, about
};

/// The idioms that move any bytes.
std::vector<IdiomWork> worksOf(const std::vector<profile::AccessRow> &accesses) {
  std::vector<IdiomWork> works;
  for (const profile::IdiomInstance &instance : profile::idiomInstances(accesses)) {
    IdiomWork work;
    work.idiom = instance.idiom;
    work.footprint = static_cast<double>(instance.footprint);
    for (const profile::AccessRow *row : instance.accesses)
      if (row->space != profile::MemorySpace::kLocal)
        (row->laneStride == 0 ? work.sharedBytes : work.bytes) += static_cast<double>(row->bytes);
    if (instance.bytes > 0)
      works.push_back(work);
  }
  return works;
}

class IdiomCosts : public predict::LaunchCosts {
public:
  explicit IdiomCosts(const profile::KernelProfile &profile)
      : idioms_(worksOf(*profile.accesses)) {}

  Missing missing(const DeviceProfile &device) const override {
    Missing missing;
    if (idioms_.empty() && !device.has(Parameter::kLaunchOverhead))
      missing.add(Parameter::kLaunchOverhead);
    for (const IdiomWork &work : idioms_)
      for (const Idiom idiom : curvesFor(device, work.idiom))
        if (!curveOf(device, idiom))
          missing.add({{}, {keyOf(idiom)}});
    return missing;
  }

  Cost on(const DeviceProfile &device, double share) const override {
    missing(device).require(device);
    const double lanes =
        device.has(Parameter::kLaneWidth) ? std::max(1.0, device[Parameter::kLaneWidth]) : 1;
    Cost cost;
    for (const IdiomWork &work : idioms_) {
      // The curve of matrix multiplication contains what its work-items share.
      const bool curveShares =
          work.idiom == Idiom::kMatrixMultiply && curveOf(device, Idiom::kMatrixMultiply);
      const double bytes = share * (work.bytes + work.sharedBytes / (curveShares ? 1 : lanes));
      const double footprint = std::max(1.0, share * work.footprint);
      const std::vector<Idiom> curves = curvesFor(device, work.idiom);
      for (const Idiom idiom : curves)
        cost.parts[static_cast<size_t>(work.idiom)] +=
            bytes / static_cast<double>(curves.size()) /
            (curveOf(device, idiom)->bandwidthAt(footprint) * 1e9);
    }
    if (idioms_.empty())
      cost.parts[kLaunchPart] = device[Parameter::kLaunchOverhead] * 1e-6;
    cost.sumParts(kParts);
    return cost;
  }

private:
  std::vector<IdiomWork> idioms_;
};

} // namespace

std::span<const predict::TermInfo> IdiomModel::parts() const {
  return kParts;
}

std::string IdiomModel::whyNot(const profile::KernelProfile &profile) const {
  if (!profile.complete)
    return "complete is false: expected the profile of a whole invocation";
  if (!profile.accesses)
    return "accesses is missing: expected a profile that was characterised by this version, "
           "neither embedded nor scaled";
  return {};
}

std::unique_ptr<const predict::LaunchCosts>
IdiomModel::prepare(const profile::KernelProfile &profile) const {
  return std::make_unique<IdiomCosts>(profile);
}

} // namespace aiwc::idiom_model
