#include "session/option_values.h"

#include "common/as_number.h"
#include "common/name_patterns.h"
#include "session/escape.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

namespace aiwc {
namespace {

/// The names that the user writes.
constexpr std::pair<std::string_view, EngineChoice> kEngines[] = {
    {"interpreter", EngineChoice::kInterpreter},
    {"compiled", EngineChoice::kCompiled},
    {"optimised", EngineChoice::kOptimised},
    {"auto", EngineChoice::kAuto}};

constexpr std::pair<std::string_view, AccuracyLevel> kAccuracies[] = {
    {"exact", AccuracyLevel::kExact},
    {"standard", AccuracyLevel::kStandard},
    {"fast", AccuracyLevel::kFast}};

std::uint64_t numberFrom(const GivenValue &given, std::uint64_t least, std::uint64_t most) {
  const auto value = asNumber(given.text);
  if (!value || *value < least || *value > most)
    throw given.wrong();
  return *value;
}

/// The text before the first `separator`, which are both removed from `rest`.
std::string_view cutOff(std::string_view &rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

constexpr std::uint64_t kMostWorkItems = 1024; // of a work-group: the limit of Oclgrind's device

/// "k=16x8"; none if it is not one.
std::optional<LocalSize> localSize(std::string_view text) {
  LocalSize result;
  result.kernel = cutOff(text, '=');
  result.dimensions = 0;
  std::uint64_t items = 1;
  while (!text.empty() && result.dimensions < 3) {
    const bool last = text.find('x') == std::string_view::npos;
    const auto size = asNumber(cutOff(text, 'x'));
    if (!size || *size < 1 || *size > kMostWorkItems || (!last && text.empty()))
      return std::nullopt;
    result.size[result.dimensions++] = *size;
    items *= *size;
  }
  if (result.kernel.empty() || result.dimensions == 0 || !text.empty() || items > kMostWorkItems)
    return std::nullopt;
  return result;
}

} // namespace

Error GivenValue::wrong(const std::string &detail) const {
  constexpr std::size_t kLongest = 200; // enough to recognise the text
  const std::string_view begin = text.substr(0, kLongest);
  return Error(std::string(name) + " is '" + escapeLine(begin) +
               (begin.size() < text.size() ? "..." : "") + "': expected " + std::string(expected) +
               detail);
}

bool parseSwitch(const GivenValue &given) {
  if (given.text != "0" && given.text != "1")
    throw given.wrong();
  return given.text == "1";
}

std::filesystem::path parseFolder(const GivenValue &given) {
  return absolutePath(given.text);
}

std::filesystem::path parseCache(const GivenValue &given) {
  return given.text == kNoCache ? std::filesystem::path(kNoCache) : parseFolder(given);
}

std::string parseText(const GivenValue &given) {
  if (given.text.empty())
    throw given.wrong();
  return std::string(given.text);
}

std::string parseNames(const GivenValue &given) {
  if (given.text.empty() || NamePatterns(given.text).hasEmptyName())
    throw given.wrong();
  return std::string(given.text);
}

InvocationSelection parseInvocations(const GivenValue &given) {
  if (given.text == "distinct")
    throw Error(std::string(given.name) +
                " is 'distinct', which is gone: leave it out, and launches of one kind are "
                "characterised once; --aiwc-sample-groups or --aiwc-budget for less");
  InvocationSelection selection;
  const std::size_t slash = given.text.find('/');
  if (slash != std::string_view::npos) {
    const auto step = asNumber(given.text.substr(slash + 1));
    if (!step || *step == 0)
      throw given.wrong();
    selection.step = *step;
    if (slash == 0)
      return selection;
  }
  const std::string_view range = given.text.substr(0, slash);
  const std::size_t dash = range.find('-');
  const std::string_view left = range.substr(0, dash);
  const std::string_view right = dash == std::string_view::npos ? left : range.substr(dash + 1);
  const auto first = left.empty() ? selection.first : asNumber(left);
  const auto last = right.empty() ? selection.last : asNumber(right);
  const bool isOne = dash == std::string_view::npos;
  if ((left.empty() && right.empty()) || !first || !last || *first > *last ||
      (isOne && slash != std::string_view::npos))
    throw given.wrong();
  selection.first = *first;
  selection.last = *last;
  return selection;
}

std::uint32_t parseLineSize(const GivenValue &given) {
  const std::uint64_t size = numberFrom(given, 32, 256);
  if (!std::has_single_bit(size))
    throw given.wrong();
  return static_cast<std::uint32_t>(size);
}

std::uint64_t parseSampleGroups(const GivenValue &given) {
  return numberFrom(given, 1, UINT64_MAX);
}

EngineChoice parseEngine(const GivenValue &given) {
  for (const auto &[name, engine] : kEngines)
    if (given.text == name)
      return engine;
  throw given.wrong();
}

Accuracy parseAccuracy(const GivenValue &given) {
  std::string_view longLaunch = given.text;
  const std::string_view level = cutOff(longLaunch, ':');
  const bool hasLength = level.size() < given.text.size();
  const auto instructions = hasLength ? asNumber(longLaunch) : 0;
  for (const auto &[name, value] : kAccuracies)
    if (level == name && instructions && (*instructions > 0) == hasLength)
      return {value, *instructions};
  throw given.wrong();
}

double parseBudget(const GivenValue &given) {
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}};
  const char *const end = given.text.data() + given.text.size();
  double number = 0;
  const auto [behind, error] =
      std::from_chars(given.text.data(), end, number, std::chars_format::fixed);
  const std::string_view unit(behind, static_cast<std::size_t>(end - behind));
  if (error != std::errc() || !std::isfinite(number) || std::signbit(number))
    throw given.wrong();
  if (number == 0 && unit.empty())
    return 0;
  const auto *const known =
      std::ranges::find(kUnits, unit, &std::pair<std::string_view, double>::first);
  if (known == std::end(kUnits))
    throw given.wrong();
  return number * known->second;
}

