#include "advice/loop_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace aiwc::advice {

namespace {

template <size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N> &words) {
  return std::ranges::find(words, word) != words.end();
}

bool isAssignment(const Token &token) {
  static constexpr std::array<std::string_view, 13> kSigns = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};
  return isOneOf(token.text, kSigns);
}

/// Words after which a name is used, not declared.
bool isStatementWord(std::string_view word) {
  static constexpr std::array<std::string_view, 6> kWords = {"return", "else", "case",
                                                             "goto",   "do",   "sizeof"};
  return isOneOf(word, kWords);
}

/// Functions without side effects whose value stays in a loop if their arguments do.
bool isPure(std::string_view word) {
  static constexpr std::array<std::string_view, 14> kNames = {"get_global_id",
                                                              "get_local_id",
                                                              "get_group_id",
                                                              "get_global_size",
                                                              "get_local_size",
                                                              "get_num_groups",
                                                              "get_global_offset",
                                                              "min",
                                                              "max",
                                                              "clamp",
                                                              "abs",
                                                              "mad24",
                                                              "mul24",
                                                              "select"};
  return isOneOf(word, kNames);
}

/// Whether the value at `place` is used as one to assign to, or its address is taken; `array[i].x
/// =` assigns to `array`.
bool isAssignedAt(const SourceCode &code, size_t place, Range range) {
  if (place > range.begin) {
    if (code.is(place - 1, "++") || code.is(place - 1, "--"))
      return true;
    if (code.is(place - 1, "&")) { // of an address, unless something to combine stands before it
      const bool hasLeft =
          place - 1 > range.begin &&
          (code[place - 2].isWord() || code.is(place - 2, ")") || code.is(place - 2, "]") ||
           code[place - 2].kind == Token::Kind::kNumber);
      if (!hasLeft || isStatementWord(code[place - 2].text))
        return true;
    }
  }
  size_t next = place + 1;
  while (next < range.end) {
    if (code.is(next, "[")) {
      const auto close = code.closing(next);
      if (!close)
        return true;
      next = *close + 1;
    } else if (code.is(next, ".") || code.is(next, "->")) {
      next += 2;
    } else {
      break;
    }
  }
  return next < range.end && isAssignment(code[next]);
}

bool isMember(const SourceCode &code, size_t place) {
  return place > 0 && (code.is(place - 1, ".") || code.is(place - 1, "->"));
}

/// Whether the name is declared, assigned, or pointed to within the range.
bool changesIn(const SourceCode &code, std::string_view name, Range range) {
  for (size_t place = range.begin; place < range.end; ++place) {
    if (!code[place].isWord() || !code.is(place, name) || isMember(code, place))
      continue;
    if (isAssignedAt(code, place, range))
      return true;
    if (place > range.begin && code[place - 1].isWord() && !isStatementWord(code[place - 1].text))
      return true; // "int name"
  }
  return false;
}

bool hasWord(const SourceCode &code, Range range, std::string_view word) {
  for (size_t place = range.begin; place < range.end; ++place)
    if (code[place].isWord() && code.is(place, word))
      return true;
  return false;
}

bool hasJump(const SourceCode &code, Range range) {
  for (const std::string_view word : {"break", "continue", "return", "goto", "asm", "__asm"})
    if (hasWord(code, range, word))
      return true;
  return false;
}

/// Whether a macro of the source stands for numbers and signs, so that it is what it seems.
bool isPlainMacro(const SourceCode &code, std::string_view name) {
  const std::vector<Token> *value = code.macro(name);
  return !value || std::ranges::all_of(*value, [](const Token &token) {
    static constexpr std::array<std::string_view, 9> kSigns = {"+", "-", "*",  "/", "%",
                                                               "(", ")", "<<", ">>"};
    return token.kind == Token::Kind::kNumber || isOneOf(token.text, kSigns);
  });
}

