/// The compact form of a profile, in which it travels with its kernel: text of a few lines that
/// every carrier can hold, readable by a person, complete enough to predict with.
/// docs/embedding.md describes it.
#pragma once

#include "profile/kernel_profile.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

/// Of the compact form. Incremented when a reader of the old one would misread the new one; a key
/// that old readers can do without is no reason.
inline constexpr int kFormatVersion = 1;
/// Of the compact form of a profile, a line counting `kBytesPerLine` more than it has: what
/// carriers put around it.
inline constexpr size_t kMaximumBytes = 4096 - 128;
inline constexpr size_t kBytesPerLine = 11;

using profile::Launch; // what an annotation is looked up by
using profile::launchOf;
using profile::sizeText;

/// The compact form: lines of printable ASCII without `\`, `*`, `?` and `"`, so that they end no
/// comment and are no trigraph, escape or end of string, whatever they are put into. What it keeps
/// is exact, but for what compact_histogram.h bounds. Throws Error, naming the field, for a profile
/// that is not complete, contradicts itself, or does not fit into `kMaximumBytes`.
std::vector<std::string> encode(const profile::KernelProfile &profile);

/// What the compact form begins with.
struct Header {
  Launch launch;
  std::string sourceHash;
};
/// Throws Error where `text` does not begin like a compact form. Looks at no more than its begin.
Header decodeHeader(std::string_view text);

/// The profile that was encoded as `text`: lines, or all on one line with spaces between. What was
/// not kept has no value, or is empty. Keys that this version does not know are skipped. Throws
/// Error, `KEY is VALUE: expected ...`, for a text that is cut off, damaged or contradicts itself.
/// O(length); a text above `kMaximumBytes` is refused.
profile::KernelProfile decode(std::string_view text);

} // namespace aiwc::embed