std::string parseOpenClVersion(const GivenValue &given) {
  if (given.text != "1.2" && given.text != "3.0")
    throw given.wrong();
  return std::string(given.text);
}

std::uint32_t parseThreads(const GivenValue &given) {
  return static_cast<std::uint32_t>(numberFrom(given, 1, 256));
}

std::vector<LocalSize> parseLocalSizes(const GivenValue &given) {
  std::vector<LocalSize> sizes;
  std::string_view rest = given.text;
  if (rest.ends_with(','))
    throw given.wrong();
  while (!rest.empty()) {
    const auto size = localSize(cutOff(rest, ','));
    if (!size || std::ranges::find(sizes, size->kernel, &LocalSize::kernel) != sizes.end())
      throw given.wrong();
    sizes.push_back(*size);
  }
  if (sizes.empty())
    throw given.wrong();
  return sizes;
}

std::string valueText(bool value) {
  return value ? "1" : "0";
}

std::string valueText(const std::string &value) {
  return value;
}

std::string valueText(const std::filesystem::path &value) {
  return value.string();
}

std::string valueText(const InvocationSelection &value) {
  std::string text = std::to_string(value.first) + "-";
  if (value.last != InvocationSelection().last)
    text += std::to_string(value.last);
  if (value.step != 1)
    text += "/" + std::to_string(value.step);
  return text;
}

std::string valueText(std::uint32_t value) {
  return std::to_string(value);
}

std::string valueText(std::uint64_t value) {
  return std::to_string(value);
}

std::string valueText(double value) {
  std::array<char, 512> digits; // enough for any number
  const auto [end, error] =
      std::to_chars(digits.begin(), digits.end(), value, std::chars_format::fixed);
  return std::string(digits.begin(), end) + "s";
}

std::string valueText(EngineChoice value) {
  for (const auto &[name, engine] : kEngines)
    if (engine == value)
      return std::string(name);
  return "";
}

std::string valueText(const Accuracy &value) {
  for (const auto &[name, level] : kAccuracies)
    if (level == value.level)
      return std::string(name) +
             (value.longLaunch > 0 ? ":" + std::to_string(value.longLaunch) : "");
  return "";
}

std::string valueText(const std::vector<LocalSize> &value) {
  std::string text;
  for (const LocalSize &size : value) {
    text += (text.empty() ? "" : ",") + size.kernel + "=" + std::to_string(size.size[0]);
    for (std::uint32_t i = 1; i < size.dimensions; ++i)
      text += "x" + std::to_string(size.size[i]);
  }
  return text;
}

} // namespace aiwc
