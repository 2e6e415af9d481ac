/// Where annotations stand in LLVM IR as text.
#pragma once

#include "embed/llvm_text_lines.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace aiwc::embed {

/// What a line of a block of comments begins with.
inline constexpr std::string_view kIrMarker = ";@aiwc ";

/// The lines of a text that have to do with annotations, in order.
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

/// Takes a newline off the end, in whichever of its forms.
template <typename Text> void dropNewline(Text &text) {
  size_t bytes = 0;
  if (text.ends_with("\r\n"))
    bytes = 2;
  else if (text.ends_with('\n') || text.ends_with('\r'))
    bytes = 1;
  text = text.substr(0, text.size() - bytes);
}

/// What is left of `text` without annotations, piece by piece. A node that something else refers
/// to stays: without it the text would be damaged.
std::vector<std::string_view> betweenIrAnnotations(std::string_view text,
                                                   const IrAnnotations &found);

} // namespace aiwc::embed
