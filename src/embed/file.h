/// Annotations of files, whatever carries them.
#pragma once

#include "embed/annotation.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace aiwc::embed {

enum class Carrier : uint8_t {
  kOpenClC, ///< comment blocks
  kSidecar, ///< a JSON file beside it
};

/// What carries the annotations of a file of this name and content: its comments where it is text,
/// a sidecar where it is not (bitcode, SPIR-V, whatever holds a byte 0) or is LLVM IR.
Carrier carrierOf(const std::filesystem::path &file, std::string_view content);

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

/// Whether `bytes` are what was characterised: their hash without annotations is provenance's. Only
/// what carries its annotations itself can be asked that.
bool belongs(const profile::Provenance &provenance, std::string_view bareHash, Carrier carrier);

} // namespace aiwc::embed
