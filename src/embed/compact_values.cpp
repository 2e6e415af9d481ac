#include "embed/compact_values.h"

#include "common/error.h"
#include "embed/bytes.h"
#include "embed/compact_text.h"
#include "profile/reuse.h"
#include "profile/source_hash.h"
#include "text/text.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

namespace aiwc::embed {

using profile::Histogram;
using profile::KernelProfile;

namespace {

constexpr std::string_view kLevelExpected = "width:levels, widths increasing";
constexpr std::string_view kReuseExpected = "lowest:accesses or lowest~end:accesses";

uint64_t required(const Token &token, const std::optional<uint64_t> &number,
                  std::string_view expected) {
  if (!number)
    wrong(token, expected);
  return *number;
}

/// Removes the sign between two parts of a value.
void between(const Token &token, std::string_view &rest, char sign, std::string_view expected) {
  if (!takeSign(rest, sign))
    wrong(token, expected);
}

void addLevel(const Token &token, uint64_t width, std::string_view &rest, Histogram &levels) {
  const uint64_t number = required(token, takeCount(rest), kLevelExpected);
  if (!levels.empty() && levels.back().first >= width)
    wrong(token, kLevelExpected);
  levels.emplace_back(width, number);
}

/// Whether another item follows. Throws if the value neither ends here nor continues.
bool goesOn(const Token &token, std::string_view &rest, std::string_view expected) {
  if (rest.empty())
    return false;
  between(token, rest, ',', expected);
  return true;
}

bool isSpace(char c) {
  return c == ' ' || c == '\n' || c == '\r';
}

/// Removes the next word from `text`; empty at the end. Does not use find_first_of, which is
/// several times slower.
std::string_view takeWord(std::string_view &text) {
  size_t begin = 0;
  while (begin < text.size() && isSpace(text[begin]))
    ++begin;
  size_t end = begin;
  while (end < text.size() && !isSpace(text[end]))
    ++end;
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

/// Whether the only white space in `words` is one space between words. Whole strides are checked at
/// once, which compilers vectorise.
bool isPlain(std::string_view words) {
  const auto isOdd = [&](size_t at) {
    return static_cast<unsigned char>(
        static_cast<unsigned>(words[at] == '\r') | static_cast<unsigned>(words[at] == '\n') |
        (static_cast<unsigned>(words[at] == ' ') & static_cast<unsigned>(words[at + 1] == ' ')));
  };
  if (words.empty() || isSpace(words.front()) || isSpace(words.back()))
    return words.empty();
  unsigned char odd = 0;
  size_t at = 0;
  for (; words.size() - at > kStride; at += kStride)
    for (size_t i = 0; i < kStride; ++i)
      odd |= isOdd(at + i);
  for (; at + 1 < words.size(); ++at)
    odd |= isOdd(at);
  return odd == 0;
}

/// The words of `text` with one space between them. Containers keep the lines, or replace newlines
/// with spaces; any other white space comes from editing and takes longer to process.
std::string wordsOf(std::string_view text) {
  std::string words(text);
  joinLines(words);
  if (words.ends_with(' '))
    words.pop_back();
  if (isPlain(words))
    return words;
  words.clear();
  for (std::string_view word = takeWord(text); !word.empty(); word = takeWord(text)) {
    if (!words.empty())
      words += ' ';
    words += word;
  }
  return words;
}

/// Throws Error unless `words` end with the checksum of the words before it.
void verify(std::string_view words) {
  const size_t at = words.rfind("check=");
  if (at == std::string_view::npos || at == 0)
    throw Error("check is missing: expected it at the end; the annotation is cut off");
  const std::string_view value = words.substr(at + std::string_view("check=").size());
  if (words[at - 1] != ' ' ||
      value != fmt::format("{:016x}", profile::checksum(words.substr(0, at - 1))))
    wrong({"check", value}, "the checksum of the text before it; the annotation is damaged");
}

} // namespace

std::string nameIn(const Token &token) {
  auto text = unescaped(token.value);
  if (!text)
    wrong(token, "two hexadecimal digits after a %");
  return *std::move(text);
}

uint64_t countIn(const Token &token) {
  const auto value = parseCount(token.value);
  if (!value)
    wrong(token, "a non-negative integer below 2^64");
  return *value;
}

double realIn(const Token &token) {
  const auto value = parseReal(token.value);
  if (!value)
    wrong(token, "a non-negative number");
  return *value;
}

uint32_t sizeIn(const Token &token, profile::Size3 &size, uint64_t missing) {
  size.fill(missing);
  std::string_view rest = token.value;
  uint32_t dimensions = 0;
  do {
    const auto value = parseCount(takeUntil(rest, 'x'));
    if (!value || dimensions == 3)
      wrong(token, "one to three integers separated by x");
    size[dimensions++] = *value;
  } while (rest.data() != nullptr);
  return dimensions;
}

void readMetrics(const MetricList &list, const Token &token, KernelProfile &profile) {
  std::string_view rest = token.value;
  for (const profile::MetricInfo &metric : list.metrics) {
    const std::string_view value = takeUntil(rest, ',');
    if (value == "-")
      continue;
    if (metric.type == profile::MetricType::kCount)
      profile.setCount(metric.metric, countIn({token.key, value}));
    else
      profile.setReal(metric.metric, realIn({token.key, value}));
  }
  if (rest.data() != nullptr)
    wrong(token, fmt::format("{} values", list.metrics.size()));
}

void readLevels(const Token &token, Histogram &levels) {
  std::string_view rest = token.value;
  do {
    const uint64_t width = required(token, takeCount(rest), kLevelExpected);
    between(token, rest, ':', kLevelExpected);
    addLevel(token, width, rest, levels);
    if (takeSign(rest, '+'))
      addLevel(token, width + 1, rest, levels);
  } while (goesOn(token, rest, kLevelExpected));
}

void readReuse(const Token &token, std::vector<ReuseRange> &ranges) {
  std::string_view rest = token.value;
  do {
    const uint64_t lowest = required(token, takeCount(rest), kReuseExpected);
    const uint64_t end = takeSign(rest, '~') ? required(token, takeCount(rest), kReuseExpected)
                                             : profile::reuseBinEnd(lowest);
    between(token, rest, ':', kReuseExpected);
    ReuseRange range{lowest, end, 0};
    do {
      range.accesses = required(token, takeScaledCount(rest), kReuseExpected);
      ranges.push_back(range);
      range = {range.end, profile::reuseBinEnd(range.end), 0};
    } while (takeSign(rest, ';'));
  } while (goesOn(token, rest, kReuseExpected));
}

void wrong(const Token &token, std::string_view expected) {
  throw Error(fmt::format("{} is {}: expected {}", text::printable(token.key, 40),
                          token.value.empty() ? "empty" : text::printable(token.value, 40),
                          expected));
}

Token takeToken(std::string_view &text) {
  std::string_view word = takeWord(text);
  const std::string_view key = takeUntil(word, '=');
  return {key, word};
}

std::string checkedWords(std::string_view text) {
  std::string words = wordsOf(text);
  verify(words);
  return words;
}

} // namespace aiwc::embed
