#include "predict/device_names.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace aiwc::predict {

namespace {

constexpr std::array<std::string_view, 5> kSigns = {"(r)", "(tm)", "(c)", "\xc2\xae",
                                                    "\xe2\x84\xa2"};

/// Words after a product's name that make it the name of another product.
constexpr std::array<std::string_view, 14> kQualifiers = {
    "ti",     "super",  "xt",  "xtx", "ghz edition", "max-q", "with max-q",
    "mobile", "laptop", "mig", "d",   "pro",         "max",   "ultra"};

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '_';
}

/// Whether a word ends, or begins, at `at`: an i5-2400 is no i5-2400S.
bool isBoundary(std::string_view text, size_t at) {
  return at == 0 || at >= text.size() || !isWordCharacter(text[at - 1]) ||
         !isWordCharacter(text[at]);
}

bool isQualified(std::string_view behind) {
  behind.remove_prefix(std::min(behind.find_first_not_of(' '), behind.size()));
  return std::ranges::any_of(kQualifiers, [&](std::string_view qualifier) {
    return behind.starts_with(qualifier) && isBoundary(behind, qualifier.size());
  });
}

} // namespace

std::string plainName(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  std::string result;
  for (std::string_view rest = lower; !rest.empty();) {
    const auto *sign =
        std::ranges::find_if(kSigns, [&](std::string_view mark) { return rest.starts_with(mark); });
    if (sign != kSigns.end()) {
      rest.remove_prefix(sign->size());
      continue;
    }
    if (!isSpace(rest.front()))
      result += rest.front();
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
    rest.remove_prefix(1);
  }
  if (result.ends_with(' '))
    result.pop_back();
  return result;
}

bool namesDevice(std::string_view text, std::string_view name) {
  if (name.empty())
    return false;
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if (isBoundary(text, at) && isBoundary(text, end) && !isQualified(text.substr(end)))
      return true;
  }
  return false;
}

} // namespace aiwc::predict
