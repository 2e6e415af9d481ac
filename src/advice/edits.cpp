#include "advice/edits.h"

#include "advice/loop_edits.h"
#include "text/source_lines.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <span>
#include <utility>

namespace aiwc::advice {

namespace {

std::vector<std::string_view> linesOf(std::string_view source) {
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin < source.size();) {
    const size_t end = std::min(source.find('\n', begin), source.size());
    lines.push_back(source.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

bool isWord(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}

/// Where a comment to the end of the line or a literal text begins: from there on nothing is code.
size_t endOfCode(std::string_view line) {
  return std::min({line.size(), line.find("//"), line.find("/*"), line.find('"')});
}

/// The line with an f behind each floating-point constant that has no suffix.
std::string withFloatLiterals(std::string_view line) {
  std::string result;
  const size_t end = endOfCode(line);
  size_t i = 0;
  while (i < end) {
    const bool starts = std::isdigit(static_cast<unsigned char>(line[i])) != 0 ||
                        (line[i] == '.' && i + 1 < end &&
                         std::isdigit(static_cast<unsigned char>(line[i + 1])) != 0);
    if (!starts) {
      result += line[i++];
      if (isWord(result.back())) // a name, with the digits in it
        while (i < end && isWord(line[i]))
          result += line[i++];
      continue;
    }
    // A number as the preprocessor sees it: with letters, dots, and the sign of an exponent.
    const size_t begin = i;
    while (i < end &&
           (isWord(line[i]) || line[i] == '.' ||
            ((line[i] == '+' || line[i] == '-') && (line[i - 1] == 'e' || line[i - 1] == 'E'))))
      ++i;
    const std::string_view number = line.substr(begin, i - begin);
    result += number;
    const bool isHex = number.starts_with("0x") || number.starts_with("0X");
    const bool isReal = number.find_first_of(".eE") != std::string_view::npos;
    const bool hasSuffix = std::string_view("fFlLhH").find(number.back()) != std::string_view::npos;
    if (!isHex && isReal && !hasSuffix)
      result += 'f';
  }
  result += line.substr(end);
  return result;
}

/// The first and the last line of the kernel, from 0; none if it is not found.
std::optional<std::pair<size_t, size_t>> extentOf(std::string_view kernel,
                                                  const std::vector<std::string_view> &lines) {
  const auto names = [&](std::string_view line) {
    for (size_t at = line.find(kernel); at != std::string_view::npos;
         at = line.find(kernel, at + 1)) {
      const size_t end = at + kernel.size();
      if ((at == 0 || !isWord(line[at - 1])) && end < line.size() &&
          line.substr(line.find_first_not_of(' ', end)).starts_with("("))
        return true;
    }
    return false;
  };
  for (size_t first = 0; first < lines.size(); ++first) {
    if (!names(lines[first].substr(0, endOfCode(lines[first]))))
      continue;
    int depth = 0;
    bool opened = false;
    for (size_t last = first; last < lines.size(); ++last) {
      const std::string_view code = lines[last].substr(0, endOfCode(lines[last]));
      for (const char character : code) {
        depth += character == '{' ? 1 : character == '}' ? -1 : 0;
        opened = opened || character == '{';
        if (!opened && character == ';')
          return std::nullopt; // a declaration
      }
      if (opened && depth == 0)
        return std::pair(first, last);
    }
  }
  return std::nullopt;
}

std::string withExchangedIds(std::string_view line) {
  static const std::regex id(R"((get_(?:global|local|group)_id\s*\(\s*)([01])(\s*\)))");
  const std::string text(line);
  std::string result;
  auto from = text.begin();
  for (std::sregex_iterator found(text.begin(), text.end(), id), end; found != end; ++found) {
    result.append(from, (*found)[2].first);
    result += *(*found)[2].first == '0' ? '1' : '0';
    from = (*found)[2].second;
  }
  result.append(from, text.end());
  return result;
}

/// The declaration of a local array of two dimensions, with longer rows.
std::string withLongerRows(std::string_view line, const std::string &array) {
  const std::regex declaration(R"((\b(?:__local|local|__shared__)\b.*\b)" + array +
                               R"(\s*\[[^\]]+\]\s*\[\s*)([^\]]+?)(\s*\]\s*(?:;|,|=).*))");
  constexpr size_t kLongest = 1000; // std::regex recurses with the length
  std::smatch found;
  const std::string text(line);
  if (text.size() > kLongest || !std::regex_search(text, found, declaration))
    return std::string(line);
  const std::string length = found[2];
  const bool isNumber = std::ranges::all_of(
      length, [](unsigned char character) { return std::isdigit(character) != 0; });
  const std::string longer =
      isNumber && length.size() < 9 ? std::to_string(std::stoul(length) + 1) : length + " + 1";
  return found.prefix().str() + found[1].str() + longer + found[3].str();
}

bool hasWord(std::string_view line, std::string_view word) {
  for (size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !isWord(line[at - 1])) && (end == line.size() || !isWord(line[end])))
      return true;
  }
  return false;
}

/// Whether a kernel that begins with these lines has an argument that is a 64-bit integer, which no
/// edit of the kernel alone changes.
bool hasWideArgument(std::span<const std::string_view> lines) {
  static const std::regex argument(R"(\b(size_t|ptrdiff_t|long|ulong)\s+\w+\s*([,){]|$))");
  for (const std::string_view line : lines) {
    const std::string_view code = line.substr(0, std::min(endOfCode(line), line.find('{')));
    if (std::regex_search(code.begin(), code.end(), argument))
      return true;
    if (line.find('{') != std::string_view::npos)
      break;
  }
  return false;
}

/// The line with variables of 32 bits instead of those of 64 that it defines and that are indices:
/// of a type for these, work-item ids, or in one of the lines of `uses`.
std::string withNarrowDefinitions(std::string_view line, std::span<const std::string_view> uses) {
  static const std::regex definition(
      R"(\b(size_t|ptrdiff_t|unsigned long|ulong|long)(\s+)(\w+)(\s*=\s*)(get_)?)");
  const std::string code(line.substr(0, endOfCode(line)));
  std::string result;
  auto from = code.begin();
  for (std::sregex_iterator found(code.begin(), code.end(), definition), end; found != end;
       ++found) {
    const std::string type = (*found)[1];
    const std::string name = (*found)[3];
    if (!type.ends_with("_t") && !(*found)[5].matched &&
        std::ranges::none_of(uses, [&](std::string_view use) { return hasWord(use, name); }))
      continue;
    result.append(from, (*found)[1].first);
    result += type.starts_with('u') ? "uint" : "int";
    from = (*found)[1].second;
  }
  result.append(from, code.end());
  return result + std::string(line.substr(code.size()));
}

/// The line with a cast to 32 bits before ids and sizes of work-items that are operands.
std::string withNarrowIds(std::string_view line) {
  static const std::regex id(R"(\bget_(?:global|local|group)_(?:id|size)\s*\([^()]*\)\s*(.?))");
  const std::string code(line.substr(0, endOfCode(line)));
  std::string result;
  auto from = code.begin();
  for (std::sregex_iterator found(code.begin(), code.end(), id), end; found != end; ++found) {
    result.append(from, (*found)[0].first);
    from = (*found)[0].first;
    const std::string follows = (*found)[1];
    if (!follows.empty() && follows != ";" && follows != "," && !result.ends_with(')'))
      result += "(int)";
  }
  result.append(from, code.end());
  return result + std::string(line.substr(code.size()));
}

/// The edits of the lines that the replacements are on; each is within a line and does not touch
/// another one.
std::vector<Edit> asLines(std::vector<Replacement> replacements, std::string_view source) {
  std::ranges::stable_sort(replacements, {}, &Replacement::offset);
  std::vector<Edit> edits;
  uint64_t number = 0;
  size_t begin = 0; // of the line
  for (const std::string_view line : linesOf(source)) {
    ++number;
    std::string after;
    size_t done = 0; // of the line
    bool isEdited = false;
    for (const Replacement &one : replacements) {
      if (one.offset < begin || one.offset > begin + line.size())
        continue;
      after += line.substr(done, one.offset - begin - done);
      after += one.text;
      done = one.offset - begin + one.length;
      isEdited = true;
    }
    if (isEdited)
      edits.push_back({number, 0, std::string(line), after + std::string(line.substr(done))});
    begin += line.size() + 1;
  }
  return edits;
}

/// All loads that can be moved.
std::vector<Edit> hoistedLoads(const Change &change, std::string_view kernel,
                               std::string_view source) {
  const SourceCode code(source);
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
  return asLines(std::move(all), source);
}

/// The edits of a change whose lines are places in the text; the numbers of the lines are left
/// open.
std::vector<Edit> placedEdits(const Change &change, std::string_view kernel,
                              std::string_view source) {
  const std::vector<std::string_view> lines = linesOf(source);
  std::vector<Edit> edits;
  const auto replace = [&](size_t index, std::string after) {
    if (after != lines[index])
      edits.push_back({index + 1, 0, std::string(lines[index]), std::move(after)});
  };
  switch (change.kind) {
  case Change::Kind::kNone:
  case Change::Kind::kPassValues:
    break;
  case Change::Kind::kFloatLiterals:
    for (const uint64_t line : change.lines)
      if (line > 0 && line <= lines.size())
        replace(line - 1, withFloatLiterals(lines[line - 1]));
    break;
  case Change::Kind::kExchangeIds:
    if (const auto extent = extentOf(kernel, lines))
      for (size_t index = extent->first; index <= extent->second; ++index)
        replace(index, withExchangedIds(lines[index]));
    break;
  case Change::Kind::kPadRows:
    for (const std::string &array : change.arrays)
      for (size_t index = 0; index < lines.size(); ++index)
        if (std::ranges::all_of(array, isWord))
          replace(index, withLongerRows(lines[index], array));
    break;
  case Change::Kind::kNarrowIndices: {
    const auto extent = extentOf(kernel, lines);
    if (!extent || hasWideArgument(std::span(lines).subspan(extent->first)))
      break;
    std::vector<std::string_view> uses;
    for (const uint64_t line : change.lines)
      if (line > extent->first && line <= extent->second + 1)
        uses.push_back(lines[line - 1]);
    for (size_t index = extent->first; index <= extent->second; ++index) {
      const std::string after = withNarrowDefinitions(lines[index], uses);
      const bool isUse = std::ranges::find(change.lines, index + 1) != change.lines.end();
      replace(index, isUse ? withNarrowIds(after) : after);
    }
    break;
  }
  case Change::Kind::kHoistLoads:
    return hoistedLoads(change, kernel, source);
  case Change::Kind::kGridStride:
    return asLines(gridStride(SourceCode(source), kernel), source);
  }
  std::ranges::sort(edits, {}, &Edit::place);
  return edits;
}

} // namespace

std::vector<Edit> editsOf(const Change &change, std::string_view kernel, std::string_view source) {
  const auto numbered = text::numberedLines(source);
  Change placed = change;
  for (uint64_t &line : placed.lines) {
    const auto found = numbered.find(line);
    line = found == numbered.end() ? 0 : found->second.place;
  }
  std::vector<Edit> edits = placedEdits(placed, kernel, source);
  for (Edit &edit : edits) {
    const auto found = std::ranges::find_if(
        numbered, [&](const auto &line) { return line.second.place == edit.place; });
    edit.line = found == numbered.end() ? edit.place : found->first;
  }
  return edits;
}

std::string sketchOf(const Change &change, std::string_view kernel, std::string_view source) {
  if (change.kind != Change::Kind::kPassValues)
    return "";
  std::vector<std::string> calls = callsOfArguments(SourceCode(source), kernel);
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
