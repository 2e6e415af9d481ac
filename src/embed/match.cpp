#include "embed/match.h"

#include "common/error.h"

namespace aiwc::embed {

namespace {

bool answers(const Launch &annotated, const Launch &wanted) {
  return annotated.kernel == wanted.kernel && annotated.workDim == wanted.workDim &&
         annotated.globalSize == wanted.globalSize &&
         (wanted.localSize == profile::Size3{} || annotated.localSize == wanted.localSize);
}

} // namespace

std::optional<Match> find(const Annotations &annotations, const Launch &launch) {
  std::string damage;
  for (const bool stale : {false, true})
    for (const Annotation &annotation : annotations.found) {
      if (annotation.stale != stale || !answers(annotation.launch, launch))
        continue;
      try {
        return Match{annotation.profile(), annotation.place, stale};
      } catch (const Error &error) {
        if (damage.empty())
          damage = error.what();
      }
    }
  if (!damage.empty())
    throw Error(damage);
  return std::nullopt;
}

} // namespace aiwc::embed
