#include "shares.h"

#include "eod/common/opencl.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

namespace aiwc::examples {

using eod::UsageError;

std::vector<Share> readShares(const std::string &file, const std::string &kernel) {
  std::ifstream stream(file);
  if (!stream)
    throw UsageError(file + ": cannot be read");
  std::vector<Share> shares;
  try {
    const auto json = nlohmann::json::parse(stream);
    for (const auto &split : json.at("splits")) {
      if (split.at("kernel") != kernel)
        continue;
      if (split.at("work_dim") != 1)
        throw UsageError(fmt::format("{}: {} has {} dimensions: expected 1", file, kernel,
                                     split.at("work_dim").dump()));
      for (const auto &share : split.at("shares"))
        shares.push_back(
            {share.at("device"), share.at("global_offset").at(0), share.at("global_size").at(0)});
      return shares;
    }
  } catch (const nlohmann::json::exception &error) {
    throw UsageError(fmt::format("{}: is not what aiwc split --json prints: {}", file,
                                 std::string_view(error.what())));
  }
  throw UsageError(fmt::format("{}: no split of {}", file, kernel));
}

Share parseShare(const std::string &text) {
  Share share;
  const char *end = text.data() + text.size();
  const auto [colon, first] = std::from_chars(text.data(), end, share.offset);
  if (first == std::errc{} && colon != end && *colon == ':') {
    const auto [rest, second] = std::from_chars(colon + 1, end, share.size);
    if (second == std::errc{} && rest == end)
      return share;
  }
  throw UsageError(fmt::format("--share {}: expected OFFSET:SIZE in work-items", text));
}

void checkShares(const std::vector<Share> &shares, size_t workItems, size_t localSize) {
  size_t next = 0;
  for (const Share &share : shares) {
    if (share.size == 0)
      continue;
    if (share.offset != next)
      throw UsageError(fmt::format("a share begins at work-item {}: expected {}, where the one "
                                   "before ends",
                                   share.offset, next));
    if (share.size % localSize != 0)
      throw UsageError(fmt::format("a share of {} work-items: expected whole work-groups of {}",
                                   share.size, localSize));
    next += share.size;
  }
  if (next != workItems)
    throw UsageError(
        fmt::format("the shares end at work-item {}: expected {}, all there are", next, workItems));
}

} // namespace aiwc::examples
