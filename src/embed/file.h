/// Reads the annotations of a file in any format.
#pragma once

#include "embed/annotation.h"
#include "embed/container.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace aiwc::embed {

/// The annotations in `content` of the file called `name`; its sidecar is not read. Places begin
/// with the name. Throws nothing but std::bad_alloc.
Annotations annotationsIn(std::string_view content, const std::filesystem::path &name);

/// The annotations in a file and in its sidecar. Places begin with the name of the file that holds
/// the annotation. Throws Error only if `file` itself cannot be read.
Annotations annotationsOf(const std::filesystem::path &file);

} // namespace aiwc::embed
