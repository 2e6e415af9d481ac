/// Finds annotations in LLVM IR as text.
#pragma once

#include "embed/llvm_text_lines.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace aiwc::embed {

/// The start of each line in a block of comments.
inline constexpr std::string_view kIrMarker = ";@aiwc ";

/// The lines of a text that belong to annotations, in order.
struct IrAnnotations {
  struct Node {
    IrLine line;
    IrNode content;
  };
  struct List {
    IrLine line;
    std::vector<uint32_t> nodes;
  };
  std::vector<IrLine> comments;
  std::vector<List> lists;
  std::vector<Node> nodes;
};

/// O(length).
IrAnnotations findIrAnnotations(std::string_view text);

/// A line without its newline.
inline std::string_view contentOf(std::string_view text, const IrLine &line) {
  return text.substr(line.begin, line.newline - line.begin);
}

/// Removes one newline, in any of its forms, from the end of `text`.
template <typename Text> void dropNewline(Text &text) {
  size_t bytes = 0;
  if (text.ends_with("\r\n"))
    bytes = 2;
  else if (text.ends_with('\n') || text.ends_with('\r'))
    bytes = 1;
  text = text.substr(0, text.size() - bytes);
}

/// The pieces of `text` between the annotations. A node that is also referenced from elsewhere is
/// kept: without it the text would not be valid.
std::vector<std::string_view> betweenIrAnnotations(std::string_view text,
                                                   const IrAnnotations &found);

} // namespace aiwc::embed
