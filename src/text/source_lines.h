/// The lines of a program's source under the numbers that compilers, and so profiles, have for
/// them.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

namespace aiwc::text {

struct SourceLine {
  uint64_t place = 0; ///< from 1, among all lines of the text
  std::string_view text;
};

/// By number, as `#line` gives it. Lines that are numbered again are left out. What a run has
/// appended to the source is numbered as it stands there (compiler/decoding/source_text.h).
std::map<uint64_t, SourceLine> numberedLines(std::string_view source);

} // namespace aiwc::text
