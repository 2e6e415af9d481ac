/// Assembles pages from their parts.
#pragma once

#include <string>
#include <string_view>

namespace aiwc::report {

/// The page that `program`, one of page_parts.h, draws from `json`. `title` may have any
/// characters.
std::string document(std::string_view title, std::string_view json, std::string_view program);

} // namespace aiwc::report
