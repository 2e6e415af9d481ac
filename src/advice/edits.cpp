#include "advice/edits.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
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

} // namespace

std::vector<Edit> editsOf(const Change &change, std::string_view kernel, std::string_view source) {
  const std::vector<std::string_view> lines = linesOf(source);
  std::vector<Edit> edits;
  const auto replace = [&](size_t index, std::string after) {
    if (after != lines[index])
      edits.push_back({index + 1, std::string(lines[index]), std::move(after)});
  };
  switch (change.kind) {
  case Change::Kind::kNone:
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
  }
  std::ranges::sort(edits, {}, &Edit::line);
  return edits;
}

} // namespace aiwc::advice
