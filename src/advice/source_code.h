/// OpenCL C and CUDA source as clang's tokens, for edits that have to know loops, statements and
/// what is assigned where. It parses no more than that: whoever edits refuses what is not plain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::advice {

struct Token {
  enum class Kind : uint8_t { kWord, kNumber, kText, kSign };
  Kind kind = Kind::kSign;
  std::string_view text;
  size_t offset = 0; ///< in the source
  uint64_t line = 0; ///< from 1, where it stands: without regard to #line

  bool is(std::string_view other) const { return text == other; }
  bool isWord() const { return kind == Kind::kWord; }
  size_t end() const { return offset + text.size(); }
};

/// Places of tokens: from the first on, and before the second.
struct Range {
  size_t begin = 0, end = 0;

  bool contains(size_t place) const { return place >= begin && place < end; }
  bool operator==(const Range &) const = default;
};

/// A loop. `for (HEADER) BODY`, `while (HEADER) BODY` or `do BODY while (HEADER)`.
struct Loop {
  Range whole, header, body; ///< the body with its braces; the header without its parentheses
};

/// A function with a body.
struct Function {
  Range parameters, body; ///< without parentheses; with braces
};

/// A line of the preprocessor.
struct Directive {
  size_t offset = 0; ///< of its #
  std::string_view name;
};

class SourceCode {
public:
  /// Keeps the text, which has to outlive it. `dump`: what `clang -cc1 -dump-raw-tokens` prints of
  /// it (processes/clang_tokens.h). Throws Error if that is no dump of this text.
  SourceCode(std::string_view text, std::string_view dump);

  std::string_view text() const { return text_; }
  const std::vector<Token> &tokens() const { return tokens_; }
  const Token &operator[](size_t place) const { return tokens_[place]; }
  /// Whether the token is this sign or word; false beyond the end.
  bool is(size_t place, std::string_view what) const {
    return place < tokens_.size() && tokens_[place].is(what);
  }
  /// What a macro of the source stands for, without the parameters of one that has some; null if
  /// the source defines none of that name.
  const std::vector<Token> *macro(std::string_view name) const;
  /// The lines of the preprocessor between the first and the last of these tokens.
  std::vector<Directive> directivesIn(Range range) const;

  /// The place of the bracket that closes the one at `open`; none if there is none.
  std::optional<size_t> closing(size_t open) const;
  /// The place after the statement that begins at `begin`; none if it does not end.
  std::optional<size_t> statementEnd(size_t begin) const;
  /// The definition of the function with this name; none if there is none, or several.
  std::optional<Function> function(std::string_view name) const;
  /// The innermost loop within `range` whose body contains the token; none if there is none.
  std::optional<Loop> loopAround(size_t place, Range range) const;
  /// The source of these tokens, with single blanks where it had any space or comments.
  std::string textOf(Range range) const;

private:
  void takeDirective(std::span<const Token> tokens);
  std::optional<Loop> loopAt(size_t place) const;

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<Directive> directives_;
  std::map<std::string_view, std::vector<Token>> macros_;
};

} // namespace aiwc::advice
