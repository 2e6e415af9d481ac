/// The carrier for what can carry nothing: a JSON file `FILE.aiwc.json` beside it.
#pragma once

#include "embed/annotation.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace aiwc::embed {

/// Of the JSON. Incremented when a reader of the old one would misread the new one.
inline constexpr int kSidecarVersion = 1;

std::filesystem::path sidecarOf(const std::filesystem::path &file);

/// The sidecar of what has the hash `fileHash`, as docs/embedding.md describes it.
std::string writeSidecar(std::span<const Annotation> annotations, std::string_view fileHash);

/// What `text` holds of it. Stale is what was written for another `fileHash`. A text that is no
/// sidecar has one rejected annotation, at `name`; nothing is thrown but std::bad_alloc.
Annotations readSidecar(std::string_view text, const std::string &name, std::string_view fileHash);

} // namespace aiwc::embed
