#include "incomplete.h"

#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace aiwc::cli {

std::string leaveIncompleteOut(std::vector<NamedProfile> &profiles, std::string_view command) {
  const auto isLeftOut = [](const NamedProfile &named) {
    return named.fromFolder && !named.launch.complete;
  };
  const size_t all = profiles.size();
  const auto left = std::ranges::count_if(profiles, isLeftOut);
  if (left == 0 || left == std::ssize(profiles))
    return {};
  const std::string first = std::ranges::find_if(profiles, isLeftOut)->file;
  std::erase_if(profiles, isLeftOut);
  return fmt::format("{}: {} of {} profiles left out, because {} incomplete: {}{}", command, left,
                     all, left == 1 ? "it is" : "they are", text::printable(first, 4096),
                     left > 1 ? ", ..." : "");
}

} // namespace aiwc::cli
