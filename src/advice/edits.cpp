#include "advice/edits.h"

#include "advice/loop_edits.h"
#include "text/source_lines.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

namespace aiwc::advice {

namespace {

/// All tokens of the kernel, from its parameters on; none if it is not found.
Range extentOf(const SourceCode &code, std::string_view kernel) {
  const auto function = code.function(kernel);
  return function ? Range{function->parameters.begin, function->body.end} : Range{};
}

template <size_t N> bool isOneOf(const Token &token, const std::array<std::string_view, N> &words) {
  return token.isWord() && std::ranges::find(words, token.text) != words.end();
}

bool isOn(const Token &token, std::span<const uint64_t> lines) {
  return std::ranges::find(lines, token.line) != lines.end();
}

/// Puts an f behind each floating-point constant of the lines that has no suffix.
std::vector<Replacement> floatLiterals(const SourceCode &code, std::span<const uint64_t> lines) {
  std::vector<Replacement> edits;
  for (const Token &token : code.tokens()) {
    const bool isHex = token.text.starts_with("0x") || token.text.starts_with("0X");
    const bool isReal = token.text.find_first_of(".eE") != std::string_view::npos;
    const bool hasSuffix =
        std::string_view("fFlLhH").find(token.text.back()) != std::string_view::npos;
    if (token.kind == Token::Kind::kNumber && isOn(token, lines) && !isHex && isReal && !hasSuffix)
      edits.push_back({token.end(), 0, "f"});
  }
  return edits;
}

/// Writes powers 2, 3, 4 and 0.5 in these lines as products and a square root, where calculating
/// the base again has no effect.
std::vector<Replacement> products(const SourceCode &code, std::span<const uint64_t> lines) {
  static constexpr std::array<std::string_view, 4> kPowers = {"pow", "powr", "pown", "powf"};
  static constexpr std::array<std::string_view, 9> kSigns = {"+",  "-", "*", "/", ".",
                                                             "->", "[", "]", "("};
  std::vector<Replacement> edits;
  for (size_t place = 0; place < code.tokens().size(); ++place) {
    const auto close = isOneOf(code[place], kPowers) && isOn(code[place], lines) &&
                               code.is(place + 1, "(") && !code.macro(code[place].text)
                           ? code.closing(place + 1)
                           : std::nullopt;
    if (!close || *close < place + 5 || !code.is(*close - 2, ",") ||
        code[*close].line != code[place].line)
      continue;
    const Range base = {place + 2, *close - 2};
    bool isName = true; // of a value, an element or a member
    bool isPlain = true;
    for (size_t at = base.begin; at < base.end; ++at) {
      const Token &token = code[at];
      const bool isSign = token.is(")") || std::ranges::find(kSigns, token.text) != kSigns.end();
      const bool isCall = token.isWord() && code.is(at + 1, "(");
      isPlain =
          isPlain && !isCall && (token.isWord() || token.kind == Token::Kind::kNumber || isSign);
      isName = isName && (token.isWord() || token.is(".") || token.is("->") || token.is("[") ||
                          token.is("]") || token.kind == Token::Kind::kNumber);
    }
    std::string_view exponent = code[*close - 1].text;
    exponent = exponent.substr(0, exponent.find_first_of("fF"));
    const std::string text = isName ? code.textOf(base) : "(" + code.textOf(base) + ")";
    const auto is = [&](std::string_view number) {
      return exponent == number ||
             (exponent.starts_with(number) &&
              (exponent.substr(number.size()) == "." || exponent.substr(number.size()) == ".0"));
    };
    const std::string product = is("2")   ? fmt::format("({0} * {0})", text)
                                : is("3") ? fmt::format("({0} * {0} * {0})", text)
                                : is("4") ? fmt::format("(({0} * {0}) * ({0} * {0}))", text)
                                : exponent == "0.5" || exponent == ".5"
                                    ? fmt::format("sqrt({})", code.textOf(base))
                                    : "";
    if (isPlain && !product.empty())
      edits.push_back({code[place].offset, code[*close].end() - code[place].offset, product});
  }
  return edits;
}

std::vector<Replacement> exchangedIds(const SourceCode &code, Range kernel) {
  static constexpr std::array<std::string_view, 3> kIds = {"get_global_id", "get_local_id",
                                                           "get_group_id"};
  std::vector<Replacement> edits;
  for (size_t place = kernel.begin; place < kernel.end; ++place)
    if (isOneOf(code[place], kIds) && code.is(place + 1, "(") && code.is(place + 3, ")") &&
        (code.is(place + 2, "0") || code.is(place + 2, "1")))
      edits.push_back({code[place + 2].offset, 1, code.is(place + 2, "0") ? "1" : "0"});
  return edits;
}

/// Whether the declaration that the token is in is one of local memory.
bool isLocal(const SourceCode &code, size_t place) {
  static constexpr std::array<std::string_view, 3> kLocal = {"local", "__local", "__shared__"};
  while (place > 0 && !code.is(place - 1, ";") && !code.is(place - 1, "{") &&
         !code.is(place - 1, "}"))
    if (isOneOf(code[--place], kLocal))
      return true;
  return false;
}

/// Makes the rows of a local array of two dimensions longer where it is declared within the range.
std::vector<Replacement> longerRows(const SourceCode &code, Range range, std::string_view array) {
  std::vector<Replacement> edits;
  for (size_t place = range.begin; place < range.end; ++place) {
    if (!code[place].isWord() || !code.is(place, array) || !code.is(place + 1, "["))
      continue;
    const auto rows = code.closing(place + 1);
    const auto end = rows && code.is(*rows + 1, "[") ? code.closing(*rows + 1) : std::nullopt;
    if (!end || *end == *rows + 2 || !isLocal(code, place) ||
        !(code.is(*end + 1, ";") || code.is(*end + 1, ",") || code.is(*end + 1, "=")))
      continue;
    const Token &last = code[*end - 1];
    const bool isNumber = *end == *rows + 3 && last.text.size() < 9 &&
                          std::ranges::all_of(last.text, [](unsigned char character) {
                            return std::isdigit(character) != 0;
                          });
    if (isNumber)
      edits.push_back(
          {last.offset, last.text.size(), std::to_string(std::stoul(std::string(last.text)) + 1)});
    else
      edits.push_back({last.end(), 0, " + 1"});
  }
  return edits;
}

constexpr std::array<std::string_view, 4> kWideTypes = {"size_t", "ptrdiff_t", "long", "ulong"};

/// Whether the kernel has an argument that is a 64-bit integer, which no edit of the kernel alone
/// changes.
bool hasWideArgument(const SourceCode &code, Range parameters) {
  for (size_t place = parameters.begin; place + 1 < parameters.end; ++place)
    if (isOneOf(code[place], kWideTypes) && code[place + 1].isWord() &&
        (place + 2 == parameters.end || code.is(place + 2, ",")))
      return true;
  return false;
}

/// Gives variables of 64 bits that the kernel defines and that are indices 32: of a type for these,
/// work-item ids, or in one of the lines. There, ids and sizes of work-items that are operands get
/// a cast.
std::vector<Replacement> narrowIndices(const SourceCode &code, Range kernel,
                                       std::span<const uint64_t> lines) {
  static constexpr std::array<std::string_view, 6> kIds = {"get_global_id", "get_global_size",
                                                           "get_local_id",  "get_local_size",
                                                           "get_group_id",  "get_group_size"};
  std::vector<Replacement> edits;
  const auto isIndex = [&](const Token &name) {
    for (size_t place = kernel.begin; place < kernel.end; ++place)
      if (code.is(place, name.text) && isOn(code[place], lines))
        return true;
    return false;
  };
  for (size_t place = kernel.begin; place < kernel.end; ++place) {
    const Token &token = code[place];
    const bool isUnsignedLong = code.is(place, "long") && code.is(place - 1, "unsigned") &&
                                code[place - 1].line == token.line;
    if (isOneOf(token, kWideTypes) && !code.is(place - 1, "long") && code[place + 1].isWord() &&
        code.is(place + 2, "=") &&
        (token.text.ends_with("_t") || code[place + 3].text.starts_with("get_") ||
         isIndex(code[place + 1]))) {
      const size_t begin = code[place - (isUnsignedLong ? 1 : 0)].offset;
      edits.push_back({begin, token.end() - begin,
                       isUnsignedLong || token.text.starts_with('u') ? "uint" : "int"});
    }
    const auto close = isOneOf(token, kIds) && isOn(token, lines) && code.is(place + 1, "(")
                           ? code.closing(place + 1)
                           : std::nullopt;
    const bool isCast = code.is(place - 1, ")") && code[place - 1].end() == token.offset;
    if (close && !isCast && !code.is(*close + 1, ";") && !code.is(*close + 1, ",") &&
        code[*close + 1].line == token.line)
      edits.push_back({token.offset, 0, "(int)"});
  }
  return edits;
}

/// All loads that can be moved.
std::vector<Replacement> hoistedLoads(const SourceCode &code, std::string_view kernel,
                                      const Change &change) {
  std::vector<Replacement> all;
  const auto overlaps = [&](const Replacement &one) {
    return std::ranges::any_of(all, [&](const Replacement &other) {
      return one.length > 0 && one.offset < other.offset + other.length &&
             other.offset < one.offset + one.length;
    });
  };
  for (size_t i = 0; i < std::min(change.lines.size(), change.arrays.size()); ++i) {
    std::vector<Replacement> one = hoistedLoad(code, kernel, change.arrays[i], change.lines[i]);
    if (std::ranges::none_of(one, overlaps))
      all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

/// Of a change whose lines are places in the text.
std::vector<Replacement> replacementsOf(const Change &change, std::string_view kernel,
                                        const SourceCode &code) {
  const Range extent = extentOf(code, kernel);
  switch (change.kind) {
  case Change::Kind::kNone:
  case Change::Kind::kPassValues:
    break;
  case Change::Kind::kFloatLiterals:
    return floatLiterals(code, change.lines);
  case Change::Kind::kMultiply:
    return products(code, change.lines);
  case Change::Kind::kExchangeIds:
    return exchangedIds(code, extent);
  case Change::Kind::kPadRows: {
    std::vector<Replacement> all;
    for (const std::string &array : change.arrays) {
      std::vector<Replacement> rows = longerRows(code, extent, array);
      // Not in the kernel: in a function that it calls, if only one declares an array of this name.
      if (rows.empty())
        rows = longerRows(code, {0, code.tokens().size()}, array);
      if (rows.size() == 1)
        all.push_back(std::move(rows.front()));
    }
    return all;
  }
  case Change::Kind::kNarrowIndices:
    if (const auto function = code.function(kernel);
        function && !hasWideArgument(code, function->parameters))
      return narrowIndices(code, extent, change.lines);
    break;
  case Change::Kind::kHoistLoads:
    return hoistedLoads(code, kernel, change);
  case Change::Kind::kGridStride:
    return gridStride(code, kernel);
  }
  return {};
}

} // namespace

std::vector<Edit> editsOf(const Change &change, std::string_view kernel, const SourceCode &code) {
  const auto numbered = text::numberedLines(code.text());
  Change placed = change;
  for (uint64_t &line : placed.lines) {
    const auto found = numbered.find(line);
    line = found == numbered.end() ? 0 : found->second.place;
  }
  std::vector<Replacement> replacements = replacementsOf(placed, kernel, code);
  std::ranges::stable_sort(replacements, {}, &Replacement::offset);
  std::vector<Edit> edits;
  uint64_t place = 0;
  size_t begin = 0; // of the line
  auto next = replacements.begin();
  for (const std::string &line : text::split(code.text(), '\n')) {
    ++place;
    std::string after;
    size_t done = 0; // of the line
    for (; next != replacements.end() && next->offset <= begin + line.size(); ++next) {
      after += line.substr(done, next->offset - begin - done) + next->text;
      done = next->offset - begin + next->length;
    }
    begin += line.size() + 1;
    if (after.empty() && done == 0)
      continue;
    const auto number =
        std::ranges::find_if(numbered, [&](const auto &one) { return one.second.place == place; });
    edits.push_back(
        {place, number == numbered.end() ? place : number->first, line, after + line.substr(done)});
  }
  return edits;
}

std::string sketchOf(const Change &change, std::string_view kernel, const SourceCode &code) {
  if (change.kind != Change::Kind::kPassValues)
    return "";
  std::vector<std::string> calls = callsOfArguments(code, kernel);
  constexpr size_t kMost = 3;
  constexpr size_t kBytes = 120;
  if (calls.empty())
    return "";
  calls.resize(std::min(calls.size(), kMost));
  for (std::string &call : calls)
    call = text::printable(call, kBytes);
  return fmt::format(" Here, the host can calculate {}, which {} of the arguments alone.",
                     fmt::join(calls, " and "), calls.size() == 1 ? "is made" : "are made");
}

} // namespace aiwc::advice