/// Whether the tokens calculate a value of what `loop` leaves as it is, without side effects.
bool isInvariant(const SourceCode &code, Range expression, const Loop &loop, Range body) {
  static constexpr std::array<std::string_view, 25> kSigns = {
      "+", "-", "*",  "/",  "%",  "(",  ")",  "<<", ">>", "&", "|", "^", "~",
      "<", ">", "<=", ">=", "==", "!=", "&&", "||", "!",  "?", ":", ","};
  for (size_t place = expression.begin; place < expression.end; ++place) {
    const Token &token = code[place];
    if (token.kind == Token::Kind::kNumber)
      continue;
    if (token.is(".") && place > expression.begin && code[place - 1].isWord()) {
      ++place; // the member of a value whose name was looked at
      continue;
    }
    if (!token.isWord()) {
      if (!isOneOf(token.text, kSigns))
        return false;
      continue;
    }
    if (!isPlainMacro(code, token.text))
      return false;
    if (code.is(place + 1, "(")) {
      if (!isPure(token.text))
        return false;
    } else if (changesIn(code, token.text, loop.whole)) {
      return false;
    } else {
      for (size_t other = body.begin; other < body.end; ++other) // a pointer may change it
        if (code[other].isWord() && code.is(other, token.text) && other > 0 &&
            code.is(other - 1, "&") && isAssignedAt(code, other, body))
          return false;
    }
  }
  return expression.begin < expression.end;
}

/// Whether the first iteration of the loop executes the token for certain: it is in a statement of
/// the body's own, without a condition, and nothing leaves the loop before it.
bool isUnconditional(const SourceCode &code, size_t place, Range body) {
  Range block = body;
  for (;;) {
    size_t at = block.begin;
    if (code.is(at, "{")) {
      ++at;
      --block.end;
    }
    for (;;) {
      const auto end = at < block.end ? code.statementEnd(at) : std::nullopt;
      if (!end)
        return false;
      if (place < *end) {
        block = {at, *end};
        break;
      }
      if (hasJump(code, {at, *end}))
        return false;
      at = *end;
    }
    if (code.is(block.begin, "{"))
      continue;
    for (const std::string_view word : {"if", "for", "while", "do", "switch", "case", "default"})
      if (code.is(block.begin, word))
        return false;
    for (size_t sign = block.begin; sign < place; ++sign)
      if (code.is(sign, "?") || code.is(sign, "&&") || code.is(sign, "||") ||
          (code.is(sign, ":") && !code.is(sign, "::")))
        return false;
    return true;
  }
}

/// The type of what a parameter `TYPE *name` points to; empty if it is not written like this.
std::string elementType(const SourceCode &code, std::string_view name, Range parameters) {
  static constexpr std::array<std::string_view, 6> kQualifiers = {
      "global", "__global", "const", "restrict", "__restrict", "__restrict__"};
  static constexpr std::array<std::string_view, 8> kNotLoaded = {
      "volatile", "half", "local", "__local", "constant", "__constant", "void", "auto"};
  size_t begin = parameters.begin;
  for (size_t place = parameters.begin; place <= parameters.end; ++place) {
    if (place < parameters.end && !code.is(place, ","))
      continue;
    Range one{begin, place};
    begin = place + 1;
    if (one.begin >= one.end || !code.is(one.end - 1, name))
      continue;
    std::string type;
    size_t pointers = 0;
    for (size_t at = one.begin; at + 1 < one.end; ++at) {
      const Token &token = code[at];
      pointers += token.is("*");
      if (token.is("*"))
        continue;
      if (!token.isWord() || isOneOf(token.text, kNotLoaded) || code.macro(token.text))
        return "";
      if (isOneOf(token.text, kQualifiers))
        continue;
      if (pointers > 0)
        return "";
      type += (type.empty() ? "" : " ") + std::string(token.text);
    }
    return pointers == 1 ? type : "";
  }
  return "";
}

/// Whether the parameter is only read: as `array[...]` that nothing is assigned to, and not given a
/// new meaning.
bool isOnlyRead(const SourceCode &code, std::string_view array, Range body) {
  for (size_t place = body.begin; place < body.end; ++place) {
    if (!code[place].isWord() || !code.is(place, array) || isMember(code, place))
      continue;
    if (!code.is(place + 1, "[") || isAssignedAt(code, place, body) ||
        (code[place - 1].isWord() && !isStatementWord(code[place - 1].text)))
      return false;
  }
  return true;
}

std::string newName(const SourceCode &code, const std::string &wanted) {
  std::string name = wanted;
  for (int number = 2;; ++number) {
    const bool isUsed = code.macro(name) || hasWord(code, {0, code.tokens().size()}, name);
    if (!isUsed)
      return name;
    name = wanted + std::to_string(number);
  }
}

/// What stands before the token on its line.
std::string_view lineBefore(const SourceCode &code, size_t place) {
  const size_t offset = code[place].offset;
  const size_t begin = offset == 0 ? 0 : code.text().rfind('\n', offset - 1) + 1;
  return code.text().substr(begin, offset - begin);
}

