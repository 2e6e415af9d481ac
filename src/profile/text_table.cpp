#include "profile/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace aiwc::profile {

std::string textTable(const std::vector<std::vector<std::string>> &rows,
                      const std::vector<bool> &left, std::string_view indent) {
  std::vector<size_t> widths;
  for (const auto &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto &row : rows) {
    std::string line(indent);
    for (size_t i = 0; i < row.size(); ++i)
      line += i < left.size() && left[i] ? fmt::format("{:<{}}  ", row[i], widths[i])
                                         : fmt::format("{:>{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

} // namespace aiwc::profile
