#include "embed/match.h"

#include "common/error.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace aiwc::embed {

using profile::KernelProfile;

namespace {

bool answers(const LaunchKey &annotated, const LaunchKey &wanted) {
  return annotated.kernel == wanted.kernel && annotated.workDim == wanted.workDim &&
         annotated.globalSize == wanted.globalSize &&
         (wanted.localSize == profile::Size3{} || annotated.localSize == wanted.localSize);
}

/// The first annotation that can be read. `damage` gets the reason of the first one that cannot.
std::optional<Match> characterised(const Annotations &annotations, const LaunchKey &launch,
                                   bool stale, std::string &damage) {
  for (const Annotation &annotation : annotations.found) {
    if (annotation.stale != stale || !answers(annotation.launch, launch))
      continue;
    if (auto profile = annotation.profileIfIntact(damage))
      return Match{*std::move(profile), annotation.place, stale, std::nullopt, false};
  }
  return std::nullopt;
}

std::optional<Match> scaled(const Annotations &annotations, const LaunchKey &launch) {
  auto made = profileFor(annotations, launch);
  if (!made)
    return std::nullopt;
  const auto nearest = std::ranges::find_if(annotations.found, [&](const Annotation &annotation) {
    return annotation.launch == made->from.front() && !annotation.stale;
  });
  return Match{std::move(made->profile), nearest == annotations.found.end() ? "" : nearest->place,
               false, made->accuracy, made->otherLocalSize};
}

} // namespace

std::optional<scaling::ScaledProfile> profileFor(const Annotations &annotations,
                                                 const LaunchKey &launch) {
  std::vector<LaunchKey> known;
  std::vector<const Annotation *> of;
  for (const Annotation &annotation : annotations.found)
    if (annotation.launch.kernel == launch.kernel && !annotation.stale) {
      known.push_back(annotation.launch);
      of.push_back(&annotation);
    }
  std::deque<KernelProfile> read;
  return scaling::scaledTo(launch, known, [&](size_t i) -> const KernelProfile * {
    std::string damage; // as if it were not there
    auto profile = of[i]->profileIfIntact(damage);
    return profile ? &read.emplace_back(*std::move(profile)) : nullptr;
  });
}

std::optional<Match> find(const Annotations &annotations, const LaunchKey &launch) {
  std::string damage;
  if (auto match = characterised(annotations, launch, false, damage))
    return match;
  try {
    if (auto match = scaled(annotations, launch))
      return match;
  } catch (const Error &error) {
    if (damage.empty())
      damage = error.what();
  }
  if (auto match = characterised(annotations, launch, true, damage))
    return match;
  if (!damage.empty())
    throw Error(damage);
  return std::nullopt;
}

} // namespace aiwc::embed