bool isBlankText(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

/// A statement before the token and its pragmas, on a line of its own if the token is the first of
/// its line. None if another line of the preprocessor stands between it and the token before.
std::optional<Replacement> statementBefore(const SourceCode &code, size_t place,
                                           const std::string &statement) {
  const std::string_view before = lineBefore(code, place);
  const std::vector<Directive> directives = code.directivesIn({place - 1, place + 1});
  if (directives.empty())
    return Replacement{code[place].offset, 0,
                       statement +
                           (isBlankText(before) ? "\n" + std::string(before) : std::string(" "))};
  if (!isBlankText(before) || std::ranges::any_of(directives, [](const Directive &directive) {
        return directive.name != "pragma";
      }))
    return std::nullopt;
  const size_t line = code.text().rfind('\n', directives.front().offset) + 1;
  return Replacement{line, 0, std::string(before) + statement + "\n"};
}

} // namespace

std::vector<Replacement> hoistedLoad(const SourceCode &code, std::string_view kernel,
                                     std::string_view array, uint64_t line) {
  const std::optional<Function> function = code.function(kernel);
  // A jump past a declaration is an error in C++.
  if (!function || code.macro(array) || hasWord(code, function->body, "switch") ||
      hasWord(code, function->body, "goto"))
    return {};
  const std::string type = elementType(code, array, function->parameters);
  if (type.empty() || !isOnlyRead(code, array, function->body))
    return {};
  const auto loadAt = [&](size_t place) -> std::optional<Range> { // the index
    if (!code[place].isWord() || !code.is(place, array) || isMember(code, place) ||
        !code.is(place + 1, "["))
      return std::nullopt;
    const auto close = code.closing(place + 1);
    // A row of two dimensions, or a member, has another type.
    if (!close || code.is(*close + 1, "[") || code.is(*close + 1, ".") || code.is(*close + 1, "->"))
      return std::nullopt;
    return Range{place + 2, *close};
  };
  for (size_t place = function->body.begin; place < function->body.end; ++place) {
    const auto index = code[place].line == line ? loadAt(place) : std::nullopt;
    const auto loop = index ? code.loopAround(place, function->body) : std::nullopt;
    if (!loop || !code.directivesIn(loop->whole).empty() ||
        !isUnconditional(code, place, loop->body) ||
        !isInvariant(code, *index, *loop, function->body))
      continue;
    const size_t before = loop->whole.begin - 1; // a declaration may follow
    if (!code.is(before, ";") && !code.is(before, "{") && !code.is(before, "}"))
      continue;
    const std::string text = code.textOf(*index);
    const bool isName = index->end == index->begin + 1 && code[index->begin].isWord();
    const std::string name =
        newName(code, std::string(array) + "_" + (isName ? text : std::string("value")));
    const auto statement = statementBefore(
        code, loop->whole.begin, fmt::format("const {} {} = {}[{}];", type, name, array, text));
    if (!statement)
      continue;
    std::vector<Replacement> edits = {*statement};
    for (size_t other = loop->whole.begin; other < loop->whole.end; ++other)
      if (const auto same = loadAt(other); same && code.textOf(*same) == text) {
        if (code[other].line != code[same->end].line)
          return {};
        edits.push_back({code[other].offset, code[same->end].end() - code[other].offset, name});
      }
    return edits;
  }
  return {};
}

namespace {

/// Of OpenCL C and CUDA: a name with or without what says how exact it is.
bool isMathematical(std::string_view name) {
  static constexpr std::array<std::string_view, 22> kNames = {
      "exp",  "exp2",  "exp10", "expm1", "log", "log2", "log10", "log1p", "pow",  "powr", "pown",
      "sqrt", "rsqrt", "cbrt",  "sin",   "cos", "tan",  "asin",  "acos",  "atan", "erf",  "tanh"};
  for (const std::string_view prefix : {"native_", "half_", "__"})
    if (name.starts_with(prefix))
      name.remove_prefix(prefix.size());
  return isOneOf(name, kNames) ||
         (name.ends_with('f') && name != "erf" && isOneOf(name.substr(0, name.size() - 1), kNames));
}

/// The parameters that are values, and that the kernel leaves as they are.
std::set<std::string_view> constantValues(const SourceCode &code, const Function &function) {
  std::set<std::string_view> names;
  bool isPointer = false;
  for (size_t place = function.parameters.begin; place <= function.parameters.end; ++place) {
    isPointer = isPointer || code.is(place, "*") || code.is(place, "[") || code.is(place, "&");
    if (place < function.parameters.end && !code.is(place, ","))
      continue;
    if (!isPointer && place > function.parameters.begin && code[place - 1].isWord() &&
        !changesIn(code, code[place - 1].text, function.body))
      names.insert(code[place - 1].text);
    isPointer = false;
  }
  return names;
}

} // namespace

