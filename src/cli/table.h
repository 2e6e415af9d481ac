#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace aiwc::cli {

/// Rows of as many cells each, in columns as wide as they need to be: the first `left` of them
/// from the left, the others from the right.
std::string table(const std::vector<std::vector<std::string>> &rows, size_t left);

} // namespace aiwc::cli
