#include "embed/compact_values.h"

#include "embed/compact_text.h"
#include "profile/reuse.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace aiwc::embed {

namespace {

void addLevel(const Token &token, uint64_t width, std::string_view count, Histogram &levels) {
  const auto number = parseCount(count);
  if (!number || (!levels.empty() && levels.back().first >= width))
    wrong(token, "width:levels, widths increasing");
  levels.emplace_back(width, *number);
}

} // namespace

std::string nameIn(const Token &token) {
  auto text = unescaped(token.value);
  if (!text)
    wrong(token, "two hexadecimal digits behind a %");
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
      wrong(token, "one to three integers with x between");
    size[dimensions++] = *value;
  } while (rest.data() != nullptr);
  return dimensions;
}

void readMetrics(const MetricList &list, const Token &token, KernelProfile &profile) {
  std::string_view rest = token.value;
  for (size_t i = 0; i < list.count; ++i) {
    const auto metric = static_cast<profile::Metric>(static_cast<size_t>(list.first) + i);
    const std::string_view value = takeUntil(rest, ',');
    if (value == "-")
      continue;
    if (profile::info(metric).type == profile::MetricType::kCount)
      profile.setCount(metric, countIn({token.key, value}));
    else
      profile.setReal(metric, realIn({token.key, value}));
  }
  if (rest.data() != nullptr)
    wrong(token, fmt::format("{} values", list.count));
}

void readLevels(const Token &token, Histogram &levels) {
  std::string_view rest = token.value;
  do {
    std::string_view counts = takeUntil(rest, ',');
    const auto width = parseCount(takeUntil(counts, ':'));
    if (!width)
      wrong(token, "width:levels, widths increasing");
    addLevel(token, *width, takeUntil(counts, '+'), levels);
    if (counts.data() != nullptr)
      addLevel(token, *width + 1, counts, levels);
  } while (rest.data() != nullptr);
}

void readReuse(const Token &token, std::vector<ReuseRange> &ranges) {
  constexpr std::string_view kExpected = "lowest:accesses or lowest~end:accesses";
  std::string_view rest = token.value;
  do {
    std::string_view accesses = takeUntil(rest, ',');
    std::string_view bounds = takeUntil(accesses, ':');
    const auto lowest = parseCount(takeUntil(bounds, '~'));
    if (!lowest)
      wrong(token, kExpected);
    const auto end = bounds.data() == nullptr ? profile::reuseBinEnd(*lowest) : parseCount(bounds);
    if (!end)
      wrong(token, kExpected);
    ReuseRange range{*lowest, *end, 0};
    do {
      const auto number = parseScaledCount(takeUntil(accesses, ';'));
      if (!number)
        wrong(token, kExpected);
      range.accesses = *number;
      ranges.push_back(range);
      range = {range.end, profile::reuseBinEnd(range.end), 0};
    } while (accesses.data() != nullptr);
  } while (rest.data() != nullptr);
}

} // namespace aiwc::embed