std::vector<std::string> callsOfArguments(const SourceCode &code, std::string_view kernel) {
  const std::optional<Function> function = code.function(kernel);
  if (!function)
    return {};
  const std::set<std::string_view> values = constantValues(code, *function);
  std::vector<std::string> calls;
  for (size_t place = function->body.begin; place < function->body.end; ++place) {
    if (!code[place].isWord() || !isMathematical(code[place].text) || !code.is(place + 1, "(") ||
        code.macro(code[place].text) || isMember(code, place))
      continue;
    const auto close = code.closing(place + 1);
    if (!close)
      return calls;
    bool isOfArguments = true;
    bool hasArgument = false;
    for (size_t at = place + 2; at < *close; ++at) {
      const Token &token = code[at];
      const bool isValue = token.isWord() && values.contains(token.text) && !code.macro(token.text);
      const bool isCall = token.isWord() && isMathematical(token.text) && code.is(at + 1, "(");
      hasArgument = hasArgument || isValue;
      static constexpr std::array<std::string_view, 7> kSigns = {"+", "-", "*", "/", "(", ")", ","};
      isOfArguments =
          isOfArguments &&
          (isValue || isCall || token.kind == Token::Kind::kNumber || isOneOf(token.text, kSigns) ||
           (token.isWord() && code.macro(token.text) && isPlainMacro(code, token.text)));
    }
    if (!isOfArguments || !hasArgument)
      continue;
    const std::string text = code.textOf({place, *close + 1});
    if (std::ranges::find(calls, text) == calls.end())
      calls.push_back(text);
    place = *close;
  }
  return calls;
}

namespace {

/// `TYPE name = ID;` at `begin`, with the id of the work-item in dimension 0.
struct IdDeclaration {
  std::string_view name;
  std::string step; ///< the number of work-items
  Range whole;
  std::optional<size_t> qualifier; ///< the place of `const`
};

std::optional<IdDeclaration> idDeclarationAt(const SourceCode &code, size_t begin) {
  static constexpr std::array<std::string_view, 10> kTypes = {
      "int",   "uint", "size_t",   "unsigned", "long",
      "ulong", "auto", "uint32_t", "uint64_t", "const"};
  const auto end = code.statementEnd(begin);
  if (!end)
    return std::nullopt;
  IdDeclaration found;
  found.whole = {begin, *end};
  size_t place = begin;
  for (; place + 1 < *end && !code.is(place + 1, "="); ++place) {
    if (!code[place].isWord() || !isOneOf(code[place].text, kTypes) || code.macro(code[place].text))
      return std::nullopt;
    if (code.is(place, "const"))
      found.qualifier = place;
  }
  if (place == begin || place + 1 >= *end || !code[place].isWord())
    return std::nullopt;
  found.name = code[place].text;
  std::string value;
  for (size_t at = place + 2; at + 1 < *end; ++at)
    value += code[at].text;
  static constexpr std::array<std::string_view, 4> kCudaIds = {
      "blockIdx.x*blockDim.x+threadIdx.x", "threadIdx.x+blockIdx.x*blockDim.x",
      "blockDim.x*blockIdx.x+threadIdx.x", "threadIdx.x+blockDim.x*blockIdx.x"};
  if (value == "get_global_id(0)")
    found.step = "get_global_size(0)";
  else if (isOneOf(value, kCudaIds))
    found.step = "gridDim.x * blockDim.x";
  else
    return std::nullopt;
  return found;
}

/// Words with which a work-item does more than its own work, or knows which one it is.
bool isOfItsOwn(const SourceCode &code, Range range) {
  static constexpr std::array<std::string_view, 13> kWords = {
      "local",   "__local", "__shared__", "goto",    "threadIdx", "blockIdx", "blockDim",
      "gridDim", "asm",     "extern",     "__asm__", "static",    "return"};
  for (size_t place = range.begin; place < range.end; ++place) {
    const Token &token = code[place];
    if (!token.isWord())
      continue;
    const bool isOfGroup =
        token.text.find("barrier") != std::string_view::npos || token.text.starts_with("__sync") ||
        token.text.starts_with("get_") || token.text.starts_with("work_group_") ||
        token.text.starts_with("sub_group_") || token.text.starts_with("__shfl") ||
        token.text.starts_with("__ballot") || token.text.starts_with("async_work_group");
    if (isOfGroup || isOneOf(token.text, kWords) || !isPlainMacro(code, token.text))
      return false;
  }
  return true;
}

/// The names that parameters and declarations before the work have must keep their values in it.
bool keepsValues(const SourceCode &code, Range names, Range work) {
  for (size_t place = names.begin; place < names.end; ++place)
    if (code[place].isWord() && !code.is(place + 1, "[")) {
      const std::string_view name = code[place].text;
      for (size_t at = work.begin; at < work.end; ++at)
        if (code[at].isWord() && code.is(at, name) && !isMember(code, at) &&
            isAssignedAt(code, at, work) && !code.is(at + 1, "["))
          return false;
    }
  return true;
}

/// `i < n`, of a condition that lets the work-item work if `isWork`, else return; empty if it does
/// not compare the name with a value that stays.
std::string boundOf(const SourceCode &code, Range condition, std::string_view name, bool isWork) {
  const std::string_view sign = isWork ? "<" : ">=";
  if (condition.end < condition.begin + 3 || !code.is(condition.begin, name) ||
      !code.is(condition.begin + 1, sign))
    return "";
  for (size_t place = condition.begin + 2; place < condition.end; ++place) {
    static constexpr std::array<std::string_view, 7> kSigns = {"+", "-", "*", "/", "(", ")", "."};
    const Token &token = code[place];
    if ((token.kind == Token::Kind::kSign && !isOneOf(token.text, kSigns)) ||
        token.kind == Token::Kind::kText || token.is(name) ||
        (token.isWord() && code.is(place + 1, "(")))
      return "";
  }
  return std::string(name) + " < " + code.textOf({condition.begin + 2, condition.end});
}

} // namespace

