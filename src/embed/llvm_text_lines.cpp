#include "embed/llvm_text_lines.h"

#include "embed/bytes.h"
#include "embed/compact_text.h"
#include "embed/marker.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace aiwc::embed {

namespace {

constexpr std::string_view kListName = "!aiwc.metrics";

int hexValue(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/// `\XX` is the byte with this hexadecimal code; any other backslash is an ordinary character.
std::string resolveEscapes(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && text.size() - i > 2 && hexValue(text[i + 1]) >= 0 &&
                        hexValue(text[i + 2]) >= 0;
    result +=
        escape ? static_cast<char>(16 * hexValue(text[i + 1]) + hexValue(text[i + 2])) : text[i];
    i += escape ? 2 : 0;
  }
  return result;
}

/// Removes tokens, and the white space before them, from the start of a line.
class LineCursor {
public:
  explicit LineCursor(std::string_view rest) : rest_(rest) {}

  bool take(std::string_view token) {
    skipSpace();
    if (!rest_.starts_with(token))
      return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  std::optional<uint32_t> takeNumber() {
    uint32_t number = 0;
    const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc{})
      return std::nullopt;
    rest_.remove_prefix(static_cast<size_t>(stop - rest_.data()));
    return number;
  }

  /// What stands before the next quote, behind one that has been taken.
  std::optional<std::string_view> takeString() {
    const size_t end = rest_.find('"');
    if (end == std::string_view::npos)
      return std::nullopt;
    const std::string_view string = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return string;
  }

  bool atEnd() {
    skipSpace();
    return rest_.empty();
  }

private:
  void skipSpace() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  std::string_view rest_;
};

bool isIrNameCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-$._").find(c) != std::string_view::npos;
}

} // namespace

size_t IrLineReader::Search::from(std::string_view text, size_t at) {
  if (!searched_ || (found_ != std::string_view::npos && found_ < at)) {
    found_ = text.find(wanted_, at);
    searched_ = true;
  }
  return found_;
}

size_t IrLineReader::newlineFrom(size_t at) {
  return std::min({lineFeed_.from(text_, at), carriageReturn_.from(text_, at), text_.size()});
}

size_t IrLineReader::lineBegin(size_t at) const {
  while (at > at_ && text_[at - 1] != '\n' && text_[at - 1] != '\r')
    --at;
  return at;
}

void IrLineReader::skipTo(size_t at) {
  while (at_ < at) {
    const size_t quote = quote_.from(text_, at_);
    const size_t begin = lineBegin(std::min(at, quote));
    const std::string_view skipped = text_.substr(at_, begin - at_);
    // A carriage return is a newline by itself unless a line feed follows it.
    for (size_t i = skipped.find('\r'); i != std::string_view::npos; i = skipped.find('\r', i + 1))
      number_ += skipped.substr(i + 1, 1) == "\n" ? 0 : 1;
    number_ += countNewlines(skipped);
    at_ = begin;
    if (quote >= at)
      return;
    const IrLineReader before = *this;
    if (const auto line = next(); line && line->end > at) {
      *this = before;
      return;
    }
  }
}

std::optional<IrLine> IrLineReader::next() {
  if (at_ >= text_.size())
    return std::nullopt;
  IrLine line;
  line.begin = at_;
  line.number = number_;
  for (size_t from = at_;;) {
    line.newline = newlineFrom(from);
    line.comment = std::min(comment_.from(text_, from), line.newline);
    const size_t quote = quote_.from(text_, from);
    if (quote >= line.comment)
      break;
    const size_t close = text_.find('"', quote + 1);
    line.closed = close != std::string_view::npos;
    from = line.closed ? close + 1 : text_.size();
    number_ += countNewlines(text_.substr(quote, from - quote));
  }
  const size_t bytes = text_.substr(line.newline, 2) == "\r\n" ? 2 : 1;
  line.end = std::min(line.newline + bytes, text_.size());
  at_ = line.end;
  ++number_;
  return line;
}

std::optional<std::vector<uint32_t>> parseMetricsList(std::string_view line) {
  LineCursor cursor(line);
  if (!line.starts_with(kListName) || !cursor.take(kListName) || !cursor.take("=") ||
      !cursor.take("!{"))
    return std::nullopt;
  std::vector<uint32_t> nodes;
  while (cursor.take("!")) {
    const auto number = cursor.takeNumber();
    if (!number)
      return std::nullopt;
    nodes.push_back(*number);
    if (!cursor.take(","))
      break;
  }
  return cursor.take("}") && cursor.atEnd() ? std::optional(nodes) : std::nullopt;
}

std::optional<IrNode> parseMetricsNode(std::string_view line) {
  LineCursor cursor(line);
  if (!line.starts_with('!') || !cursor.take("!"))
    return std::nullopt;
  const auto number = cursor.takeNumber();
  if (!number || !cursor.take("=") || !cursor.take("!{"))
    return std::nullopt;
  const auto string = cursor.take("!\"") ? cursor.takeString() : std::nullopt;
  if (!string || !string->starts_with(kMarkerName) || !cursor.take("}") || !cursor.atEnd())
    return std::nullopt;
  return IrNode{*number, string->substr(kMarkerName.size())};
}

std::optional<std::string> parseDefinition(std::string_view line) {
  constexpr std::string_view kKeyword = "define";
  if (!line.starts_with(kKeyword) || line.size() == kKeyword.size() ||
      isIrNameCharacter(line[kKeyword.size()]))
    return std::nullopt;
  size_t at = line.find('@');
  if (at == std::string_view::npos)
    return std::nullopt;
  line.remove_prefix(at + 1);
  if (line.starts_with('"'))
    return resolveEscapes(line.substr(1, line.substr(1).find('"')));
  at = 0;
  while (at < line.size() && isIrNameCharacter(line[at]))
    ++at;
  return std::string(line.substr(0, at));
}

std::optional<uint32_t> referenceAt(std::string_view text, size_t at) {
  std::string_view rest = text.substr(std::min(at, text.size()));
  const std::optional<uint64_t> number = takeCount(rest);
  if (!number || *number > std::numeric_limits<uint32_t>::max())
    return std::nullopt;
  return static_cast<uint32_t>(*number);
}

void collectReferences(std::string_view text, const IrLine &line, std::vector<uint32_t> &numbers) {
  std::string_view code = text.substr(line.begin, line.comment - line.begin);
  for (size_t at = code.find_first_of("!\""); at != std::string_view::npos;
       at = code.find_first_of("!\"", at)) {
    if (code[at] == '"') {
      const size_t close = code.find('"', at + 1);
      if (close == std::string_view::npos)
        return;
      at = close + 1;
      continue;
    }
    ++at;
    if (const auto number = referenceAt(code, at))
      numbers.push_back(*number);
  }
}

} // namespace aiwc::embed
