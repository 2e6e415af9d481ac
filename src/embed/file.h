/// Annotations of files, whatever carries them.
#pragma once

#include "embed/annotation.h"
#include "embed/carrier.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace aiwc::embed {

/// The annotations in `content`, of what is called `name`: its own, for a sidecar is another file.
/// Places begin with the name. Throws nothing but std::bad_alloc.
Annotations annotationsIn(std::string_view content, const std::filesystem::path &name);

/// The annotations of a file: those in it and those in its sidecar. Places begin with a file's
/// name. Throws Error where `file` itself cannot be read, nothing else.
Annotations annotationsOf(const std::filesystem::path &file);

} // namespace aiwc::embed
