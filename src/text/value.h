/// A number that may be missing: the type of a metric's value.
#pragma once

#include <cstdint>
#include <variant>

namespace aiwc::text {

/// A count, a real number, or `std::monostate` for "no value": it was not computed, or is not
/// defined (a ratio to zero). "No value" is `null` in JSON and `NaN` in CSV.
using Value = std::variant<std::monostate, uint64_t, double>;

/// The value as a double; NaN if there is no value.
double toDouble(const Value &value);

} // namespace aiwc::text
