/// Where annotations stand in OpenCL C: blocks of whole lines, in the comment style that a block
/// needs no lexical analysis to be found.
///
///     //@aiwc begin 1
///     //@aiwc kernel=... (lines of the compact form)
///     #line 12 //@aiwc end
///
/// A line of a block holds printable ASCII without a backslash, is at most `kLongestLine` bytes
/// long and begins at the begin of a line that no backslash joins to the one before it; so it is
/// never inside a string, nor continues a directive. The lines of a block follow one another. Begin
/// and end match as parentheses do, so that what encloses a block is none: without the inner block
/// it would be one, and it goes with it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

struct Block {
  size_t begin = 0, end = 0; ///< bytes, with the newline behind it
  std::string_view version;  ///< what stands behind "begin "
  bool nested = false;       ///< whether it encloses other blocks
};

/// The outermost blocks of `source`, in order. O(length of `source`), memory included.
std::vector<Block> findBlocks(std::string_view source);

/// The compact form in a block that is not nested.
std::string blockText(std::string_view source, const Block &block);

/// A block with the compact form `text`, behind which line `nextLine` of the source follows. Ends
/// in `newline`.
std::string writeBlock(std::string_view text, size_t nextLine, std::string_view newline);

/// The number of bytes of a byte order mark at the begin: 3 or 0.
size_t byteOrderMark(std::string_view source);

/// How lines end in `source`: as the first one does.
std::string_view newlineOf(std::string_view source);

} // namespace aiwc::embed
