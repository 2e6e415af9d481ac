#include "common/name_patterns.h"

#include <algorithm>
#include <cstddef>

namespace aiwc {

bool matchesPattern(std::string_view name, std::string_view pattern) {
  std::size_t n = 0;
  std::size_t p = 0;
  // Of the last * so far: it takes one more character whenever what follows it does not match.
  std::size_t afterStar = std::string_view::npos;
  std::size_t taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      afterStar = ++p;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (afterStar != std::string_view::npos) {
      p = afterStar;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

NamePatterns::NamePatterns(std::string_view list) {
  if (list.empty())
    return;
  std::size_t begin = 0;
  std::size_t open = 0;
  for (std::size_t end = 0; end <= list.size(); ++end) {
    const char c = end < list.size() ? list[end] : ',';
    if (c == '<' || c == '(')
      ++open;
    else if ((c == '>' || c == ')') && open > 0)
      --open;
    else if (c == ',' && (open == 0 || end == list.size())) {
      patterns_.emplace_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }
}

bool NamePatterns::selects(std::string_view name) const {
  return selectsAll() || std::ranges::any_of(patterns_, [&](const std::string &pattern) {
           return matchesPattern(name, pattern);
         });
}

std::string NamePatterns::singleName() const {
  const bool isName =
      patterns_.size() == 1 && patterns_.front().find_first_of("*?") == std::string::npos;
  return isName ? patterns_.front() : "";
}

bool NamePatterns::hasEmptyName() const {
  return std::ranges::any_of(patterns_, &std::string::empty);
}

} // namespace aiwc
