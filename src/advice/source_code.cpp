#include "advice/source_code.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace aiwc::advice {

namespace {

bool isDigit(char character) {
  return std::isdigit(static_cast<unsigned char>(character)) != 0;
}
bool isWordPart(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}
bool isBlank(char character) {
  return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

/// The end of the comment that begins at `at`; `at` if none does.
size_t endOfComment(std::string_view text, size_t at) {
  if (text.substr(at, 2) == "//")
    return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) != "/*")
    return at;
  const size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

size_t endOfText(std::string_view text, size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote && text[at] != '\n')
    at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

/// A number as the preprocessor sees it: with letters, dots, and the sign of an exponent.
size_t endOfNumber(std::string_view text, size_t at) {
  constexpr std::string_view kExponents = "eEpP";
  while (at < text.size() && (isWordPart(text[at]) || text[at] == '.' ||
                              ((text[at] == '+' || text[at] == '-') &&
                               kExponents.find(text[at - 1]) != std::string_view::npos)))
    ++at;
  return at;
}

size_t endOfSign(std::string_view text, size_t at) {
  static constexpr std::array<std::string_view, 22> kLong = {
      "<<=", ">>=", "...", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=",
      "%=",  "&=",  "|=",  "^=", "++", "--", "->", "&&", "||", "<<", ">>"};
  for (const std::string_view sign : kLong)
    if (text.substr(at, sign.size()) == sign)
      return at + sign.size();
  return at + 1;
}

/// The end of a line of the preprocessor: a backslash at its end, or a comment, continues it.
size_t endOfDirective(std::string_view text, size_t at) {
  while (at < text.size() && text[at] != '\n') {
    if (const size_t end = endOfComment(text, at); end > at)
      at = end;
    else
      at += text[at] == '\\' && text.substr(at + 1, 2) == "\r\n" ? 3 : text[at] == '\\' ? 2 : 1;
  }
  return std::min(at, text.size());
}

} // namespace

SourceCode::SourceCode(std::string_view text) : text_(text) {
  uint64_t line = 1;
  bool startsLine = true; // nothing but blanks and comments before
  const auto skipTo = [&](size_t &at, size_t end) {
    line +=
        static_cast<uint64_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at),
                                         text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at = end;
  };
  for (size_t at = 0; at < text_.size();) {
    const char character = text_[at];
    if (isBlank(character) || text_.substr(at, 2) == "\\\n") {
      startsLine = startsLine || character == '\n';
      skipTo(at, at + 1);
    } else if (const size_t end = endOfComment(text_, at); end > at) {
      skipTo(at, end);
    } else if (character == '#' && startsLine) {
      const size_t directiveEnd = endOfDirective(text_, at);
      readDirective(at, directiveEnd);
      skipTo(at, directiveEnd);
    } else {
      Token token{Token::Kind::kSign, {}, at, line};
      size_t end = at + 1;
      if (character == '"' || character == '\'') {
        token.kind = Token::Kind::kText;
        end = endOfText(text_, at);
      } else if (isDigit(character) ||
                 (character == '.' && at + 1 < text_.size() && isDigit(text_[at + 1]))) {
        token.kind = Token::Kind::kNumber;
        end = endOfNumber(text_, at);
      } else if (isWordPart(character)) {
        token.kind = Token::Kind::kWord;
        while (end < text_.size() && isWordPart(text_[end]))
          ++end;
      } else {
        end = endOfSign(text_, at);
      }
      token.text = text_.substr(at, end - at);
      tokens_.push_back(token);
      startsLine = false;
      skipTo(at, end);
    }
  }
}

void SourceCode::readDirective(size_t begin, size_t end) {
  std::string_view rest = text_.substr(begin + 1, end - begin - 1);
  const auto skipBlanks = [&] {
    while (!rest.empty() && isBlank(rest.front()))
      rest.remove_prefix(1);
  };
  const auto word = [&] {
    skipBlanks();
    const auto length =
        static_cast<size_t>(std::ranges::find_if_not(rest, isWordPart) - rest.begin());
    const std::string_view found = rest.substr(0, length);
    rest.remove_prefix(length);
    return found;
  };
  directives_.push_back({begin, word()});
  if (directives_.back().name != "define")
    return;
  const std::string name(word());
  if (rest.starts_with('('))
    rest.remove_prefix(std::min(rest.find(')'), rest.size() - 1) + 1);
  std::string &value = macros_[name]; // of several definitions, all
  value += value.empty() ? "" : " ";
  value += rest;
}

