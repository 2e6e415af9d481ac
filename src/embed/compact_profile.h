/// The compact form of a profile, in which an annotation stores it: a few lines of text that every
/// container can hold, that people can read, and that contain all a prediction needs.
/// README.md describes it.
#pragma once

#include "profile/kernel_profile.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

/// The version of the compact form. It is incremented if a reader of the old version would misread
/// the new one, but not for a new key that old readers can ignore.
inline constexpr int kFormatVersion = 1;
/// The size limit of the compact form of a profile. Each line counts `kBytesPerLine` more than its
/// length, to allow for what containers write around it.
inline constexpr size_t kMaximumBytes = 4096 - 128;
inline constexpr size_t kBytesPerLine = 11;

using profile::LaunchKey; // what an annotation is looked up by
using profile::launchOf;
using profile::sizeText;

/// The compact form: lines of printable ASCII without `\`, `*`, `?` and `"`, so that no line can
/// end a comment or a string, or form a trigraph or an escape. The values that it keeps are exact,
/// within the bounds of compact_histogram.h. Throws Error, naming the field, for a profile that is
/// incomplete, contradicts itself, or does not fit into `kMaximumBytes`.
std::vector<std::string> encode(const profile::KernelProfile &profile);

/// The start of the compact form.
struct Header {
  LaunchKey launch;
  std::string sourceHash;
};
/// Decodes only the start of `text`. Throws Error if it is not the start of a compact form.
Header decodeHeader(std::string_view text);

/// Decodes a profile. `text` has the lines of the compact form, or all of them on one line,
/// separated by spaces. Fields that were not kept have no value or are empty. Keys that this
/// version does not know are skipped. Throws Error, `KEY is VALUE: expected ...`, for a text that
/// is cut off, damaged or contradicts itself, and for one longer than `kMaximumBytes`. O(length).
profile::KernelProfile decode(std::string_view text);

} // namespace aiwc::embed
