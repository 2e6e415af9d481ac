/// Conditions on what changed between two runs, such as "bytes from memory grew by more than 5 %":
/// what a performance test fails on.
#pragma once

#include "views/compare.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::views {

using profile::KernelProfile;
using profile::Metric;
using profile::Value;

/// `KEY>AMOUNT` holds if a quantity grew by more than the amount, `KEY<AMOUNT` if it fell by more
/// than it, `KEY!=` and `KEY!=AMOUNT` if it changed by more than it (0 if it is left out). The
/// amount is a number in the quantity's unit, with a unit of bytes or seconds or without one, or
/// with `%` a share of the value before.
struct Condition {
  enum class Change : uint8_t { kGrew, kFell, kAny };

  std::string text; ///< as the user wrote it
  std::string key;  ///< of the quantity
  Change change = Change::kAny;
  double amount = 0; ///< in percent, or in `unit`
  bool percent = false;
  std::string_view unit = {}; ///< of the amount: "bytes", "s"; empty if the user wrote none

  /// Whether the condition holds of a value before and after. Growth from 0 is more than any share
  /// of it. Where one of the two has no value, only "any change" holds; where neither has, none.
  bool holds(const Value &before, const Value &after) const;
  /// "5 %", "1.5 s", "64".
  std::string limit() const;
};

/// The conditions in a list that is separated by commas. Throws Error, beginning with `where`, for
/// an empty list and for each part that is not a condition.
std::vector<Condition> parseConditions(std::string_view list, std::string_view where);

/// What makes the condition hold of a kernel: of its sum over all launches if the quantity adds up,
/// else of that matched launch for which the change is the largest. No value if it does not hold.
std::optional<QuantityChange> violation(const KernelComparison &kernel, const Quantity &quantity,
                                        const Condition &condition);

} // namespace aiwc::views
