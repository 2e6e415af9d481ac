#include "views/condition.h"

#include "common/error.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <variant>

namespace aiwc::views {

using namespace profile;

namespace {

struct AmountUnit {
  std::string_view suffix, unit;
  double factor;
};
constexpr std::array<AmountUnit, 8> kUnits = {{
    {"", "", 1},
    {"us", "s", 1e-6},
    {"ms", "s", 1e-3},
    {"s", "s", 1},
    {"B", "bytes", 1},
    {"KiB", "bytes", 1024},
    {"MiB", "bytes", 1024 * 1024},
    {"GiB", "bytes", 1024 * 1024 * 1024},
}};

[[noreturn]] void refuse(std::string_view text, std::string_view where) {
  throw Error(fmt::format("{} \"{}\": expected conditions such as dram_bytes>5%, time@gtx1080>3%, "
                          "coalescing_32<0.1 or fp_ops!=, separated by commas",
                          where, text::printable(text, 100)));
}

Condition parseCondition(std::string_view text, std::string_view where) {
  const size_t place = text.find_first_of("<>!");
  if (place == std::string_view::npos || place == 0)
    refuse(text, where);
  Condition condition;
  condition.text = text;
  condition.key = text::trimmed(text.substr(0, place));
  std::string_view rest = text.substr(place + 1);
  if (text[place] == '!') {
    if (!rest.starts_with('='))
      refuse(text, where);
    rest.remove_prefix(1);
    if (text::trimmed(rest).empty())
      return condition;
  } else {
    condition.change = text[place] == '>' ? Condition::Change::kGrew : Condition::Change::kFell;
  }
  rest = text::trimmed(rest);
  condition.percent = rest.ends_with('%');
  if (condition.percent)
    rest = text::trimmed(rest.substr(0, rest.size() - 1));
  double number = 0;
  const char *const end = rest.data() + rest.size();
  const auto [behind, error] = std::from_chars(rest.data(), end, number);
  const auto *const unit = std::ranges::find(
      kUnits, text::trimmed({behind, static_cast<size_t>(end - behind)}), &AmountUnit::suffix);
  if (condition.key.empty() || error != std::errc() || unit == kUnits.end() ||
      (condition.percent && !unit->suffix.empty()) || !std::isfinite(number) || number < 0)
    refuse(text, where);
  condition.amount = number * unit->factor;
  condition.unit = unit->unit;
  return condition;
}

} // namespace

bool Condition::holds(const Value &before, const Value &after) const {
  const bool known = !std::holds_alternative<std::monostate>(before);
  if (known == std::holds_alternative<std::monostate>(after))
    return change == Change::kAny; // one has a value, the other has none
  if (!known)
    return false;
  double grown = difference(before, after);
  if (change == Change::kFell)
    grown = -grown;
  else if (change == Change::kAny)
    grown = std::abs(grown);
  if (!percent)
    return grown > amount;
  if (toDouble(before) == 0)
    return grown > 0;
  // A change by exactly the limit is not more than it, however the limit was rounded.
  constexpr double kRounding = 1 + 1e-12;
  return grown / std::abs(toDouble(before)) > amount / 100 * kRounding;
}

std::string Condition::limit() const {
  return fmt::format("{:g}{}{}", amount, percent || !unit.empty() ? " " : "", percent ? "%" : unit);
}

std::vector<Condition> parseConditions(std::string_view list, std::string_view where) {
  std::vector<Condition> conditions;
  for (std::string_view rest = list;;) {
    const size_t comma = rest.find(',');
    conditions.push_back(parseCondition(text::trimmed(rest.substr(0, comma)), where));
    if (comma == std::string_view::npos)
      return conditions;
    rest.remove_prefix(comma + 1);
  }
}

std::optional<QuantityChange> violation(const KernelComparison &kernel, const Quantity &quantity,
                                        const Condition &condition) {
  return largestChange(kernel, quantity, [&](const Value &before, const Value &after) {
    return condition.holds(before, after);
  });
}

} // namespace aiwc::views
