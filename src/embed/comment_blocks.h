/// Annotations in OpenCL C: blocks of whole lines, in comments whose form lets a block be found
/// without lexical analysis.
///
///     //@aiwc begin 1
///     //@aiwc kernel=... (lines of the compact form)
///     #line 12 //@aiwc end
///
/// A line of a block holds printable ASCII without a backslash and is at most `kLongestLine` bytes
/// long. It starts in the first column, and no backslash joins it to the line before. So it is
/// never inside a string and never continues a directive. The lines of a block are contiguous.
/// Begin and end lines nest like parentheses. A block that encloses another one is not an
/// annotation: without the inner block it would look like one, so it is removed together with it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

struct Block {
  size_t begin = 0, end = 0; ///< byte offsets, with the newline after it
  std::string_view version;  ///< the text after "begin "
  bool nested = false;       ///< whether it encloses other blocks
};

/// The outermost blocks of `source`, in order. O(length of `source`), memory included.
std::vector<Block> findBlocks(std::string_view source);

/// The compact form in `block`, which must not be nested.
std::string blockText(std::string_view source, const Block &block);

/// A block with the compact form `text`. The line after it is line `nextLine` of the source. Ends
/// in `newline`.
std::string writeBlock(std::string_view text, size_t nextLine, std::string_view newline);

/// The size of the byte order mark at the start of `source`: 3 bytes or 0.
size_t byteOrderMark(std::string_view source);

/// The newline that ends the first line of `source`.
std::string_view newlineOf(std::string_view source);

} // namespace aiwc::embed
