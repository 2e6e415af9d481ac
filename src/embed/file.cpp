#include "embed/file.h"

#include "common/error.h"
#include "common/file.h"
#include "embed/sidecar.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace aiwc::embed {

namespace {

void append(Annotations &to, Annotations &&from) {
  for (Annotation &annotation : from.found)
    to.found.push_back(std::move(annotation));
  for (std::string &reason : from.reasons)
    if (to.reasons.size() < Annotations::kMaximumReasons)
      to.reasons.push_back(std::move(reason));
  to.rejected += from.rejected;
}

} // namespace

Annotations annotationsIn(std::string_view content, const std::filesystem::path &name) {
  Annotations result = containerOf(name, content).read(content);
  for (Annotation &annotation : result.found)
    annotation.place = fmt::format("{}: {}", name.string(), annotation.place);
  for (std::string &reason : result.reasons)
    reason = fmt::format("{}: {}", name.string(), reason);
  return result;
}

Annotations annotationsOf(const std::filesystem::path &file) {
  Annotations result = annotationsIn(readFile(file, "a kernel's source or binary"), file);
  const std::filesystem::path sidecar = sidecarOf(file);
  std::error_code error;
  if (!std::filesystem::exists(sidecar, error))
    return result;
  try {
    append(result,
           readSidecar(readFile(sidecar, "a sidecar"), sidecar.string(), result.sourceHash));
  } catch (const Error &unreadable) {
    result.reasons.emplace_back(unreadable.what());
    ++result.rejected;
  }
  return result;
}

} // namespace aiwc::embed