const std::string *SourceCode::macro(std::string_view name) const {
  const auto found = macros_.find(std::string(name));
  return found == macros_.end() ? nullptr : &found->second;
}

std::vector<Directive> SourceCode::directivesIn(Range range) const {
  std::vector<Directive> found;
  for (const Directive &directive : directives_)
    if (range.begin < range.end && directive.offset > tokens_[range.begin].offset &&
        directive.offset < tokens_[range.end - 1].offset)
      found.push_back(directive);
  return found;
}

std::optional<size_t> SourceCode::closing(size_t open) const {
  size_t depth = 0;
  for (size_t place = open; place < tokens_.size(); ++place) {
    const Token &token = tokens_[place];
    if (token.is("(") || token.is("[") || token.is("{"))
      ++depth;
    if ((token.is(")") || token.is("]") || token.is("}")) && --depth == 0)
      return place;
  }
  return std::nullopt;
}

std::optional<size_t> SourceCode::statementEnd(size_t begin) const {
  const auto afterHeader = [&](size_t keyword) -> std::optional<size_t> {
    const auto close = is(keyword + 1, "(") ? closing(keyword + 1) : std::nullopt;
    return close ? statementEnd(*close + 1) : std::nullopt;
  };
  if (begin >= tokens_.size() || is(begin, "}"))
    return std::nullopt;
  if (is(begin, "{")) {
    const auto close = closing(begin);
    return close ? std::optional(*close + 1) : std::nullopt;
  }
  if (is(begin, "for") || is(begin, "while") || is(begin, "switch"))
    return afterHeader(begin);
  if (is(begin, "if")) {
    const auto end = afterHeader(begin);
    return end && is(*end, "else") ? statementEnd(*end + 1) : end;
  }
  if (is(begin, "do")) {
    const auto body = statementEnd(begin + 1);
    if (!body || !is(*body, "while") || !is(*body + 1, "("))
      return std::nullopt;
    const auto close = closing(*body + 1);
    return close && is(*close + 1, ";") ? std::optional(*close + 2) : std::nullopt;
  }
  for (size_t place = begin; place < tokens_.size(); ++place) {
    if (is(place, ";"))
      return place + 1;
    if (is(place, "(") || is(place, "[") || is(place, "{")) {
      const auto close = closing(place);
      if (!close)
        return std::nullopt;
      place = *close;
    } else if (is(place, "}")) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Function> SourceCode::function(std::string_view name) const {
  std::optional<Function> found;
  for (size_t place = 0; place + 1 < tokens_.size(); ++place) {
    if (!tokens_[place].isWord() || !is(place, name) || !is(place + 1, "("))
      continue;
    const auto close = closing(place + 1);
    if (!close || !is(*close + 1, "{"))
      continue;
    const auto end = closing(*close + 1);
    if (!end || found)
      return std::nullopt;
    found = {{place + 2, *close}, {*close + 1, *end + 1}};
  }
  return found;
}

std::optional<Loop> SourceCode::loopAt(size_t place) const {
  const auto end = statementEnd(place);
  if (!end)
    return std::nullopt;
  if (is(place, "do")) {
    const auto body = statementEnd(place + 1);
    return Loop{{place, *end}, {*body + 2, *end - 2}, {place + 1, *body}};
  }
  const auto close = closing(place + 1);
  return Loop{{place, *end}, {place + 2, *close}, {*close + 1, *end}};
}

std::optional<Loop> SourceCode::loopAround(size_t place, Range range) const {
  std::optional<Loop> innermost; // a later one that contains the place lies within it
  for (size_t at = range.begin; at < place && at < range.end; ++at)
    if (tokens_[at].isWord() && (is(at, "for") || is(at, "while") || is(at, "do")))
      if (const auto loop = loopAt(at); loop && loop->body.contains(place))
        innermost = loop;
  return innermost;
}

std::string SourceCode::textOf(Range range) const {
  std::string text;
  for (size_t place = range.begin; place < range.end; ++place) {
    const Token &token = tokens_[place];
    if (place > range.begin &&
        token.offset > tokens_[place - 1].offset + tokens_[place - 1].text.size())
      text += ' ';
    text += token.text;
  }
  return text;
}

} // namespace aiwc::advice