std::vector<Replacement> gridStride(const SourceCode &code, std::string_view kernel) {
  const std::optional<Function> function = code.function(kernel);
  if (!function || !code.directivesIn(function->body).empty())
    return {};
  const Range body = {function->body.begin + 1, function->body.end - 1};
  const auto id = idDeclarationAt(code, body.begin);
  const size_t condition = id ? id->whole.end : body.end;
  const auto close = code.is(condition, "if") && code.is(condition + 1, "(")
                         ? code.closing(condition + 1)
                         : std::nullopt;
  if (!close || *close + 1 >= body.end)
    return {};
  // `if (i < n) WORK`, or `if (i >= n) return; WORK`, or the same with braces.
  const size_t then = *close + 1;
  const bool hasBraces = code.is(then, "{");
  const size_t first = then + (hasBraces ? 1 : 0);
  const bool returns = code.is(first, "return") && code.is(first + 1, ";") &&
                       (!hasBraces || code.is(first + 2, "}"));
  const size_t last = first + (hasBraces ? 2 : 1); // of what returns
  const Range work = {returns ? last + 1 : then, body.end};
  const std::string bound = boundOf(code, {condition + 2, *close}, id->name, !returns);
  const bool isAll = returns ? !code.is(work.begin, "else") : code.statementEnd(then) == body.end;
  if (bound.empty() || !isAll || work.begin >= work.end || !isOfItsOwn(code, work) ||
      changesIn(code, id->name, work) || !keepsValues(code, function->parameters, work))
    return {};
  std::vector<Replacement> edits;
  const auto replace = [&](size_t begin, size_t end, const std::string &text) { // tokens, both in
    edits.push_back({code[begin].offset, code[end].end() - code[begin].offset, text});
  };
  if (id->qualifier)
    edits.push_back({code[*id->qualifier].offset,
                     code[*id->qualifier + 1].offset - code[*id->qualifier].offset, ""});
  const std::string head = "for (; " + bound + ";";
  const std::string step = std::string(id->name) + " += " + id->step + ")";
  if (code[condition].line != code[*close].line)
    return {};
  if (!returns) {
    replace(condition, *close, head + " " + step);
    return edits;
  }
  if (code[condition].line == code[last].line) {
    replace(condition, last, head + " " + step + " {");
  } else { // as many lines as before
    replace(condition, code[then].line == code[condition].line ? then : *close, head);
    replace(code[then].line == code[condition].line ? first : then, first + 1, step + " {");
    if (hasBraces)
      replace(last, last, "");
  }
  const size_t brace = function->body.end - 1;
  const std::string_view before = lineBefore(code, brace);
  if (isBlankText(before))
    edits.push_back(
        {code[brace].offset - before.size(), 0, std::string(lineBefore(code, condition)) + "}\n"});
  else
    edits.push_back({code[brace].offset, 0, "} "});
  return edits;
}

} // namespace aiwc::advice
