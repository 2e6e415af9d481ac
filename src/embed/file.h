/// Annotations of files, whatever carries them.
#pragma once

#include "embed/annotation.h"
#include "embed/carrier.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace aiwc::embed {

/// The bytes of a regular file. Throws Error, `FILE: ...: expected WHAT`, where it cannot be read
/// or is larger than 256 MiB.
std::string readFile(const std::filesystem::path &file, std::string_view what);

/// Writes `content` into a new file beside `file`, which then takes its place at a stroke, with the
/// permissions that `file` had. A symbolic link stays and what it leads to is replaced. Throws
/// Error with the operating system's reason, and then `file` is as it was.
void replaceFile(const std::filesystem::path &file, std::string_view content);

/// The annotations in `content`, of what is called `name`: its own, for a sidecar is another file.
/// Places begin with the name. Throws nothing but std::bad_alloc.
Annotations annotationsIn(std::string_view content, const std::filesystem::path &name);

/// The annotations of a file: those in it and those in its sidecar. Places begin with a file's
/// name. Throws Error where `file` itself cannot be read, nothing else.
Annotations annotationsOf(const std::filesystem::path &file);

} // namespace aiwc::embed
