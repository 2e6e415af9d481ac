/// What carries annotations, behind one door: a row for each format.
#pragma once

#include "embed/annotation.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

/// What the bytes of a program tell of the profiles that belong to it.
struct Identity {
  std::string hash; ///< that such profiles have as `source_hash`; empty: it cannot be told
  std::vector<std::string> kernels; ///< functions that it defines, sorted; none: cannot be told
};

/// A format that holds kernels. Its functions take the whole of a file.
struct Carrier {
  std::string_view name; ///< "OpenCL C", for messages
  /// `source_kind` of profiles whose hash is that of such a program; empty: no profile's is.
  std::string_view sourceKind;
  /// Whether nothing is compiled to it: a profile of another kind of program is not of this one.
  bool isSource = false;
  /// Whether it can hold annotations. Without, `strip` and `embed` throw Error.
  bool holds = true;
  /// Whether content that no earlier row recognises is of this format. `file` tells what content
  /// alone does not.
  bool (*recognises)(const std::filesystem::path &file, std::string_view content);
  /// The annotations, and the hash of all that is none. For any input; throws nothing but
  /// std::bad_alloc. O(length).
  Annotations (*read)(std::string_view content);
  /// `content` without annotations. strip(embed(x, ...)) == strip(x), but for bitcode, which LLVM
  /// writes anew.
  std::string (*strip)(std::string_view content);
  /// `content` with `annotations` in place of those that it has. Throws Error, `WHAT: expected
  /// WHAT`, for what cannot be put there.
  std::string (*embed)(std::string_view content, std::span<const Annotation> annotations);
  /// Throws Error for what cannot be read.
  Identity (*identity)(std::string_view content);
};

/// What can hold nothing, such as a binary of a driver's: a sidecar goes with it. It is searched
/// for bitcode that it may have inside.
extern const Carrier kBinary;

/// All of them, in the order in which they are tried. The last one takes any text.
std::span<const Carrier *const> carriers();

/// The first one that recognises the content of what is called `file`.
const Carrier &carrierOf(const std::filesystem::path &file, std::string_view content);

/// Why a profile does not belong to what has this identity, as `FIELD is VALUE: expected VALUE`;
/// empty where it does, as far as can be told. A profile of OpenCL C belongs to whatever may have
/// been compiled from it, if that defines its kernel.
std::string mismatch(const profile::Provenance &provenance, const Carrier &carrier,
                     const Identity &identity);

} // namespace aiwc::embed
