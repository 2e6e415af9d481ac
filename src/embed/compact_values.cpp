#include "embed/compact_values.h"

#include "embed/compact_text.h"
#include "profile/reuse.h"

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

} // namespace aiwc::embed
