#include "advice/words.h"

#include "text/text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace aiwc::advice {

std::string rounded(double value) {
  if (value >= 99.5)
    return text::formatReadable(static_cast<uint64_t>(std::llround(value)));
  return value >= 9.95 ? fmt::format("{:.0f}", value) : fmt::format("{:.2g}", value);
}

std::string percent(double share) {
  return share > 0 && share < 0.01 ? std::string("less than 1 %")
                                   : fmt::format("{:.0f} %", 100 * share);
}

std::string plural(double number, std::string_view noun) {
  return plural(number, noun, fmt::format("{}s", noun));
}

std::string plural(double number, std::string_view one, std::string_view several) {
  const std::string text = rounded(number);
  return fmt::format("{} {}", text, text == "1" ? one : several);
}

} // namespace aiwc::advice
