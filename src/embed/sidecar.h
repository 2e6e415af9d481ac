/// The container for files that cannot hold annotations: a JSON file `FILE.aiwc.json` next to the
/// file.
#pragma once

#include "embed/annotation.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace aiwc::embed {

/// The version of the JSON format. It is incremented if a reader of the old version would misread
/// the new one.
inline constexpr int kSidecarVersion = 1;

std::filesystem::path sidecarOf(const std::filesystem::path &file);

/// The text of a sidecar for a file whose hash is `fileHash`, as docs/embedding.md describes it.
std::string writeSidecar(std::span<const Annotation> annotations, std::string_view fileHash);

/// Reads the annotations in `text`, the content of the sidecar `name`. Annotations written for
/// another `fileHash` are stale. If `text` is not a sidecar, the result has one rejected
/// annotation, at `name`. Throws nothing but std::bad_alloc.
Annotations readSidecar(std::string_view text, const std::string &name, std::string_view fileHash);

} // namespace aiwc::embed
