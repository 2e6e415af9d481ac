#include "boundary.h"
#include "embed/container.h"
#include "embed/match.h"
#include "handles.h"
#include "text/text.h"

#include <fmt/format.h>

#include <memory>
#include <span>

namespace {

using namespace aiwc::capi;
namespace embed = aiwc::embed;
using aiwc::profile::LaunchKey;
using aiwc::profile::sizeText;
using aiwc::text::printable;

constexpr size_t kMostDimensions = 3;

LaunchKey launchOf(const char *kernel, size_t workDim, const size_t *globalSize,
                   const size_t *localSize) {
  LaunchKey launch;
  launch.kernel = &given(kernel, "kernel");
  given(globalSize, "global_size");
  if (workDim == 0 || workDim > kMostDimensions)
    throw Failure(AIWC_BAD_ARGUMENT, fmt::format("work_dim is {}: expected 1 to 3", workDim));
  launch.workDim = static_cast<uint32_t>(workDim);
  launch.globalSize.fill(1);
  std::ranges::copy(std::span(globalSize, workDim), launch.globalSize.begin());
  if (std::ranges::find(launch.globalSize, 0U) != launch.globalSize.end())
    throw Failure(AIWC_BAD_ARGUMENT, "global_size has a 0: expected work-items");
  if (!localSize)
    return launch; // zeros: any
  launch.localSize.fill(1);
  std::ranges::copy(std::span(localSize, workDim), launch.localSize.begin());
  if (std::ranges::find(launch.localSize, 0U) != launch.localSize.end())
    throw Failure(AIWC_BAD_ARGUMENT, "local_size has a 0: expected work-items, or NULL for any");
  return launch;
}

aiwc_match toC(const embed::Match &match) {
  aiwc_match result{};
  result.stale = match.stale ? 1 : 0;
  result.scaled = match.scaled ? 1 : 0;
  result.other_local_size = match.otherLocalSize ? 1 : 0;
  result.typical_factor = match.scaled ? match.scaled->typicalFactor : 1;
  result.most_factor = match.scaled ? match.scaled->mostFactor : 1;
  return result;
}

std::string textOf(const LaunchKey &launch) {
  const bool anyLocal = launch.localSize == aiwc::profile::Size3{};
  return fmt::format("kernel {} with global size {} and {}", printable(launch.kernel, 100),
                     sizeText(launch.globalSize, launch.workDim),
                     anyLocal ? "any local size"
                              : "local size " + sizeText(launch.localSize, launch.workDim));
}

} // namespace

aiwc_status aiwc_annotations_read(const char *path, aiwc_annotations **annotations) {
  return guarded(AIWC_BAD_FILE, [&] {
    aiwc_annotations *&result = given(annotations, "annotations");
    const std::string file = &given(path, "path");
    result = std::make_unique<aiwc_annotations>(aiwc_annotations{embed::annotationsOf(file), file})
                 .release();
  });
}

aiwc_status aiwc_annotations_parse(const void *content, size_t length, const char *origin,
                                   aiwc_annotations **annotations) {
  return guarded(AIWC_BAD_FILE, [&] {
    aiwc_annotations *&result = given(annotations, "annotations");
    const char *const begin = &given(static_cast<const char *>(content), "content");
    requireAtMost(length, kMostBytes, "length");
    const std::string_view bytes(begin, length);
    const std::string name = origin ? origin : "kernels";
    result = std::make_unique<aiwc_annotations>(
                 aiwc_annotations{embed::annotationsIn(bytes, name), name})
                 .release();
  });
}

void aiwc_annotations_free(aiwc_annotations *annotations) {
  delete annotations;
}

size_t aiwc_annotations_count(const aiwc_annotations *annotations) {
  return annotations ? annotations->all.found.size() : 0;
}

aiwc_status aiwc_annotations_at(const aiwc_annotations *annotations, size_t index,
                                aiwc_annotation *annotation, size_t annotation_size) {
  return guarded(AIWC_INTERNAL, [&] {
    const auto &found = given(annotations, "annotations").all.found;
    given(annotation, "annotation");
    requireSize<aiwc_annotation>(annotation_size, "annotation_size");
    if (index >= found.size())
      throw Failure(AIWC_BAD_ARGUMENT,
                    fmt::format("index is {}: expected one below {}", index, found.size()));
    const LaunchKey &launch = found[index].launch;
    aiwc_annotation result{};
    result.kernel = launch.kernel.c_str();
    result.work_dim = launch.workDim;
    std::ranges::copy(launch.globalSize, result.global_size);
    std::ranges::copy(launch.localSize, result.local_size);
    result.stale = found[index].stale ? 1 : 0;
    copyOut(result, annotation, annotation_size);
  });
}

size_t aiwc_annotations_rejected(const aiwc_annotations *annotations) {
  return annotations ? annotations->all.rejected : 0;
}

const char *aiwc_annotations_reason(const aiwc_annotations *annotations, size_t index) {
  return annotations && index < annotations->all.reasons.size()
             ? annotations->all.reasons[index].c_str()
             : "";
}

aiwc_status aiwc_annotations_find(const aiwc_annotations *annotations, const char *kernel,
                                  size_t work_dim, const size_t *global_size,
                                  const size_t *local_size, aiwc_profile **profile,
                                  aiwc_match *match, size_t match_size) {
  return guarded(AIWC_BAD_FILE, [&] {
    const aiwc_annotations &from = given(annotations, "annotations");
    aiwc_profile *&result = given(profile, "profile");
    if (match)
      requireSize<aiwc_match>(match_size, "match_size");
    const LaunchKey launch = launchOf(kernel, work_dim, global_size, local_size);
    auto found = embed::find(from.all, launch);
    if (!found)
      throw Failure(AIWC_NOT_FOUND,
                    fmt::format("{}: no profile of {} is embedded", from.origin, textOf(launch)));
    auto handle = std::make_unique<aiwc_profile>(std::move(found->profile), found->place);
    if (match)
      copyOut(toC(*found), match, match_size);
    result = handle.release();
  });
}
