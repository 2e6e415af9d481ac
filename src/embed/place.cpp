#include "embed/place.h"

#include "embed/comment_blocks.h"

#include <algorithm>

namespace aiwc::embed {

namespace {

bool isIdentifier(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Reads a source in the way of the first phases of translation: it recognises newlines in their
/// three forms, joins lines at backslashes, and treats each comment and literal as one unit.
class Scanner {
public:
  explicit Scanner(std::string_view source) : source_(source), place_(topOf(source)) {}

  std::map<std::string, Place, std::less<>> scan() {
    safe_ = place_;
    while (!done_ && at() < source_.size())
      step();
    return std::move(places_);
  }

private:
  size_t at() const { return place_.offset; }
  std::string_view rest() const { return source_.substr(at()); }

  /// The length of the newline at the current position in bytes; 0 if there is none.
  size_t newline() const {
    const std::string_view text = rest();
    return text.starts_with("\r\n") ? 2 : text.starts_with('\n') || text.starts_with('\r') ? 1 : 0;
  }

  void nextLine(size_t bytes) {
    place_.offset += bytes;
    ++place_.line;
  }

  /// Skips backslashes that join this line to the next.
  bool joinLines() {
    bool joined = false;
    for (;;) {
      const size_t mark = rest().starts_with('\\') ? 1 : rest().starts_with("?\?/") ? 3 : 0;
      const size_t end = mark ? source_.find_first_not_of(" \t\f\v", at() + mark) : 0;
      if (!mark || end == std::string_view::npos || (source_[end] != '\n' && source_[end] != '\r'))
        return joined;
      place_.offset = end;
      nextLine(newline());
      joined = true;
    }
  }

  void skipLineComment() {
    while (at() < source_.size()) {
      if (joinLines())
        continue;
      if (newline())
        return;
      ++place_.offset;
    }
  }

  void skipBlockComment() {
    place_.offset += 2;
    while (at() < source_.size() && !rest().starts_with("*/"))
      skipCharacter();
    place_.offset = std::min(at() + 2, source_.size());
  }

  /// Skips one character of any kind, including newlines.
  void skipCharacter() {
    if (const size_t bytes = newline())
      nextLine(bytes);
    else
      ++place_.offset;
  }

  /// Ends at the end of the line at the latest, as it does for a compiler.
  void skipLiteral(char quote) {
    ++place_.offset;
    while (at() < source_.size() && !newline()) {
      if (joinLines())
        continue;
      const char c = source_[place_.offset++];
      if (c == quote)
        return;
      if (c == '\\' && at() < source_.size() && !newline())
        ++place_.offset;
    }
  }

  bool comment() {
    if (rest().starts_with("//"))
      skipLineComment();
    else if (rest().starts_with("/*"))
      skipBlockComment();
    else
      return false;
    return true;
  }

  std::string_view identifier() {
    const size_t begin = at();
    while (at() < source_.size() && isIdentifier(source_[at()]))
      ++place_.offset;
    return source_.substr(begin, at() - begin);
  }

  void directive() {
    while (at() < source_.size() && (source_[at()] == ' ' || source_[at()] == '\t'))
      ++place_.offset;
    const std::string_view name = identifier();
    if (name.starts_with("if"))
      ++conditions_;
    else if (name == "endif" && conditions_ > 0)
      --conditions_;
    else if (name == "line" || (!name.empty() && name.front() >= '0' && name.front() <= '9'))
      done_ = true;
    while (at() < source_.size() && !newline()) {
      if (joinLines() || comment())
        continue;
      if (source_[at()] == '"' || source_[at()] == '\'')
        skipLiteral(source_[at()]);
      else
        ++place_.offset;
    }
  }

  bool directiveBegins() {
    for (const std::string_view hash : {"#", "%:", "?\?="})
      if (rest().starts_with(hash)) {
        place_.offset += hash.size();
        return true;
      }
    return false;
  }

  void step() {
    if (const size_t bytes = newline()) {
      nextLine(bytes);
      lineBegins_ = true;
      if (boundary_ && depth_ == 0 && conditions_ == 0)
        safe_ = place_;
      return;
    }
    if (joinLines() || comment())
      return;
    const char c = source_[at()];
    if (c == ' ' || c == '\t' || c == '\f' || c == '\v') {
      ++place_.offset;
      return;
    }
    if (lineBegins_ && directiveBegins()) {
      directive();
      return;
    }
    lineBegins_ = false;
    boundary_ = false;
    if (c == '"' || c == '\'')
      skipLiteral(c);
    else if (isIdentifier(c))
      word(identifier());
    else
      sign(c);
  }

  void word(std::string_view name) {
    if (name == "kernel" || name == "__kernel") {
      kernel_ = depth_ == 0;
      return;
    }
    if (kernel_ && depth_ == 0)
      name_ = name;
  }

  void sign(char c) {
    if (c == '(' && kernel_ && depth_ == 0 && name_ != "__attribute__" && !name_.empty()) {
      places_.try_emplace(std::string(name_), safe_);
      kernel_ = false;
    }
    name_ = {};
    if (c == '(' || c == '{' || c == '[')
      ++depth_;
    else if ((c == ')' || c == '}' || c == ']') && depth_ > 0)
      --depth_;
    if ((c == ';' || c == '}') && depth_ == 0) {
      kernel_ = false;
      boundary_ = true;
    }
    ++place_.offset;
  }

  std::string_view source_;
  Place place_;
  Place safe_;
  size_t depth_ = 0;      // of parentheses, braces and brackets
  size_t conditions_ = 0; // #if that are open
  bool lineBegins_ = true;
  bool boundary_ = true; // between two declarations
  bool kernel_ = false;  // behind the keyword, before the name
  bool done_ = false;
  std::string_view name_; // the identifier that stands right before
  std::map<std::string, Place, std::less<>> places_;
};

} // namespace

std::map<std::string, Place, std::less<>> kernelPlaces(std::string_view source) {
  return Scanner(source).scan();
}

Place topOf(std::string_view source) {
  return {byteOrderMark(source), 1};
}

} // namespace aiwc::embed
