/// Numbers in sentences.
#pragma once

#include <string>
#include <string_view>

namespace aiwc::advice {

/// Two significant digits, or all of a number of 100 and more: what a reader keeps.
std::string rounded(double value);
/// A share as a percentage: "45 %", "less than 1 %".
std::string percent(double share);
/// A rounded number of things: "1 work-item", "2,432 work-items".
std::string plural(double number, std::string_view noun);
std::string plural(double number, std::string_view one, std::string_view several);

} // namespace aiwc::advice
