#include "text/value.h"

#include <limits>

namespace aiwc::text {

double toDouble(const Value &value) {
  if (const auto *count = std::get_if<uint64_t>(&value))
    return static_cast<double>(*count);
  if (const auto *real = std::get_if<double>(&value))
    return *real;
  return std::numeric_limits<double>::quiet_NaN();
}

} // namespace aiwc::text
