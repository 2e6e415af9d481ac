#include "embed/comment_blocks.h"

#include "embed/bytes.h"
#include "embed/compact_profile.h"
#include "embed/compact_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::embed {

namespace {

constexpr std::string_view kMarker = "//@aiwc ";
constexpr std::string_view kBegin = "begin ";
constexpr std::string_view kEnd = "end";
constexpr std::string_view kLineDirective = "#line ";
constexpr size_t kLongestLine = 1024;
constexpr size_t kMostDigits = 10;

bool isNewline(char c) {
  return c == '\n' || c == '\r';
}

/// Searches for the rarest character of the marker: OpenCL C does not use it, and finding a byte is
/// much faster than finding a word.
size_t findMarker(std::string_view source, size_t from) {
  constexpr size_t kAt = kMarker.find('@');
  for (from += kAt; from < source.size(); ++from) {
    from = source.find('@', from);
    if (from == std::string_view::npos)
      break;
    if (source.substr(from - kAt, kMarker.size()) == kMarker)
      return from - kAt;
  }
  return std::string_view::npos;
}

bool atLineBegin(std::string_view source, size_t at) {
  return at == 0 || isNewline(source[at - 1]) || at == byteOrderMark(source);
}

/// Whether a backslash, or its trigraph, joins the line that begins at `at` to the line before.
/// Compilers join the lines even if white space is between the backslash and the newline.
bool continued(std::string_view source, size_t at) {
  std::string_view before = source.substr(0, at);
  if (before.ends_with("\r\n"))
    before.remove_suffix(2);
  else if (!before.empty() && isNewline(before.back()))
    before.remove_suffix(1);
  before = before.substr(0, before.find_last_not_of(" \t\f\v") + 1);
  return before.ends_with('\\') || before.ends_with("?\?/");
}

/// Whether a block cannot contain this character: any but printable ASCII, and any that continues a
/// line, directly or as part of a trigraph.
constexpr auto isRefused = [](char c) {
  return static_cast<unsigned char>(
      static_cast<unsigned>(c < ' ') | static_cast<unsigned>(c > '~') |
      static_cast<unsigned>(c == '\\') | static_cast<unsigned>(c == '?'));
};

/// The number of bytes, from the start of `text`, that a block may contain.
size_t allowedPrefix(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  if (!anyByte(text, isRefused))
    return text.size();
  return static_cast<size_t>(std::ranges::find_if(text, [](char c) { return isRefused(c) != 0; }) -
                             text.begin());
}

enum class LineKind { kNone, kBegin, kText, kEnd };

struct Line {
  LineKind kind = LineKind::kNone;
  size_t begin = 0; ///< of the line
  size_t end = 0;   ///< of the newline behind it
  std::string_view content;
};

/// The beginning of the line with the directive `#line N ` that ends at `marker`; npos if there is
/// none.
size_t directiveBegin(std::string_view source, size_t marker) {
  size_t at = marker;
  if (at == 0 || source[--at] != ' ')
    return std::string_view::npos;
  size_t digits = 0;
  for (; at > 0 && source[at - 1] >= '0' && source[at - 1] <= '9' && digits <= kMostDigits; --at)
    ++digits;
  if (digits == 0 || digits > kMostDigits || !source.substr(0, at).ends_with(kLineDirective))
    return std::string_view::npos;
  at -= kLineDirective.size();
  return atLineBegin(source, at) ? at : std::string_view::npos;
}

/// The construct that the marker at `marker` belongs to. `end` is always the position to continue
/// the search from.
Line lineAt(std::string_view source, size_t marker) {
  Line line;
  line.end = marker + kMarker.size();
  const size_t directive = directiveBegin(source, marker);
  line.begin = directive == std::string_view::npos ? marker : directive;
  if (!atLineBegin(source, line.begin))
    return line;
  const size_t contentBegin = marker + kMarker.size();
  const size_t last = std::min(source.size(), line.begin + kLongestLine + 1);
  size_t end = contentBegin + allowedPrefix(source.substr(contentBegin, last - contentBegin));
  line.end = end;
  if (end - line.begin > kLongestLine || (end < source.size() && !isNewline(source[end])))
    return line;
  line.content = source.substr(contentBegin, end - contentBegin);
  if (source.substr(end, 2) == "\r\n")
    ++end;
  line.end = end < source.size() ? end + 1 : end;
  if (directive != std::string_view::npos)
    line.kind = line.content == kEnd ? LineKind::kEnd : LineKind::kNone;
  else
    line.kind = line.content.starts_with(kBegin) ? LineKind::kBegin : LineKind::kText;
  return line;
}

} // namespace

size_t byteOrderMark(std::string_view source) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return source.starts_with(kMark) ? kMark.size() : 0;
}

std::string_view newlineOf(std::string_view source) {
  const size_t first = source.find('\n');
  return first != std::string_view::npos && first > 0 && source[first - 1] == '\r' ? "\r\n" : "\n";
}

std::vector<Block> findBlocks(std::string_view source) {
  std::vector<Block> blocks;
  std::vector<Block> open; // innermost last
  size_t follows = 0;      // where the next line of an open block has to begin
  for (size_t at = findMarker(source, 0); at != std::string_view::npos;) {
    const Line line = lineAt(source, at);
    if (line.kind == LineKind::kNone || line.begin != follows)
      open.clear();
    if (line.kind == LineKind::kBegin) {
      if (!open.empty() || !continued(source, line.begin))
        open.push_back({line.begin, 0, line.content.substr(kBegin.size()), false});
    } else if (line.kind == LineKind::kEnd && !open.empty()) {
      Block block = open.back();
      open.pop_back();
      block.end = line.end;
      while (!blocks.empty() && blocks.back().begin >= block.begin) {
        blocks.pop_back();
        block.nested = true;
      }
      blocks.push_back(block);
    }
    if (line.kind != LineKind::kNone)
      follows = line.end;
    at = findMarker(source, line.end);
  }
  return blocks;
}

std::string blockText(std::string_view source, const Block &block) {
  std::string text;
  text.reserve(block.end - block.begin);
  const std::string_view all = source.substr(0, block.end); // ends in a newline
  const bool onlyLineFeeds =
      source.substr(block.begin, block.end - block.begin).find('\r') == std::string_view::npos;
  size_t at = block.begin;
  while (all[at] == kMarker.front()) {
    at += kMarker.size();
    const size_t end = onlyLineFeeds ? all.find('\n', at) : all.find_first_of("\r\n", at);
    const std::string_view content = all.substr(at, end - at);
    if (!content.starts_with(kBegin)) {
      text += content;
      text += '\n';
    }
    at = end + (all.substr(end, 2) == "\r\n" ? 2 : 1);
  }
  return text;
}

std::string writeBlock(std::string_view text, size_t nextLine, std::string_view newline) {
  std::string block = fmt::format("{}{}{}{}", kMarker, kBegin, kFormatVersion, newline);
  while (!text.empty())
    block += fmt::format("{}{}{}", kMarker, takeUntil(text, '\n'), newline);
  return block + fmt::format("{}{} {}{}{}", kLineDirective, nextLine, kMarker, kEnd, newline);
}

} // namespace aiwc::embed
