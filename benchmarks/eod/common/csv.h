#pragma once

#include <string>
#include <string_view>

namespace aiwc::eod {

/// The text as a field of a CSV file (RFC 4180), in quotes if necessary.
std::string csvField(std::string_view text);

} // namespace aiwc::eod
