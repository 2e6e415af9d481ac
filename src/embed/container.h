/// Containers: the file formats that can hold annotations, one `Container` with its functions per
/// format.
#pragma once

#include "embed/annotation.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

/// What identifies a program, to check that a profile belongs to it.
struct Identity {
  std::string hash;                 ///< the `source_hash` of its profiles; empty if unknown
  std::vector<std::string> kernels; ///< the functions it defines, sorted; empty if unknown
};

/// A format for kernels. The functions take the whole content of a file.
struct Container {
  std::string_view name; ///< "OpenCL C", for messages
  /// The `source_kind` of profiles whose `source_hash` is the hash of such a program; empty if no
  /// profile has one.
  std::string_view sourceKind;
  /// Whether the format is a source language, which no compiler produces from another one. A
  /// profile of another kind of program then does not belong to it.
  bool isSource = false;
  /// Whether the format can hold annotations. If not, `strip` and `embed` throw Error.
  bool holds = true;
  /// Whether content that no earlier container recognised is of this format. The name `file`
  /// identifies the formats that their content does not.
  bool (*recognises)(const std::filesystem::path &file, std::string_view content);
  /// Reads the annotations, and the hash of everything else. Accepts any input; throws nothing but
  /// std::bad_alloc. O(length).
  Annotations (*read)(std::string_view content);
  /// `content` without annotations. strip(embed(x, ...)) == strip(x), except for bitcode, which
  /// LLVM rewrites.
  std::string (*strip)(std::string_view content);
  /// `content` with its annotations replaced by `annotations`. Throws Error, `WHAT: expected WHAT`,
  /// if they cannot be stored there.
  std::string (*embed)(std::string_view content, std::span<const Annotation> annotations);
  /// Throws Error if the content cannot be read.
  Identity (*identity)(std::string_view content);
};

/// The container for files that cannot hold annotations, such as a driver's binary: their
/// annotations are in a sidecar. Such a file is also searched for bitcode inside it.
extern const Container kBinary;

/// LLVM IR as text (*.ll). Annotations are put into its bitcode (bitcode.h), whose metadata
/// llvm-dis prints: they are found in the text, too, but text is neither annotated nor stripped.
extern const Container kLlvmText;

/// The first container that recognises `content`, which is the content of the file named `file`.
const Container &containerOf(const std::filesystem::path &file, std::string_view content);

/// Why a profile does not belong to the program with this identity, as `FIELD is VALUE: expected
/// VALUE`; empty if it belongs or if that cannot be decided. A profile of OpenCL C belongs to any
/// program that may have been compiled from OpenCL C and defines its kernel.
std::string mismatch(const profile::Provenance &provenance, const Container &container,
                     const Identity &identity);

/// The annotations in `content` of the file called `name`; its sidecar is not read. Places begin
/// with the name. Throws nothing but std::bad_alloc.
Annotations annotationsIn(std::string_view content, const std::filesystem::path &name);

/// The annotations in a file and in its sidecar. Places begin with the name of the file that holds
/// the annotation. Throws Error only if `file` itself cannot be read.
Annotations annotationsOf(const std::filesystem::path &file);

} // namespace aiwc::embed
