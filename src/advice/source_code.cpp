#include "advice/source_code.h"

#include "common/error.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace aiwc::advice {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

/// A token of clang's, which are all of the text: blanks and comments, too.
struct Dumped {
  std::string_view kind; ///< in clang's words
  Token token;
  bool startsLine = false; ///< a backslash at its end continues a line
};

std::vector<size_t> lineOffsets(std::string_view text) {
  std::vector<size_t> offsets = {0};
  for (size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\n' || (text[at] == '\r' && text.substr(at, 2) != "\r\n"))
      offsets.push_back(at + 1);
  return offsets;
}

/// Two numbers, "3:14>"; none if the text does not begin with them.
std::optional<std::pair<size_t, size_t>> placeIn(std::string_view text) {
  size_t line = 0, column = 0;
  const char *const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, line);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':')
    return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, column);
  if (second.ec != std::errc() || second.ptr == end || *second.ptr != '>')
    return std::nullopt;
  return std::pair(line, column);
}

/// The entries of the dump: `KIND 'SPELLING'\t FLAGS\tLoc=<<stdin>:LINE:COLUMN>`. What looks like a
/// place in a spelling is none: offsets grow.
std::vector<Dumped> dumped(std::string_view text, std::string_view dump) {
  constexpr std::string_view kPlace = "\tLoc=<<stdin>:";
  const std::vector<size_t> lines = lineOffsets(text);
  std::vector<Dumped> all;
  size_t begin = 0;
  for (size_t at = dump.find(kPlace); at != std::string_view::npos; at = dump.find(kPlace, at)) {
    const std::string_view entry = dump.substr(begin, at - begin);
    const auto place = placeIn(dump.substr(at += kPlace.size()));
    if (!place)
      continue;
    const bool isLine = place->first > 0 && place->first <= lines.size();
    const size_t offset = isLine ? lines[place->first - 1] + place->second - 1 : text.size();
    if (offset >= text.size() || (!all.empty() && offset <= all.back().token.offset))
      continue;
    all.push_back({entry.substr(0, entry.find(" '")),
                   {Token::Kind::kSign, {}, offset, place->first},
                   entry.find("'\t [StartOfLine]") != std::string_view::npos});
    constexpr std::string_view kOfKinds = "abcdefghijklmnopqrstuvwxyz_";
    if (all.back().kind.find_first_not_of(kOfKinds) != std::string_view::npos)
      break;
    begin = std::min(dump.find('\n', at), dump.size() - 1) + 1;
  }
  if (begin != dump.size())
    throw Error("clang's tokens are not those of the source: expected its own");
  for (size_t i = 0; i < all.size(); ++i) {
    const size_t end = i + 1 < all.size() ? all[i + 1].token.offset : text.size();
    all[i].token.text = text.substr(all[i].token.offset, end - all[i].token.offset);
  }
  return all;
}

/// None of blanks and comments. What clang does not know either is a sign.
std::optional<Token::Kind> kindOf(const Dumped &one) {
  if (one.kind == "comment" || one.token.text.find_first_not_of(kBlanks) == std::string_view::npos)
    return std::nullopt;
  return one.kind == "raw_identifier"     ? Token::Kind::kWord
         : one.kind == "numeric_constant" ? Token::Kind::kNumber
         : one.kind.ends_with("string_literal") || one.kind.ends_with("char_constant")
             ? Token::Kind::kText
             : Token::Kind::kSign;
}

} // namespace

SourceCode::SourceCode(std::string_view text, std::string_view dump) : text_(text) {
  std::vector<Token> directive;
  bool startsLine = true; // nothing but blanks and comments before
  for (Dumped &one : dumped(text, dump)) {
    startsLine = startsLine || one.startsLine;
    const auto kind = kindOf(one);
    if (!kind)
      continue;
    one.token.kind = *kind;
    if (std::exchange(startsLine, false)) {
      takeDirective(std::exchange(directive, {}));
      if (one.kind == "hash")
        directive.push_back(one.token);
      else
        tokens_.push_back(one.token);
    } else {
      (directive.empty() ? tokens_ : directive).push_back(one.token);
    }
  }
  takeDirective(directive);
}

void SourceCode::takeDirective(std::span<const Token> tokens) {
  if (tokens.empty())
    return;
  directives_.push_back({tokens[0].offset, tokens.size() > 1 ? tokens[1].text : ""});
  if (directives_.back().name != "define" || tokens.size() < 3)
    return;
  size_t value = 3;
  if (tokens.size() > 3 && tokens[3].is("(") && tokens[3].offset == tokens[2].end())
    while (value < tokens.size() && !tokens[value++].is(")")) // its parameters
      ;
  std::vector<Token> &all = macros_[tokens[2].text]; // of several definitions
  all.insert(all.end(), tokens.begin() + static_cast<std::ptrdiff_t>(value), tokens.end());
}

const std::vector<Token> *SourceCode::macro(std::string_view name) const {
  const auto found = macros_.find(name);
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
    if (place > range.begin && token.offset > tokens_[place - 1].end())
      text += ' ';
    text += token.text;
  }
  return text;
}

} // namespace aiwc::advice
