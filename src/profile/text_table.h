#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aiwc::profile {

/// A line for each of `rows`, which have as many cells each: columns as wide as their widest cell,
/// two spaces apart, behind `indent`. `left` says of a column whether its cells are aligned to the
/// left; those that it does not reach are aligned to the right. No line ends in a space. Widths are
/// in bytes.
std::string textTable(const std::vector<std::vector<std::string>> &rows,
                      const std::vector<bool> &left, std::string_view indent = "");

} // namespace aiwc::profile
