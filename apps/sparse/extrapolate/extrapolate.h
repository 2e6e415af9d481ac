/// Makes the profile of a launch on a whole sparse matrix from profiles of launches on samples of
/// it. apps/sparse/README.md ("Extrapolating") says how, and how well it works.
#pragma once

#include "extrapolate/count_law.h"
#include "extrapolate/gather_model.h"
#include "extrapolate/pattern.h"
#include "profile/kernel_profile.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aiwc::extrapolate {

/// A launch that was characterised.
struct SampleLaunch {
  const Pattern *pattern = nullptr;
  const profile::KernelProfile *profile = nullptr;
};

struct Extrapolated {
  profile::KernelProfile profile;
  WorkItems items;
  /// What the kernel's loops go through; none if it has none, or they go through something else.
  std::optional<Quantity> loops;
  std::vector<std::string> gathered; ///< arrays that it accesses at rows or columns of non-zeros
  /// The share of the largest sample's line accesses whose reuse distances the model of the gathers
  /// has in another bin than the profile.
  double reuseMismatch = 0;
};

/// `samples` are launches of the same kernel, at the same place of each run. `from` says in one
/// line what they were (Provenance::extrapolatedFrom). With several samples, each metric has an
/// error: by how much the profile of each sample differs from the one extrapolated from the others,
/// in the mean. Throws Error if a sample's profile is not complete or has no work-items.
Extrapolated extrapolate(std::span<const SampleLaunch> samples, const Pattern &whole,
                         const std::string &from);
/// The same with what was modelled for other launches.
Extrapolated extrapolate(std::span<const SampleLaunch> samples, const Pattern &whole,
                         const std::string &from, GatherModels &models);

} // namespace aiwc::extrapolate
